"""Large CSV files with hostile records wherever a reader may cut them: large_files_test.py DUMP_RECORDS.

Files of 8 to 128 MiB, of plain records but around every multiple of 1 MiB (our blocks), of 8,000,000 and of
32,000,000 bytes (DuckDB's buffers of lines): there are records whose quoted fields hold line ends and texts
that look like records, doubled quotes in rows, and both kinds of line ends. What the generator knows to be in
the file must be what is read, as hashes of the dumps. Each file is read in blocks of our own size, with 1, 2
or 16 threads, and the smaller ones also in blocks of both other sizes.
"""

import hashlib
import json
import subprocess
import sys
import unittest

from reading_case import BINARY, ReadingCase

MEBI = 1 << 20
SIZES = (8 * MEBI, 16 * MEBI, 32 * MEBI, 64 * MEBI, 128 * MEBI)
OUR_BLOCK = MEBI
CUTS = (OUR_BLOCK, 8_000_000, 32_000_000)
# Hostile records go from this many bytes before a cut to as many after it. Our cuts are a header's length
# farther than the multiples.
AROUND = 600
COLUMNS = ["number", "text", "more"]
# What a field may look like; the record's number is put in, so that no record can stand for another.
HOSTILE = (
    "{0}\n{0},x,y\n{0},",
    '{0}""\r\n"{0}","',
    '"{0}",""',
    '""""{0}""""',
    "\r\n\r\n{0}\r\n",
    '\n",\n"{0},"\n',
    'é漢😀"{0}"😀',
    ',"{0}\n',
    "{0},x,y\n" * 40,
    "{0}",
    "",
)


def dump(record):
    """The line that dump_records prints for it."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


class LargeFile:
    """A file that is written while its dump is hashed."""

    def __init__(self, path, draw, size):
        self.draw = draw
        self.hash = hashlib.sha256(dump(COLUMNS).encode())
        self.records = 0
        self.hostile = 0
        self.size = 0
        # Plain records come in pieces, so that making them takes no time.
        rows = [[str(i), f"plain {i * 7919 % 1009}", f"{i % 13}.5"] for i in range(1500)]
        self.plain = [("".join(",".join(row) + "\n" for row in part).encode(), "".join(map(dump, part)).encode(),
                       len(part)) for part in (rows, rows[:30], rows[7:8])]
        with path.open("wb") as self.file:
            self.write((",".join(COLUMNS) + "\n").encode(), b"", 0)
            for cut in sorted({at for step in CUTS for at in range(step, size, step)} | {size}):
                self.write_plain(cut - AROUND)
                while self.size < cut + AROUND:
                    self.write_hostile()

    def write(self, content, lines, records):
        self.file.write(content)
        self.hash.update(lines)
        self.size += len(content)
        self.records += records

    def write_plain(self, end):
        for piece in self.plain:
            while self.size + len(piece[0]) <= end:
                self.write(*piece)

    def write_hostile(self):
        draw = self.draw
        self.hostile += 1
        record = [f"h{self.hostile}", *(draw.choice(HOSTILE).format(self.hostile) for _ in COLUMNS[1:])]
        fields = ('"' + field.replace('"', '""') + '"' for field in record)
        self.write((",".join(fields) + draw.choice(("\n", "\r\n"))).encode(), dump(record).encode(), 1)


class LargeFilesTest(ReadingCase):
    def read(self, path, block_bytes, threads):
        """How many records there are and the hash of their dump."""
        lines, found = -1, hashlib.sha256()
        command = [BINARY, "csv", str(path), ",", str(block_bytes), str(threads)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as run:
            while piece := run.stdout.read(MEBI):
                lines += piece.count(b"\n")
                found.update(piece)
        self.assertEqual(run.returncode, 0)
        return lines, found.hexdigest()

    def test_hostile_records_at_every_cut(self):
        path = self.folder / "large.csv"
        for size in SIZES:
            file = LargeFile(path, self.random, size)
            cuts = [(OUR_BLOCK, 2), (OUR_BLOCK, 16)] if size < SIZES[-1] else [(OUR_BLOCK, 16)]
            if size <= 32 * MEBI:
                cuts += [(OUR_BLOCK, 1), (CUTS[1], 2), (CUTS[2], 2), (65_536, 16)]
            for cut in cuts:
                with self.subTest(size=size, block_bytes=cut[0], threads=cut[1], hostile=file.hostile):
                    self.assertEqual(self.read(path, *cut), (file.records, file.hash.hexdigest()))

    def test_longest_record(self):
        """A record may have 16 MiB, its line end included, whatever the blocks are."""
        path = self.folder / "long.csv"
        for size, accepted in ((16 * MEBI, True), (16 * MEBI + 1, False)):
            for quote in (b"", b'"'):
                field = quote + b"x" * (size - len(b"1,2,\n") - 2 * len(quote)) + quote
                path.write_bytes(b"number,text,more\n1,2,3\n1,2," + field + b"\n1,2,3\n")
                for block_bytes in (OUR_BLOCK, OUR_BLOCK - 1, 20 * MEBI):
                    command = [BINARY, "csv", str(path), ",", str(block_bytes), "1"]
                    run = subprocess.run(command, check=False, capture_output=True)
                    self.assertEqual(run.returncode, 0 if accepted else 65, (size, quote, block_bytes))
                    self.assertEqual(run.stdout.count(b"\n"), 4 if accepted else 0)

    def test_one_record_less(self):
        """The test above can fail: a file without one of its hostile records has another hash."""
        path = self.folder / "large.csv"
        file = LargeFile(path, self.random, 2 * MEBI)
        content = path.read_bytes()
        start = content.index(b'"h5"')
        path.write_bytes(content[:start] + content[content.index(b'"h6"') :])
        self.assertNotEqual(self.read(path, OUR_BLOCK, 2), (file.records, file.hash.hexdigest()))
        self.assertEqual(self.read(path, OUR_BLOCK, 2)[0], file.records - 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
