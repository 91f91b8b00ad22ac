"""The table of instruction coverage, what is not tested and why, and what still disagrees."""

import collections
import re

# Entries that no test executes: names (FORMAT:NAME), reason.
UNTESTED = [
    (r".*:(S_ENDPGM.*|S_CODE_END)", "ends the wave; every test ends with S_ENDPGM"),
    (r"SOPP:S_TRAP", "stops the emulation with a message: there is no trap handler (unit tests)"),
    (r"SOPP:S_SENDMSGHALT|SOPP:S_SETHALT", "halts the wave: nothing would be left to compare"),
    (r"SOP1:S_SENDMSG_RTN_B(32|64)", "the answer is the machine's (clock, mode): no expectation"),
    (r"SOPK:S_SUBVECTOR_LOOP_(BEGIN|END)", "wave64 only: loops over the two halves of EXEC"),
    (r"SMEM:S_ATC_PROBE.*", "address translation probe: no architectural effect to compare"),
    (r"DS:DS_(GWS_.*|ORDERED_COUNT)", "global wave sync: hardware outside the workgroup"),
]
# Tests that fail today: (FORMAT:NAME, test), what is right and why.
OPEN = [
]


def reason_untested(instruction):
    if not instruction.encodable:
        return "LLVM encodes it for no gfx1100 form"
    for names, reason in UNTESTED:
        if re.fullmatch(names, instruction.key):
            return reason
    return None


def is_open(key, what):
    return any(re.fullmatch(k, key) and re.fullmatch(w, what) for k, w, _ in OPEN)


def document(instructions, tests):
    """docs/emulator-coverage.md from the number of tests per entry."""
    formats = list(dict.fromkeys(i.format for i in instructions))
    lines = [
        "# Instruction coverage of the emulator",
        "",
        "Written by `tests/semantics/run.py --write-coverage`; a test fails when it is out of date. Entries are",
        "those of `data/rdna3_semantics.json`: every instruction and encoding that a compute kernel can use on",
        "gfx1100. *Tested*: executed on corner-case and random operands, all registers and memory compared with",
        "AMD's pseudo-code as evaluated by `tests/semantics`, or with values worked out by hand where the text is",
        "missing or wrong (`tests/semantics/corrections.py` says where and why). *Instructions*: different",
        "encodings executed (operand kinds, modifiers, DPP, MODE), each on one to six states of 32 lanes.",
        "*Open*: the emulator is known to disagree, see below.",
        "",
        "`ctest -L semantics` runs all with one seed; `run.py DRIVER` takes `--only V_PERM_B32`, `--seed`,",
        "`--thorough` (four times the operands) and `--jit` (the compiled code instead of the interpreter).",
        "",
        "| format | entries | tested | of these open | not tested | instructions |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    total = collections.Counter()
    for f in formats:
        entries = [i for i in instructions if i.format == f]
        tested = [i for i in entries if i.key in tests]
        count = sum(tests[i.key] for i in tested)
        disagree = sum(any(re.fullmatch(k, i.key) for k, _, _ in OPEN) for i in tested)
        lines.append(f"| {f} | {len(entries)} | {len(tested)} | {disagree} | {len(entries) - len(tested)} "
                     f"| {count} |")
        total.update(entries=len(entries), tested=len(tested), open=disagree, count=count)
    missing = total["entries"] - total["tested"]
    lines += [f"| total | {total['entries']} | {total['tested']} | {total['open']} | {missing} "
              f"| {total['count']} |", "", "## Not tested", ""]
    reasons = collections.defaultdict(list)
    for i in instructions:
        if i.key not in tests:
            reasons[reason_untested(i) or "no test yet"].append(i.key)
    lines += [f"- {reason}: {', '.join(keys)}." for reason, keys in reasons.items()]
    lines += ["", "## Open disagreements", ""]
    lines += [f"- `{key}`, tests `{what}`: {why}." for key, what, why in OPEN] or ["None."]
    return "\n".join(lines) + "\n"
