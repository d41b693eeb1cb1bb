"""Our CSV reader against Python's csv, codecs and gzip, and the program zstd: dialects_outside_test.py DUMP_RECORDS.

Files have other quotes and escapes, encodings and compressions, and some have no header. Valid ones come from
Python's csv.writer; broken ones differ from them in one byte. Whatever we read must be what the others read, and we
must read exactly the files that the definition in lastbit/sources/csv_file.h allows, which is a regular expression
here.
"""

import csv
import gzip
import io
import re
import shutil
import subprocess
import sys
import unittest

from reading_case import ReadingCase

VALID_FILES = 1500
BROKEN_FILES = 3000
ENCODED_FILES = 1500
PACKED_FILES = 120
PIECES = ('"', "'", "''", ",", ";", "\n", "\r\n", " ", "\\", "\\\\", "^", "é", "漢", "😀", "a", "\ufeff")
SPECIAL = (b'"', b"'", b",", b"\n", b"\r", b"\r\n", b"\\", b"\\\\", b"^", b"a", b"\xff")
# The delimiter, the quote and the escape.
DIALECTS = ((",", "'", None), (";", "'", "\\"), (",", '"', "\\"), (",", None, None), (",", None, "\\"), ("|", '"', "^"))
ENCODINGS = {
    "latin-1": "latin-1",
    "windows-1252": "cp1252",
    "utf-16": "utf-16",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
}


def grammar(delimiter, quote, escape):
    """The files that are read, apart from the numbers of fields."""
    special = re.escape(delimiter + (quote or "") + (escape or ""))
    escaped = f"|{re.escape(escape)}(?s:.)" if escape else ""
    field = f"(?:[^\r\n{special}]{escaped})*+"
    if quote:
        inside = re.escape(quote + (escape or ""))
        field = f"(?:{quote}(?:[^{inside}]|{quote}{quote}{escaped})*+{quote}|{field})"
    record = f"{field}(?:{re.escape(delimiter)}{field})*+"
    return re.compile(f"(?:{record}\r?\n)*+{record}")


def options(delimiter, quote, escape):
    """The same for Python's module."""
    if quote is None:
        return {"delimiter": delimiter, "quotechar": None, "quoting": csv.QUOTE_NONE, "escapechar": escape}
    return {"delimiter": delimiter, "quotechar": quote, "escapechar": escape}


def read_with_python(text, dialect, names):
    """The records, after the names, or None where the text must be refused."""
    text = text.removeprefix("\ufeff")
    if (not text and not names) or not grammar(*dialect).fullmatch(text):
        return None
    # csv.reader takes an escaped line end at the end of a text for the start of more.
    if dialect[2] and text.endswith((dialect[2] + "\n", dialect[2] + "\r")):
        return "unclear"
    # The same at the end of a line that follows an escaped line end and is the last one, unless it has an end itself.
    end = "" if not text or text.endswith("\n") else "\n"
    rows = list(csv.reader(io.StringIO(text + end, newline=""), strict=True, **options(*dialect)))
    if names:
        columns = [f"c{i}" for i in range(names)]
        if re.search(r"(?:^|\n)\ufeff", text):
            return "unclear"
    else:
        columns = rows.pop(0) or [""]
        if "" in columns or len(set(columns)) < len(columns):
            return "unclear"
    records = [row or [""] for row in rows if row or len(columns) == 1]
    return [columns, *records] if all(len(row) == len(columns) for row in records) else None


class DialectsOutsideTest(ReadingCase):
    def draw_rows(self, plain=False):
        draw = self.random
        columns = draw.choice((1, 2, 3))
        pieces = tuple(piece for piece in PIECES if piece.isascii()) if plain else PIECES[:-1]
        rows = [[f"n{i}" for i in range(columns)]]
        for _ in range(draw.choice((0, 1, 3, 8))):
            rows.append(["x" + "".join(draw.choices(pieces, k=draw.randint(0, 4))) for _ in range(columns)])
        return rows

    def write(self, rows, dialect):
        """The rows as csv.writer writes them; None if it cannot."""
        draw = self.random
        arguments = options(*dialect)
        if dialect[1] and dialect[2]:
            arguments["doublequote"] = draw.random() < 0.5
        if dialect[1]:
            arguments["quoting"] = draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
        # Where lines end with a line feed, csv.writer does not quote a field for its carriage return.
        end = "\r\n" if any("\r" in field for row in rows for field in row) else draw.choice(("\n", "\r\n"))
        out = io.StringIO(newline="")
        try:
            csv.writer(out, lineterminator=end, **arguments).writerows(rows)
        except csv.Error:
            return None
        return out.getvalue()

    def draw_file(self):
        """A text, its dialect and, if it has no header, the number of its columns."""
        while True:
            dialect = self.random.choice(DIALECTS)
            rows = self.draw_rows()
            names = len(rows[0]) if self.random.random() < 0.3 else 0
            text = self.write(rows, dialect)
            if text is not None:
                return text, dialect, names

    def compare(self, files):
        """Reads (content, text or None, dialect, names, encoding, compression), and counts those that are whole."""

        def arguments(i):
            _, _, (delimiter, quote, escape), names, encoding, compression = files[i]
            return ("dialect", "%s", delimiter, quote or "none", escape or "none", str(names), encoding, compression)

        answers = self.read_all([file[0] for file in files], arguments)
        accepted = 0
        for file, (problem, lines) in zip(files, answers):
            expected = None if file[1] is None else read_with_python(file[1], file[2], file[3])
            if expected == "unclear":
                continue
            if expected is None:
                self.assertIsNotNone(problem, file)
            else:
                self.assertEqual((problem, lines), (None, expected), file)
                accepted += 1
        return accepted

    def test_valid_files(self):
        files = []
        for _ in range(VALID_FILES):
            text, dialect, names = self.draw_file()
            files.append((text.encode(), text, dialect, names, "utf-8", "none"))
        self.assertGreater(self.compare(files), VALID_FILES * 0.9)

    def test_broken_files(self):
        files = []
        for _ in range(BROKEN_FILES):
            text, dialect, names = self.draw_file()
            content = self.mutate(text.encode(), SPECIAL)
            try:
                text = content.decode()
            except UnicodeDecodeError:
                text = None
            files.append((content, text, dialect, names, "utf-8", "none"))
        accepted = self.compare(files)
        self.assertGreater(accepted, BROKEN_FILES / 10)
        self.assertLess(accepted, BROKEN_FILES * 9 / 10)

    def test_encodings(self):
        """Texts in each encoding, and with a byte changed: what the codec refuses, we refuse."""
        files = []
        while len(files) < ENCODED_FILES:
            name, codec = self.random.choice(list(ENCODINGS.items()))
            text, dialect, names = self.draw_file()
            try:
                content = text.encode(codec)
            except UnicodeEncodeError:
                continue
            if self.random.random() < 0.5:
                content = self.mutate(content, (b"\x00", b"\x81", b"\xd8", b"\xdc", b"\x80", b"\xe9", b"\n"))
                marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
                try:
                    text = content.decode(codec) if name != "utf-16" or marked or not content else None
                except UnicodeDecodeError:
                    text = None
            files.append((content, text, dialect, names, name, "none"))
        accepted = self.compare(files)
        self.assertGreater(accepted, ENCODED_FILES / 4)

    def pack_all(self, texts):
        """The texts as gzip, in one member or several, and as zstd, if there is the program."""
        draw = self.random
        for text in texts:
            at = draw.randrange(len(text) + 1)
            yield "gzip", gzip.compress(text, draw.choice((1, 9)))
            yield "gzip", gzip.compress(text[:at]) + gzip.compress(text[at:])
            if shutil.which("zstd"):
                pack = ["zstd", "-q", "-c", draw.choice(("-1", "-19", "--no-check"))]
                parts = (text[:at], text[at:]) if draw.random() < 0.5 else (text,)
                runs = [subprocess.run(pack, input=part, capture_output=True, check=True) for part in parts]
                yield "zstd", b"".join(run.stdout for run in runs)

    def test_compression(self):
        dialect = (",", '"', None)
        texts = []
        for i in range(PACKED_FILES // 3):
            text = self.write(self.draw_rows(), dialect)
            # Larger than all buffers, for a few.
            body = text[text.index("\n") + 1 :]
            texts.append((text + body * (20_000 if i % 40 == 0 else 0)).encode())
        packed = [(kind, content, text) for text in texts for kind, content in self.pack_all([text])]
        whole = [(content, text.decode(), dialect, 0, "utf-8", kind) for kind, content, text in packed]
        self.assertEqual(self.compare(whole), len(whole))
        broken = []
        for kind, content, _ in packed:
            # Both formats need the last bytes of a file; further in front, a member or a frame may end.
            cut = content[: -self.random.randint(1, 3)]
            changed = self.random.choice((cut, content + b"\0", content + b"x,y\n", content[1:]))
            broken.append((changed, None, dialect, 0, "utf-8", kind))
        self.assertEqual(self.compare(broken), 0)

    def test_large_expansion(self):
        """What zstd packs too well is refused, and gzip cannot pack that well."""
        if not shutil.which("zstd"):
            self.skipTest("there is no program zstd")
        text = b"a\n" + (b"1" * 999 + b"\n") * 84_000
        run = subprocess.run(["zstd", "-q", "-c", "-19"], input=text, capture_output=True, check=True)
        path = self.folder / "bomb"
        path.write_bytes(run.stdout)
        jobs = ["dialect", str(path), ",", '"', "none", "0", "utf-8", "zstd", str(1 << 20), "1"]
        (problem, lines), = self.run_jobs(jobs)
        self.assertEqual((problem, lines), ("holds more than 1100 times its size", []))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
