"""Our CSV reader against Python's and against the grammar: csv_outside_test.py DUMP_RECORDS.

Valid files come from Python's csv.writer and from a writer of our own that mixes line ends; broken ones
differ from them in one byte. Whatever we read must be what csv.reader reads, and we must read exactly the
files that the definition in lastbit/sources/csv_file.h allows, which is a regular expression here.

Where we differ from csv.reader, on purpose:
  - a quote inside of an unquoted field and a carriage return without a line feed are refused;
  - a record with more or fewer fields than the header is refused;
  - a blank line is one empty field if there is one column; csv.reader gives it no field.
"""

import csv
import io
import re
import sys
import unittest

from reading_case import ReadingCase

VALID_FILES = 3000
BROKEN_FILES = 7000
DELIMITERS = ",;\t| a0"
PIECES = ('"', '""', ",", ";", "\t", "|", "\n", "\r", "\r\n", "\n\n", " ", "\0", "\ufeff", "é", "漢", "😀", "\x1a")
WORDS = ("a", "0", "-1.5", "a,b", 'say "so"', "two\nlines", "two\r\nlines", "'", "\\", '\\"', "\x85", "\u2028")
SPECIAL = (b'"', b'""', b",", b";", b"\t", b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"a", b" ")


def grammar(delimiter):
    """The files that are read, apart from the numbers of fields."""
    other = f'[^"\r\n{re.escape(delimiter)}]'
    field = f'(?:"(?:[^"]|"")*+"|{other}*+)'
    record = f"{field}(?:{re.escape(delimiter)}{field})*+"
    return re.compile(f"(?:{record}\r?\n)*+{record}")


GRAMMARS = {delimiter: grammar(delimiter) for delimiter in DELIMITERS}


def name_columns(header):
    names = []
    for place, name in enumerate(header):
        stem = name or f"column{place}"
        number, name = 0, stem
        while name in names:
            number += 1
            name = f"{stem}_{number}"
        names.append(name)
    return names


def read_with_python(content, delimiter):
    """The names and records that we must find, or None where a file must be refused."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    text = text.removeprefix("\ufeff")
    if not text or not GRAMMARS[delimiter].fullmatch(text):
        return None
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    # A file that starts with a blank line has one column without a name.
    names = name_columns(rows[0] or [""])
    records = [row or [""] for row in rows[1:] if row or len(names) == 1]
    return [names, *records] if all(len(row) == len(names) for row in records) else None


class CsvOutsideTest(ReadingCase):
    def compare(self, files, delimiters):
        """Reads the files in both ways and returns how many are valid."""
        answers = self.read_all(files, lambda i: ("csv", "%s", delimiters[i]))
        accepted = 0
        for content, delimiter, (problem, lines) in zip(files, delimiters, answers):
            expected = read_with_python(content, delimiter)
            if expected is None:
                self.assertIsNotNone(problem, (content, delimiter))
            else:
                self.assertEqual((problem, lines), (None, expected), (content, delimiter))
                accepted += 1
        return accepted

    def draw_field(self):
        draw = self.random
        if draw.random() < 0.3:
            return ""
        return "".join(draw.choice(PIECES if draw.random() < 0.5 else WORDS) for _ in range(draw.randint(1, 3)))

    def draw_rows(self):
        columns = self.random.choice((1, 1, 2, 2, 3, 7))
        return [[self.draw_field() for _ in range(columns)] for _ in range(self.random.choice((1, 2, 3, 5, 12)))]

    def write_with_python(self, rows, delimiter):
        draw = self.random
        quoting = draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC))
        end = draw.choice(("\n", "\r\n"))
        # Where lines end with a line feed, csv.writer does not quote a field for its carriage return.
        if quoting == csv.QUOTE_MINIMAL and end == "\n":
            rows = [[field.replace("\r", "") for field in row] for row in rows]
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)
        return out.getvalue().removesuffix(end if draw.random() < 0.3 else ""), rows

    def write_mixed(self, rows, delimiter):
        """Quotes whatever must be, and other fields at random; each line has an end of its own."""
        draw = self.random
        text = ""
        for row in rows:
            fields = []
            for field in row:
                quote = draw.random() < 0.3 or any(c in field for c in f'"\r\n{delimiter}')
                fields.append('"' + field.replace('"', '""') + '"' if quote else field)
            # The header is the first line, blank or not.
            if text and len(row) > 1 and draw.random() < 0.2:
                text += draw.choice(("\n", "\r\n", "\n\r\n\n"))
            end = draw.choice(("\n", "\r\n"))
            text += delimiter.join(fields) + end
        # The end of the last record may be left out where a byte is before it.
        if draw.random() < 0.3 and fields != [""]:
            text = text.removesuffix(end)
        return text, rows

    def draw_file(self):
        """A valid file, its delimiter, and the rows in it."""
        draw = self.random
        delimiter = draw.choice(DELIMITERS[:4] if draw.random() < 0.9 else DELIMITERS)
        write = draw.choice((self.write_with_python, self.write_mixed))
        text, rows = write(self.draw_rows(), delimiter)
        mark = b"\xef\xbb\xbf" if draw.random() < 0.1 else b""
        return mark + text.encode(), delimiter, rows

    def test_valid_files(self):
        files, delimiters, rows = zip(*(self.draw_file() for _ in range(VALID_FILES)))
        self.assertEqual(self.compare(files, delimiters), VALID_FILES)
        # The writer's word, beside that of csv.reader. A text that starts with U+FEFF has it as its mark.
        for content, delimiter, written in zip(files, delimiters, rows):
            if not content.decode().startswith("\ufeff"):
                self.assertEqual(read_with_python(content, delimiter), [name_columns(written[0]), *written[1:]])

    def test_broken_files(self):
        files, delimiters = [], []
        for _ in range(BROKEN_FILES):
            content, delimiter, _ = self.draw_file()
            files.append(self.mutate(content, SPECIAL))
            delimiters.append(delimiter)
        accepted = self.compare(files, delimiters)
        # Both outcomes must be common, or little was tried.
        self.assertGreater(accepted, BROKEN_FILES / 10)
        self.assertLess(accepted, BROKEN_FILES * 9 / 10)

    def test_all_short_files(self):
        """Every file of up to five of the bytes that matter."""
        files = [b""]
        shorter = [b""]
        for _ in range(5):
            shorter = [content + byte for content in shorter for byte in (b'"', b",", b"\n", b"\r", b"a")]
            files += shorter
        self.assertGreater(self.compare(files, "," * len(files)), 500)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
