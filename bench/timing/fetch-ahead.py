#!/usr/bin/env python3
"""How far a wave fetches code ahead, as traces of cold code show it.

    fetch-ahead.py ops_run0_se1.csv [ops_run1_se1.csv ...]

At each cold block of 256 bytes issue stops until the code is there. If a wave asks for code that
is N bytes ahead of its next instruction, then the time from when it came to N bytes in front of a
block until the block was there is the latency of memory, which varies least for the right N. Printed
for each N: over how many clocks the closest half of the samples, and the closest three quarters,
spread.
"""
import bisect
import csv
import sys

BLOCK, CODE_PREFETCHED = 256, 0xE00  # From there on lines were there earlier, by halves of a block.


def stalls(rows):
    """(first byte of the block, when its first instruction issued)."""
    for before, row in zip(rows[4:], rows[5:]):
        if row[1] - before[1] > 200 and row[0] % BLOCK in (0, BLOCK - 4) and row[0] < CODE_PREFETCHED:
            yield (row[0] + 8) // BLOCK * BLOCK, row[1]


def spread(values, share):
    count = int(len(values) * share) + (share == 0.5)
    return min(values[n + count - 1] - values[n] for n in range(len(values) - count + 1))


def main():
    for name in sys.argv[1:]:
        with open(name, newline="") as file:
            rows = [(int(row["pc"], 0), int(row["cycle"])) for row in csv.DictReader(file)
                    if row["event"] == "issue"]
        places = [row[0] for row in rows]
        print(f"{name}: {len(list(stalls(rows)))} samples\n  bytes ahead  half within  3/4 within")
        for ahead in range(4, 228, 4):
            # The instruction in front of that place has issued: the next one is there.
            latencies = sorted(
                end - rows[bisect.bisect_left(places, block - ahead) - 1][1]
                for block, end in stalls(rows))
            print(f"  {ahead:11}  {spread(latencies, 0.5):8} clk  {spread(latencies, 0.75):7} clk")


if __name__ == "__main__":
    main()
