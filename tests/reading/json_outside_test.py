"""Our JSON reader against Python's: json_outside_test.py DUMP_RECORDS.

Valid files come from json.dumps and from a writer of our own that spaces and escapes at random; broken ones
differ from them in one byte. We must read exactly the files that Python's json reads record by record, and
find the same in them, with these exceptions, which lastbit/sources/json_file.h and json_text.h state:
  - a key that comes twice in a record is refused; Python takes the last;
  - NaN and Infinity are refused;
  - the escape of half a surrogate pair without the other half is refused;
  - more than 500 objects and arrays in one another are refused.
"""

import json
import sys
import unittest

from reading_case import ReadingCase

VALID_FILES = 2000
BROKEN_FILES = 5000
DEEPEST = 500
# What goes down into values here calls itself twice a level.
sys.setrecursionlimit(10 * DEEPEST)
SPACES = ("", "", "", " ", "\t", "\r", "  \r")
TEXTS = ("", "a", "b", "é", "漢", "😀", '"', "\\", "\\n", "\n", "\0", "\x7f", "\u2028", "\ufeff", "{", "}")
TEXTS += ("[", "]", ",", ":", '","', '"}', "]}", "null", "/", "\ud7ff", "\ue000", "\U0010ffff", "longer than a word")
NUMBERS = ("0", "-0", "1", "-12", "0.5", "1e5", "1E+2", "-0.0e-0", "123456789012345678901234567890", "1e999")
WRONG_VALUES = ("NaN", "-Infinity", "01", "+1", "1.", ".5", "1e", "-", "True", "nul", "'a'", '"\t"', '"\\x"', '"\\u12"')
WRONG_VALUES += ('"\\ud800"', '"\\udc00\\ud800"', '"\\ud800\\ud800\\udc00"', "[1,]", '{"a":}', '{"a":1,}')
WRONG_VALUES += ("[", "", "{1:2}")
SPECIAL = [byte.encode() for byte in '"\\{}[],: \n\r\t0-1.eEuntf/'] + [b"\0", b"\xff", b"\xc3", b"\xef\xbb\xbf"]
SPECIAL += [rb"\ud800", rb"\udc00", rb"\u0041", b'"a":1,', b"{}", b"null", b"[1]"]


class Members(list):
    """An object: all its keys and values, also of keys that come twice."""


def refuse_constant(name):
    raise ValueError(name)


DECODER = json.JSONDecoder(object_pairs_hook=Members, parse_constant=refuse_constant, parse_int=str, parse_float=str)


def has_half_pair(value):
    if isinstance(value, str):
        return any("\ud800" <= c <= "\udfff" for c in value)
    return isinstance(value, (list, tuple)) and any(map(has_half_pair, value))


def depth_of(value):
    if isinstance(value, Members):
        return 1 + max((depth_of(member) for _, member in value), default=0)
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


def text_of(value):
    """A field as we give it: text, or None where it is missing."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else None


def decode_records(text):
    """The records of a file; fails with a ValueError where Python refuses it or one is no object."""
    if text.lstrip(" \t\r\n").startswith("["):
        records = DECODER.decode(text)
    else:
        records = [DECODER.decode(line) for line in text.split("\n") if line.strip(" \t\r")]
    if not all(isinstance(record, Members) for record in records):
        raise ValueError("not an object")
    return records


def read_with_python(content):
    """The columns and records that we must find, or None where a file must be refused."""
    try:
        records = decode_records(content.decode().removeprefix("\ufeff"))
    except ValueError:
        return None
    for record in records:
        if len(dict(record)) < len(record) or has_half_pair(record) or depth_of(record) > DEEPEST:
            return None
    columns = [key for key, _ in records[0]] if records else []
    return [columns, *([text_of(dict(record).get(key)) for key in columns] for record in records)]


class JsonOutsideTest(ReadingCase):
    def compare(self, files):
        """Reads the files in both ways and returns how many are valid."""
        accepted = 0
        for content, (problem, lines) in zip(files, self.read_all(files, lambda _: ("json", "%s"))):
            expected = read_with_python(content)
            if expected is None:
                self.assertIsNotNone(problem, content)
            else:
                self.assertEqual((problem, lines), (None, expected), content)
                accepted += 1
        return accepted

    def draw_space(self):
        return self.random.choice(SPACES)

    def write_text(self, text):
        """A string, in which any character may be escaped."""
        draw = self.random
        out = '"'
        for c in text:
            if draw.random() < 0.2:
                units = c.encode("utf-16-be")
                for i in range(0, len(units), 2):
                    escape = f"\\u{int.from_bytes(units[i : i + 2], 'big'):04x}"
                    out += escape if draw.random() < 0.5 else "\\u" + escape[2:].upper()
            elif c == "/":
                out += "\\/"
            else:
                out += json.dumps(c, ensure_ascii=False)[1:-1]
        return out + '"'

    def draw_text(self):
        return "".join(self.random.choice(TEXTS) for _ in range(self.random.choice((0, 1, 1, 2, 4))))

    def write_value(self, depth):
        draw = self.random
        kind = draw.randrange(12 if depth < 4 else 8)
        if kind < 4:
            return self.write_text(self.draw_text())
        if kind < 6:
            return draw.choice(NUMBERS)
        if kind < 8:
            return draw.choice(("null", "true", "false"))
        count = draw.choice((0, 1, 1, 3))
        if kind < 10:
            return self.write_list("[]", [self.write_value(depth + 1) for _ in range(count)])
        return self.write_object([self.draw_text() for _ in range(count)], depth + 1)

    def write_list(self, brackets, parts):
        spaced = (self.draw_space() + part + self.draw_space() for part in parts)
        return brackets[0] + (",".join(spaced) if parts else self.draw_space()) + brackets[1]

    def write_object(self, keys, depth):
        space = self.draw_space
        members = (f"{self.write_text(key)}{space()}:{space()}{self.write_value(depth)}" for key in keys)
        return self.write_list("{}", list(members))

    def write_records(self, records):
        """Lines, or an array, around texts of records."""
        draw = self.random
        if draw.random() < 0.5:
            end = "\n" * draw.randint(0, 1)
            blank = draw.choice(("", "", "\n", " \r\n"))
            lines = (self.draw_space() + record + self.draw_space() for record in records)
            return blank + ("\n" + blank).join(lines) + end
        separator = draw.choice((",", ",\n", "\n,", " , "))
        around = draw.choice(("", " ", "\n", "\r\n"))
        return around + "[" + around + separator.join(records) + around + "]" + around

    def draw_keys(self):
        """Keys that differ: some in the order of the first record, some not, some left out, some new."""
        keys = list(dict.fromkeys(["a", "b", self.draw_text(), "é", self.draw_text(), "c"]))
        if self.random.random() < 0.5:
            self.random.shuffle(keys)
        return keys[: self.random.choice((0, 1, 2, 3, 6))]

    def draw_file(self):
        draw = self.random
        if draw.random() < 0.3:
            options = {"ensure_ascii": draw.random() < 0.5, "separators": draw.choice((None, (",", ":")))}
            values = (None, True, 1.5, 12, "text", 'q"\\', ["x", {"y": "}"}], {"n": [1]}, "é😀\n")
            rows = [{key: draw.choice(values) for key in self.draw_keys()} for _ in range(draw.randint(0, 5))]
            if draw.random() < 0.3:
                text = json.dumps(rows, indent=draw.choice((None, 1)), **options)
            else:
                text = self.write_records([json.dumps(row, **options) for row in rows])
        else:
            records = [self.write_object(self.draw_keys(), 1) for _ in range(draw.randint(0, 6))]
            text = self.write_records(records)
        mark = b"\xef\xbb\xbf" if draw.random() < 0.1 else b""
        return mark + text.encode()

    def test_valid_files(self):
        files = [self.draw_file() for _ in range(VALID_FILES)]
        self.assertEqual(self.compare(files), VALID_FILES)

    def test_broken_files(self):
        accepted = self.compare([self.mutate(self.draw_file(), SPECIAL) for _ in range(BROKEN_FILES)])
        # Both outcomes must be common, or little was tried.
        self.assertGreater(accepted, BROKEN_FILES / 10)
        self.assertLess(accepted, BROKEN_FILES * 9 / 10)

    def test_wrong_values(self):
        records = [f'{{"a":{value}}}' for value in WRONG_VALUES] + ['{"a":1,"\\u0061":2}', '{"b":1,"b":2}', "1", "null"]
        texts = [form % record for record in records for form in ("%s", '{"a":1}\n%s\n', "[%s]", '[{"a":1},%s]')]
        self.assertEqual(self.compare([text.encode() for text in texts]), 0)
        # A key may come twice deeper down.
        self.assertEqual(self.compare([b'{"a":1,"x":{"b":1,"b":2}}', b'[{"a":[{"b":1,"b":2}]}]']), 2)

    def test_depth(self):
        """The outermost object is one level, so that a value in it may have 499 of its own."""
        nested = [f'{{"a":{"[" * levels}{"]" * levels}}}'.encode() for levels in (DEEPEST - 1, DEEPEST)]
        self.assertEqual([read_with_python(text) is None for text in nested], [False, True])
        self.assertEqual(self.compare(nested + [b"[" + text + b"]" for text in nested]), 2)

    def test_all_short_files(self):
        """Every file of up to four tokens, and many of five."""
        tokens = (b"{}", b'{"a":1}', b"[", b"]", b",", b"\n", b" ")
        files, shorter = [b""], [b""]
        for _ in range(5):
            shorter = [content + token for content in shorter for token in tokens]
            files += self.random.sample(shorter, min(len(shorter), 2500))
        self.assertGreater(self.compare(files), 200)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
