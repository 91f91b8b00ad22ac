"""Talks to the driver process: sends kernels with the memory of each run, gets the memory back."""

import struct
import subprocess
import threading

import kernel


class Driver:
    def __init__(self, path, *options):
        self.process = subprocess.Popen([path, *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def run(self, jobs, rsrc1=0):
        """For jobs (code, lds, scratch, [memory]) yields lists of (status, message, memory)."""
        writer = threading.Thread(target=self._send, args=(jobs, rsrc1), daemon=True)
        writer.start()
        for _, _, _, blocks in jobs:
            yield [self._receive(len(b)) for b in blocks]
        writer.join()

    def _send(self, jobs, rsrc1):
        out = self.process.stdin
        for code, lds, scratch, blocks in jobs:
            out.write(struct.pack("<6I", len(code), kernel.LDS_BYTES if lds else 0,
                                  kernel.SCRATCH_BYTES if scratch else 0, len(blocks[0]), rsrc1,
                                  len(blocks)))
            out.write(code)
            for block in blocks:
                out.write(block)
        out.flush()

    def _receive(self, size):
        status, length = struct.unpack("<2I", self._exactly(8))
        message = self._exactly(length).decode(errors="replace")
        return status, message, self._exactly(size)

    def _exactly(self, n):
        data = self.process.stdout.read(n)
        if len(data) != n:
            raise RuntimeError(f"the driver ended (exit code {self.process.wait()})")
        return data

    def close(self):
        self.process.stdin.write(struct.pack("<6I", 0, 0, 0, 0, 0, 0))
        self.process.stdin.close()
        self.process.wait()
