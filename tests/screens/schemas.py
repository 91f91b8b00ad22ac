"""Holds what the tools write as JSON to docs/schema, SARIF to a schema of the parts that are
written, and docs/json.md to the schemas: schemas.py BIN SOURCE WORK [--update]."""

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

# The schema, what follows the tool's name, and where the JSON goes ({} stands in the command) if it
# does not go to standard output.
COMMANDS = [
    ("isa-parse", "isa-parse --json k5.s"),
    ("isa-parse", "isa-parse --json k.s"),
    ("isa-parse", "isa-parse --json --kernel scale k.s"),
    ("isa-parse", "isa-parse --json --compare k5.s k6.s"),
    ("isa-parse", "isa-parse --json --compare k.s k.s"),
    ("isa-parse", "isa-parse --json --details --launch k5.json --param N=256 --compare k5.s k6.s"),
    ("isa-parse", "isa-parse --json k1.s"),
    ("isa-parse-lint", "isa-parse --lint --json k5.s"),
    ("isa-parse-lint", "isa-parse --lint --json --against k5.s k6.s k.s --suppress vopd-parity"),
    ("vgpr-remap", "vgpr-remap k5.s -o out.s --report {}"),
    ("vgpr-remap", "vgpr-remap k.s -o out.s --report {}"),
    ("dualfmac-sched", "dualfmac-sched k.s -o out.s --report {}"),
    ("dualfmac-sched", "dualfmac-sched --waits --compact-vgprs k5.s -o out.s --report {}"),
    ("dualfmac-sched", "dualfmac-sched --sgpr-base --given arg3<=1024 k5.s -o out.s --report {}"),
    ("dualfmac-sched", "dualfmac-sched --waits k5.s -o out.s --report {} --for 7900xt "
     "--launch k5.json --param N=256"),
    ("hsaco-loader", "hsaco-loader inspect --json k5.s"),
    ("hsaco-loader", "hsaco-loader inspect --json --kernel clear k.s"),
    ("hsaco-loader", "hsaco-loader run --json k5.s --sgemm 128"),
    ("hsaco-loader", "hsaco-loader run --json k.s --launch l.json --check=all"),
    ("hsaco-loader", "hsaco-loader verify --json k5.s --sgemm 128 --inputs random,nan"),
    ("hsaco-loader", "hsaco-loader verify --json k5.s --sgemm 100 --check=all"),
    ("hsaco-loader", "hsaco-loader verify --json --against k5.s k6.s --sgemm 128 --check=all "
     "--delays --delay-runs 2"),
    ("hsaco-loader", "hsaco-loader verify --json --against k.s k.s --launch l.json"),
    ("hsaco-loader", "hsaco-loader bench --json k5.s --sgemm 128"),
    ("hsaco-loader", "hsaco-loader bench --json k.s --launch l.json"),
    ("hsaco-loader", "hsaco-loader bench --json k5.s --sgemm 256 --backend model"),
    ("sarif", "isa-parse --lint --sarif {} k5.s k.s"),
    ("sarif", "isa-parse --lint --sarif {} --against k5.s k6.s --suppress trans-use"),
    ("sarif", "hsaco-loader verify k5.s --sgemm 100 --check=all --sarif {}"),
    ("sarif", "hsaco-loader verify --against k5.s k6.s --sgemm 128 --check=all --sarif {}"),
]

# Of SARIF 2.1.0 what these tools write, with the names and types that the standard gives it (OASIS,
# sections 3.13 to 3.54). sarif.py holds them to the standard's own schema, which may not lie here.
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}},
        "additionalProperties": False}
LOCATION = {
    "type": "object", "additionalProperties": False, "required": ["physicalLocation"],
    "properties": {
        "message": TEXT,
        "physicalLocation": {
            "type": "object", "additionalProperties": False, "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {"type": "object", "additionalProperties": False,
                                     "required": ["uri"],
                                     "properties": {"uri": {"type": "string", "minLength": 1}}},
                "region": {"type": "object", "additionalProperties": False,
                           "required": ["startLine"],
                           "properties": {"startLine": {"type": "integer", "minimum": 1},
                                          "startColumn": {"type": "integer", "minimum": 1}}}}}}}
SARIF = {
    "type": "object", "additionalProperties": False, "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["tool", "results"],
            "properties": {
                "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
                    "type": "object", "required": ["name"], "additionalProperties": False,
                    "properties": {"name": {"type": "string"}, "version": {"type": "string"},
                                   "rules": {"type": "array", "items": {
                                       "type": "object", "required": ["id"],
                                       "additionalProperties": False,
                                       "properties": {"id": {"type": "string"},
                                                      "shortDescription": TEXT}}}}}}},
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "results": {"type": "array", "items": {
                    "type": "object", "additionalProperties": False,
                    "required": ["message", "ruleId"],
                    "properties": {
                        "ruleId": {"type": "string"},
                        "ruleIndex": {"type": "integer", "minimum": 0},
                        "level": {"enum": ["none", "note", "warning", "error"]},
                        "message": TEXT,
                        "locations": {"type": "array", "items": LOCATION},
                        "relatedLocations": {"type": "array", "items": LOCATION},
                        "occurrenceCount": {"type": "integer", "minimum": 1},
                        "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]},
                        "suppressions": {"type": "array", "items": {
                            "type": "object", "required": ["kind"],
                            "properties": {"kind": {"enum": ["inSource", "external"]}}}}}}}}}}}}

HEAD = """# The tools' JSON

Every report is one object whose `schema` names its shape and version. Fields may be added under the
same version; one that goes, or means something else, makes a new one. The schemas (JSON Schema
2020-12) lie in [schema](schema); `tests/screens/schemas.py` holds the tools to them, and makes this
page of them. A field that is nobody's figure is null, never left out. Times that were not measured
are called predicted.

`isa-parse --lint --sarif` and `hsaco-loader --check --sarif` write SARIF 2.1.0 (OASIS), for code
hosts.
"""


def type_of(schema):
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " or ".join(json.dumps(word) for word in schema["enum"])
    kinds = schema.get("type", "anything")
    return " or ".join(kinds) if isinstance(kinds, list) else kinds


def fields(schema, prefix=""):
    for name, inner in schema.get("properties", {}).items():
        yield f"| `{prefix}{name}` | {type_of(inner)} | {inner.get('description', '')} |\n"
        yield from fields(inner, f"{prefix}{name}.")
        if "items" in inner:
            yield from fields(inner["items"], f"{prefix}{name}[].")


def page(schemas):
    text = HEAD
    for schema in schemas.values():
        for part in schema.get("oneOf", [schema]):
            text += f"\n## {part['title']}\n\n| field | type | what it is |\n| --- | --- | --- |\n"
            text += "".join(fields(part))
    return text


def complaints(schema, document):
    """The deepest reasons, because 'is not valid under any' says nothing."""
    if "oneOf" in schema:
        model = document.get("backend") == "model"
        title = f"hsaco-loader {document['command']}" + (" --backend model" if model else "")
        schema = next(part for part in schema["oneOf"] if part["title"] == title)
    for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
        best = jsonschema.exceptions.best_match([error])
        yield f"{best.json_path}: {best.message[:300]}"


def prepare(tools, source):
    kernels, templates = tools.parent / "kernels", source / "templates"
    for name, path in {"k.s": source / "tests/screens/two-kernels.s",
                       "k1.s": kernels / "kernel1.clang-22.O0.s",
                       "k5.s": kernels / "kernel5.clang-22.O3.s",
                       "k5.json": templates / "kernel5.json"}.items():
        pathlib.Path(name).write_bytes(path.read_bytes())
    pathlib.Path("l.json").write_text(json.dumps(
        {"kernel": "scale", "grid": [1], "block": [32], "params": {"N": 32},
         "args": [{"buffer": "4*N", "output": True, "init": "zero"}, {"i32": 4}]}))
    subprocess.run([tools / "vgpr-remap", "k5.s", "-o", "k6.s", "--quiet"], check=True,
                   stderr=subprocess.DEVNULL)


def written(tools, command):
    """What a command writes as JSON, and what it says otherwise."""
    tool, *arguments = [word.replace("{}", "report.json") for word in command.split()]
    pathlib.Path("report.json").unlink(missing_ok=True)
    done = subprocess.run([tools / tool, *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=100)
    return pathlib.Path("report.json").read_text() if "{}" in command else done.stdout, done.stderr


def main():
    tools, source, work = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    os.makedirs(work / "schemas", exist_ok=True)
    os.chdir(work / "schemas")
    schemas = {path.name.split(".")[0]: json.loads(path.read_text())
               for path in sorted((source / "docs/schema").glob("*.schema.json"))}
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    made, known = page(schemas), source / "docs/json.md"
    if "--update" in sys.argv:
        known.write_text(made)
    failed = 0
    if known.read_text() != made:
        print("docs/json.md is not what the schemas say")
        failed = 1
    prepare(tools, source)
    for name, command in COMMANDS:
        text, errors = written(tools, command)
        try:
            document = json.loads(text)
        except ValueError as error:
            print(f"{command}: {error}\n{errors[:500]}")
            failed = 1
            continue
        for complaint in complaints(SARIF if name == "sarif" else schemas[name], document):
            print(f"{command}: {complaint}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
