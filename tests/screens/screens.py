"""Runs the tools in terminals of 80, 120 and 200 columns, and without one, and holds them to the
screens beside this file: screens.py BIN SOURCE WORK [--update]. No line of a screen may be wider than
the terminal, and without one nothing may be cut."""

import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import termios

COMMANDS = [
    "isa-parse tile.s",
    "isa-parse --banks tile.s",
    "isa-parse --why-single tile.s",
    "isa-parse --compare tile.s tile6.s",
    "isa-parse --lint hazards.s",
    "isa-parse --wide tile.s",
    "vgpr-remap tile.s -o tile6.s",
    "vgpr-remap --diff --quiet tile.s",
    "hsaco-loader verify --against tile.s tile6.s --launch tile.json",
    "hsaco-loader assemble tile.s",
]


def on_terminal(arguments, width):
    """Standard output and error of a command whose terminal has so many columns."""
    main_end, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal,
                          env=environment) as process:
        os.close(terminal)
        text = b""
        while True:
            try:
                part = os.read(main_end, 65536)
            except OSError:  # Nobody writes any more.
                break
            if not part:
                break
            text += part
    os.close(main_end)
    return text.decode().replace("\r\n", "\n")


def plain(text):
    """What stands on the screen: without colours, and what is written over is no longer there."""
    lines = []
    for line in re.sub(r"\033\[[0-9;]*m", "", text).split("\n"):
        shown = ""
        for part in line.split("\r"):
            shown = part + shown[len(part):]
        lines.append(shown.rstrip() if "\r" in line else shown)
    return "\n".join(lines)


def steady(text):
    """Times of the host differ."""
    return re.sub(r"\d+\.\d ms", "... ms", text)


def main():
    tools, source, work = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    here, failed = source / "tests/screens", 0
    os.makedirs(work / "screens", exist_ok=True)
    os.chdir(work / "screens")
    for name in ("tile.s", "tile.json", "hazards.s"):
        pathlib.Path(name).write_bytes((here / name).read_bytes())
    subprocess.run([tools / "vgpr-remap", "tile.s", "-o", "tile6.s"], check=True,
                   stderr=subprocess.DEVNULL)
    for width in (80, 120, 200, 0):
        screen = ""
        for command in COMMANDS:
            tool, *arguments = command.split()
            if width:
                text = on_terminal([tools / tool, *arguments], width)
                if "--lint" in command and "\033[" not in text:
                    print(f"{command} has no colour on a terminal")
                    failed = 1
            elif "assemble" in command:
                continue  # A code object is no screen.
            else:
                done = subprocess.run([tools / tool, *arguments], stdin=subprocess.DEVNULL,
                                      capture_output=True, text=True)
                text = done.stdout + done.stderr
                if "\033" in text or "\r" in text or "--wide)" in text:
                    print(f"{command} writes for a terminal where there is none")
                    failed = 1
            screen += f"$ {command}\n{steady(plain(text))}\n"
            # Messages and instructions are folded by the terminal; tables never.
            table = [line for line in plain(text).splitlines() if re.match(r"  +\S+  ", line)]
            if width and "--wide" not in command and any(len(line) > width for line in table):
                print(f"{command}: a table is wider than {width} columns")
                failed = 1
        known = here / (f"screen-{width}.txt" if width else "no-screen.txt")
        if "--update" in sys.argv:
            known.write_text(screen)
        elif known.read_text() != screen:
            print(f"{known.name} is not what the tools print; now:\n{screen}")
            failed = 1
    return failed


sys.exit(main())
