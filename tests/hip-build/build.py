"""What the tests of this folder share: running the tools, and the sections of code objects."""

import os
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(os.path.dirname(HERE))
PROGRAMS = os.path.join(SOURCES, "tests", "hip")
TEMPLATES = os.path.join(SOURCES, "templates")


class Place:
    """A fresh folder, and the tools."""

    def __init__(self):
        self.tools, self.folder = sys.argv[1:3]
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)

    def tool(self, name):
        return os.path.join(self.tools, name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *command, code=0, environment=None):
        """Standard output and error; fails if the exit code is another one."""
        if not os.path.isabs(command[0]) and os.path.exists(self.tool(command[0])):
            command = [self.tool(command[0]), *command[1:]]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, **(environment or {})}, errors="replace")
        if done.returncode != code:
            sys.exit(f"exit code {done.returncode} instead of {code}: {' '.join(command)}\n"
                     f"{done.stdout}{done.stderr}")
        return done.stdout, done.stderr

    def code_objects(self, file, folder):
        """The code objects of a file, by the names that unbundle gives them."""
        self.run("hsaco-loader", "unbundle", file, "-o", self.path(folder))
        found = {}
        for name in sorted(os.listdir(self.path(folder))):
            with open(os.path.join(self.path(folder), name), "rb") as code:
                found[name] = code.read()
        return found


def section(elf, wanted):
    """A section's bytes."""
    at, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3a)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, at + n * size) for n in range(count)]
    table = elf[headers[names][4]:headers[names][4] + headers[names][5]]
    for header in headers:
        name = table[header[0]:table.index(b"\0", header[0])].decode()
        if name == wanted:
            return elf[header[4]:header[4] + header[5]]
    return None


def same_code(one, other, what):
    """Code, descriptors (in .rodata) and metadata are equal, bit for bit."""
    for name in (".text", ".rodata", ".note"):
        mine, clangs = section(one, name), section(other, name)
        expect(mine == clangs, f"{what}: {name} is not the compiler's")
    expect(section(one, ".text"), f"{what}: there is code")


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")
