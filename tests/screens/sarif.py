"""Holds the tools' SARIF to the standard's own schema, and to a validator of its own where there is
one: sarif.py BIN SOURCE WORK [SCHEMA [VALIDATOR]].

Neither may lie in this repository. `npm pack @microsoft/sarif-multitool-linux` brings both:
sarif-2.1.0.json and Sarif.Multitool, whose command `validate` knows the rules that no schema says.
"""

import json
import os
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

import schemas


def complaints(schema, validator, text):
    kind = jsonschema.validators.validator_for(schema)
    for error in kind(schema).iter_errors(json.loads(text)):
        yield f"{error.json_path}: {error.message[:300]}"
    if not validator:
        return
    pathlib.Path("report.sarif").write_text(text)
    done = subprocess.run([validator, "validate", "report.sarif"], capture_output=True, text=True,
                          timeout=100)
    for line in done.stdout.splitlines() + done.stderr.splitlines():
        if "error " in line.lower():
            yield line
    if done.returncode:
        yield f"{validator} ends with {done.returncode}:\n{done.stdout}"


def main():
    tools, source, work, *others = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    if not others or not others[0].is_file():
        print("the schema of SARIF 2.1.0 is not here (see the head of sarif.py)")
        return 77
    schema = json.loads(others[0].read_text())
    validator = others[1] if len(others) > 1 and others[1].is_file() else None
    os.makedirs(work / "sarif", exist_ok=True)
    os.chdir(work / "sarif")
    schemas.prepare(tools, source)
    failed = checked = 0
    for name, command in schemas.COMMANDS:
        if name != "sarif":
            continue
        text, _ = schemas.written(tools, command)
        checked += 1
        for complaint in complaints(schema, validator, text):
            print(f"{command}: {complaint}")
            failed = 1
    print(f"{checked} files checked against {others[0]}" +
          (f" and by {validator}" if validator else ""))
    return failed


sys.exit(main())
