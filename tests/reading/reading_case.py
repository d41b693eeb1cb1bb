"""What the tests of our readers share: many files read in one call of dump_records."""

import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

BINARY = sys.argv[1]
# A recorded seed, so that a test run repeats exactly.
SEED = 20260711
# Making thousands of small files on a disk takes longer than everything else.
MEMORY = pathlib.Path("/dev/shm")


class ReadingCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.random = random.Random(f"{SEED} {self.id().split('.')[-1]}")

    def cuts(self):
        """Block sizes and numbers of threads to read one file with: blocks of few bytes are cut everywhere."""
        draw = self.random
        # Starting threads costs more than reading a small file, and so does the module for a large block.
        threads = 16 if draw.random() < 0.05 else draw.choice((1, 1, 2))
        return [(1, 1), (draw.randint(2, 64), threads), (draw.choice((64, 100, 1000, 5000)), 1)]

    def read_all(self, files, arguments):
        """What dump_records says of each file, as a pair of a problem, or None, and the lines.

        `arguments(i)` are the format, the path's place and so on: those of file i, with a %s for its path. Each
        file is read with several cuts, which must make no difference.
        """
        jobs, counts = [], []
        for i, content in enumerate(files):
            path = self.folder / f"{i}"
            path.write_bytes(content)
            cuts = self.cuts()
            counts.append(len(cuts))
            for cut in cuts:
                jobs += [str(path) if part == "%s" else part for part in arguments(i)]
                jobs += [str(number) for number in cut]
        results = iter(self.run_jobs(jobs))
        answers = []
        for content, count in zip(files, counts):
            first, *others = (next(results) for _ in range(count))
            for other in others:
                # Of several problems, which one is met first may depend on the cuts; that there is one may not.
                self.assertEqual(first[1], other[1], content)
                self.assertEqual(first[0] is None, other[0] is None, content)
            answers.append((first[0], [json.loads(line) for line in first[1]]))
        return answers

    def run_jobs(self, jobs):
        path = self.folder / "jobs"
        path.write_bytes("".join(f"{argument}\n" for argument in jobs).encode())
        run = subprocess.run([BINARY, "jobs", str(path)], check=False, capture_output=True)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        lines = []
        for line in run.stdout.split(b"\n")[:-1]:
            if line.startswith(b'"'):
                outcome = json.loads(line)
                yield None if outcome == "whole" else outcome, lines
                lines = []
            else:
                lines.append(line)

    def mutate(self, content, special):
        """The bytes with one of them removed, doubled, replaced or added; or cut off."""
        draw = self.random
        at = draw.randrange(len(content) + 1)
        head, tail = content[:at], content[at:]
        new = draw.choice(special) if draw.random() < 0.8 else bytes([draw.randrange(256)])
        return draw.choice((head + tail[1:], head + tail[:1] + tail, head + new + tail[1:], head + new + tail, head))
