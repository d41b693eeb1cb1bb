"""Neighbouring files through the whole engine: neighbours_test.py EXACT_ANSWERS PACKAGES.

A random table is written in every format, and once more with one more record, mostly a hostile one, at a random
place. For each pair:
  - the exact answers differ by no more than the plan claims: in at most `groups_changed` groups, and there in each
    entry by at most its bound; by nothing where the record is nobody's, and by twice as much where it is of a unit
    that is there already, since then both files are neighbours of the one without the unit;
  - the number of rows, or of units, is the true one, so that no record is lost or made of another's bytes;
  - where the record's unit is new, the difference is the one that the record makes in a file of two records: what is
    read from a record does not depend on the company that it is in.

DuckDB's files are written with DuckDB for Python (and pyarrow), Parquet files with it and with pyarrow alone, from
PyPI; where these are missing, their formats are left out. LASTBIT_READING_ROUNDS multiplies the number of pairs.
"""

import decimal
import gzip
import importlib
import importlib.metadata
import json
import pathlib
import re
import sys
import unittest
from fractions import Fraction

from exact_case import PYARROW, ROUNDS, ExactCase, fetch, quoted

# So many bases with so many neighbours each, for one format and round.
BASES = 6
NEIGHBOURS = 12
ALONE = 2  # every other record is also put into a file of two
LARGE_ROWS = 120_000
# Too little for the rows, and enough to spill them: with 40 two threads sometimes had no room for it.
MEMORY_MB = 48

COLUMNS = ("id", "k", "f", "n", "d", "v", "b")
KEYS = ("flu", "FLU", "Flu", "cold", "e\u0301", "é", " ", "a,b")
HOSTILE = ('"', '""', 'a"b', ",", "\n", "\r\n", "\r", "\t", ";", "a\nb,c\nd", '"\n"', '",\n"', "\0", "a\0", "a\0b", "")
HOSTILE += ("fLU", "flu ", " flu", "\ufeff", "\ufeffflu", "é", "E\u0301", "😀", "\U0010ffff", "\x1a", "\x7f", "\u2028")
HOSTILE += ("NULL", "null", "NaN", "-nan", "inf", "-Infinity", "1e309", "-1e309", "1e-400", "9" * 400, "-0", "+1", "01")
HOSTILE += ("-0.0", "70e-1", "7e-1", "1e+19")
HOSTILE += ("1.0", "0x10", "1e3", " 7\t", "9223372036854775807", "9223372036854775808", "-9223372036854775808")
HOSTILE += ("2024-05-01", "10000-01-01", "0000-01-01", "0001-01-01", "9999-12-31", "2024-02-30", "67560-05-01")
HOSTILE += ("true", "TRUE", "1", "0", "{", "}", "[", "]", '{"id":1}\n', "]}", "\\", '\\"', "\\u0000", "'", "';--", "%s")
HOSTILE += ("x" * 10_000, '"' * 10_000, "\n" * 10_000, ",x,y\n" * 2000, "é" * 5000)
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
# Days after 1970-01-01: common ones, the ends of the years 0 to 9999 and beyond, infinity in both directions.
DAYS = (19844, 19845, 0, -1, -719162, -719528, -719529, 2932896, 2932897, 23957092, -2000000, 2147483647, -2147483647)
REALS = ("nan", "inf", "-inf", "0", "-0", "1e38", "-1e38", "1e-45", "0.1", "99.99999999999999", "100", "100.00001")
DUCKDB = "1.5.6"  # the engine's version: files of a later one it might not read
TEXT_FORMS = ("csv", "crlf", "tsv", "lines", "array", "other")
TYPED_FORMS = ("duckdb", "parquet", "pyarrow")  # the last one is Parquet too
STATISTICS = (
    'kind = "count"\nby = "k"',
    'kind = "count"\nby = "n"',
    'kind = "count"\nby = ["k", "b"]',
    'kind = "count"\nby = "f"\ndiscover = { delta = 1e-7 }',
    'kind = "count"\nby = "d"\ndiscover = { delta = 1e-7 }',
    'kind = "mean"\ncolumn = "v"\nby = "f"\ndiscover = { delta = 1e-7 }',
    'kind = "count"\ncolumn = "d"',
    'kind = "sum"\ncolumn = "v"',
    'kind = "sum"\ncolumn = "n"\nby = "b"\nnulls = { impute = 3 }',
    'kind = "mean"\ncolumn = "v"\nby = "k"',
    'kind = "variance"\ncolumn = "n"\nby = "n"',
    'kind = "covariance"\ncolumns = ["v", "n"]',
    'kind = "histogram"\ncolumn = "v"\nbins = { from = 0, to = 100, width = 10 }',
    'kind = "histogram"\ncolumn = "k"\nother = true',
    'kind = "quantiles"\ncolumn = "n"\nquantiles = [0.5]\nstep = 1',
    'kind = "top"\ncolumn = "f"\nk = 2\ndiscover = { delta = 1e-7 }',
)


def zeros(aggregation):
    return [[0] * len(measure["bounds"]) for measure in aggregation["measures"]]


def groups_of(aggregation):
    """Entries by key. A number and a truth value are different keys, whatever Python thinks of them."""
    return {json.dumps(key): entries for key, entries in aggregation["groups"]}


def changes(before, after):
    """For each aggregation, by how much the entries of groups differ, of those that are not the same, new or gone."""
    all_changes = []
    for one, other in zip(before["aggregations"], after["aggregations"], strict=True):
        old, new = groups_of(one), groups_of(other)
        changed = {}
        for key in old.keys() | new.keys():
            if old.get(key) != new.get(key):
                left, right = old.get(key) or zeros(one), new.get(key) or zeros(one)
                changed[key] = [[b - a for a, b in zip(*pair, strict=True)] for pair in zip(left, right, strict=True)]
        all_changes.append(changed)
    return all_changes


def numbers_of(all_changes):
    """The changes without groups that came or went with zeros in them: whether one does depends on others."""
    return [{key: entries for key, entries in changed.items() if any(map(any, entries))} for changed in all_changes]


def integer_of(text):
    """A field of an integer column in a text file."""
    text = (text or "").strip(" \t")
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", text, re.ASCII):
        return None
    number = Fraction(text)
    return int(number) if number.denominator == 1 and -(2**63) <= number < 2**63 else None


class TextTable:
    """Random records of texts, as CSV, TSV or JSON; or "other": CSV without a header, in other quotes, with escapes,
    in UTF-16 and compressed."""

    def __init__(self, draw, form):
        self.draw = draw
        self.form = form
        self.id_type = draw.choice(("text", "text", "integer"))
        # As a format may be told: between records, and after the last one or not.
        self.last_end = draw.random() < 0.7
        self.rows = [self.record(0.2) for _ in range(draw.choice((1, 2, 10, 40)))]

    def record(self, hostile):
        """One text, or None, for each column."""
        draw = self.draw
        plain = {
            "id": str(draw.randrange(12)),
            "k": draw.choice(KEYS),
            "f": draw.choice(KEYS),
            "n": str(draw.randint(-2, 12)),
            "d": f"2024-05-0{draw.randint(1, 4)}",
            "v": str(round(draw.uniform(-5, 105), draw.choice((0, 2, 15)))),
            "b": draw.choice(("true", "false")),
        }
        for column in COLUMNS:
            if draw.random() < hostile:
                plain[column] = None if draw.random() < 0.1 else draw.choice(HOSTILE)
        return plain

    def new_record(self):
        return self.record(self.draw.choice((0.2, 0.5, 1)))

    def unit_of(self, record):
        return integer_of(record["id"]) if self.id_type == "integer" else record["id"]

    def column_lines(self):
        return [
            f'id = {{ type = "{self.id_type}" }}',
            f"k = {{ keys = [{', '.join(map(quoted, KEYS))}] }}",
            'n = { type = "integer", lower = 0, upper = 9, keys = { from = 0, to = 4 } }',
            'd = { type = "date" }',
            'v = { type = "real", lower = 0, upper = 100 }',
            'b = { type = "boolean" }',
        ]

    def source(self, path):
        if self.form != "other":
            return quoted(path.name)
        keys = 'quote = "\'", escape = "\\\\", encoding = "utf-16", delimiter = ";"'
        return f"{{ path = {quoted(path.name)}, names = {json.dumps(COLUMNS)}, {keys} }}"

    def suffix(self):
        return {"other": "csv.gz", "crlf": "csv", "lines": "json", "array": "json"}.get(self.form, self.form)

    def field(self, text):
        draw = self.draw
        delimiter = "\t" if self.form == "tsv" else ","
        if text is None:
            return ""
        if self.form == "other":
            return self.other_field(text)
        if text == "" or any(c in text for c in f'"\r\n{delimiter}') or draw.random() < 0.2:
            return '"' + text.replace('"', '""') + '"'
        return text

    def other_field(self, text):
        draw = self.draw
        if text == "" or draw.random() < 0.3:
            quote = draw.choice(("''", "\\'"))
            return "'" + text.replace("\\", "\\\\").replace("'", quote) + "'"
        # A record starts with no byte order mark.
        special = "';\\\r\n\ufeff"
        return "".join("\\" + c if c in special or draw.random() < 0.05 else c for c in text)

    def object(self, record, first):
        draw = self.draw
        members = []
        for column in draw.sample(COLUMNS, len(COLUMNS)):
            text = record[column]
            if text is None:
                if first or draw.random() < 0.5:
                    members.append((column, draw.choice(("null", "[]", '[{"id":"}"}]', '{"n":1}'))))
            elif text in ("true", "false") or (NUMBER.fullmatch(text) and draw.random() < 0.5):
                members.append((column, text))
            else:
                members.append((column, json.dumps(text, ensure_ascii=draw.random() < 0.5)))
        if draw.random() < 0.1:
            members.append(("more", '"\\n"'))
        colon = draw.choice((":", " : "))
        return "{" + ", ".join(f'"{column}"{colon}{value}' for column, value in members) + "}"

    def encode(self, record, first):
        """The bytes of a record. Those of the first one in JSON name the columns, so that it has all of them."""
        if self.form in ("lines", "array"):
            return self.object(record, first)
        return self.delimiter().join(self.field(record[column]) for column in COLUMNS)

    def delimiter(self):
        return {"tsv": "\t", "other": ";"}.get(self.form, ",")

    def write_all(self, stem, new):
        """Files: the base; its first record; for each new record the base with it somewhere, and the first and it."""
        texts = [self.encode(record, i == 0) for i, record in enumerate(self.rows)]
        yield self.write(f"{stem}", texts)
        yield self.write(f"{stem}first", texts[:1])
        for number, record in enumerate(new):
            text = self.encode(record, False)
            # A JSON file's first record names its columns.
            place = self.draw.randint(1 if self.suffix() == "json" else 0, len(texts))
            yield self.write(f"{stem}with{number}", [*texts[:place], text, *texts[place:]])
            if number % ALONE == 0:
                yield self.write(f"{stem}alone{number}", [texts[0], text])

    def write(self, stem, texts):
        path = stem + "." + self.suffix()
        if self.form == "array":
            text = "[" + ",\n".join(texts) + "]"
        else:
            end = "\r\n" if self.form == "crlf" else "\n"
            header = [] if self.form in ("lines", "other") else [self.delimiter().join(COLUMNS)]
            text = end.join(header + texts) + (end if self.last_end else "")
        content = gzip.compress(text.encode("utf-16"), 1) if self.form == "other" else text.encode()
        pathlib.Path(path).write_bytes(content)
        return pathlib.Path(path)


class TypedTable:
    """Random records of texts that mean values of SQL's types; dates are days after 1970-01-01."""

    IDS = ("VARCHAR", "VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOACCENT")
    IDS += ("BIGINT", "UBIGINT", "HUGEINT", "DECIMAL(38,0)")
    TEXTS = ("VARCHAR", "VARCHAR", "VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOCASE.NOACCENT")
    NUMBERS = ("INTEGER", "BIGINT", "UINTEGER", "UBIGINT", "HUGEINT", "DECIMAL(20,0)", "TINYINT")
    REALS = ("DOUBLE", "FLOAT", "DECIMAL(18,4)", "DECIMAL(38,20)")

    def __init__(self, draw, form):
        self.draw = draw
        self.form = form
        self.types = {
            "id": draw.choice(self.IDS),
            "k": draw.choice(self.TEXTS),
            "f": draw.choice(self.TEXTS),
            "n": draw.choice(self.NUMBERS),
            "d": "DATE",
            "v": draw.choice(self.REALS),
            "b": "BOOLEAN",
        }
        # Parquet has no such type: DuckDB would write doubles, and pyarrow has decimals.
        if form != "duckdb" and "HUGEINT" in self.types.values():
            self.types = {c: "DECIMAL(38,0)" if t == "HUGEINT" else t for c, t in self.types.items()}
        self.rows = [self.record(0.2) for _ in range(draw.choice((1, 2, 10, 40)))]

    def record(self, hostile):
        draw = self.draw
        return {
            column: None if draw.random() < 0.1 else self.value(type_name, draw.random() < hostile)
            for column, type_name in self.types.items()
        }

    def new_record(self):
        return self.record(self.draw.choice((0.2, 0.5, 1)))

    def value(self, type_name, hostile):
        draw = self.draw
        if type_name.startswith("VARCHAR"):
            return draw.choice(HOSTILE if hostile else KEYS)
        if type_name == "DATE":
            return str(draw.choice(DAYS) if hostile else 19844 + draw.randrange(4))
        if type_name == "BOOLEAN":
            return draw.choice(("true", "false"))
        if type_name in ("DOUBLE", "FLOAT"):
            return draw.choice(REALS) if hostile else repr(draw.uniform(-5, 105))
        if type_name in ("DECIMAL(18,4)", "DECIMAL(38,20)"):
            most = "9" * (14 if type_name == "DECIMAL(18,4)" else 18)
            corners = (most + ".9999", f"-{most}.9999", "0.0001", "100")
            return draw.choice(corners) if hostile else f"{draw.uniform(-5, 105):.4f}"
        low, high = self.range_of(type_name)
        return str(draw.choice((low, high, high - 1, low + 1)) if hostile else draw.randint(max(low, -2), 12))

    @staticmethod
    def range_of(type_name):
        if type_name.startswith("DECIMAL"):
            digits = int(type_name[8:].split(",")[0])
            return 1 - 10**digits, 10**digits - 1
        bits = {"TINYINT": 8, "INTEGER": 32, "UINTEGER": 32, "HUGEINT": 128}.get(type_name, 64)
        if type_name.startswith("U"):
            return 0, 2**bits - 1
        # DuckDB has no smallest number of 128 bits.
        return -(2 ** (bits - 1)) + (bits == 128), 2 ** (bits - 1) - 1

    def unit_of(self, record):
        if record["id"] is None or self.types["id"].startswith("VARCHAR"):
            return record["id"]
        return int(record["id"])

    def column_lines(self):
        # Decimals without decimals are keys if they are declared to be integers.
        integer = 'type = "integer", ' if self.types["n"].startswith("DECIMAL") else ""
        return [
            f"k = {{ keys = [{', '.join(map(quoted, KEYS))}] }}",
            f"n = {{ {integer}lower = 0, upper = 9, keys = {{ from = 0, to = 4 }} }}",
            "v = { lower = 0, upper = 100 }",
            'b = { type = "boolean" }',
        ]

    def source(self, path):
        if self.form == "duckdb":
            return f'{{ path = {quoted(path.name)}, table = "t" }}'
        return quoted(path.name)

    def write_all(self, stem, new):
        yield self.write(f"{stem}", self.rows)
        yield self.write(f"{stem}first", self.rows[:1])
        for number, record in enumerate(new):
            place = self.draw.randint(0, len(self.rows))
            yield self.write(f"{stem}with{number}", [*self.rows[:place], record, *self.rows[place:]])
            if number % ALONE == 0:
                yield self.write(f"{stem}alone{number}", [self.rows[0], record])

    def write(self, stem, rows):
        if self.form == "pyarrow":
            return self.write_with_pyarrow(stem, rows)
        path = pathlib.Path(f"{stem}.{self.form}")
        engine = fetch("duckdb", DUCKDB, exactly=True).connect()
        pa = fetch("pyarrow", PYARROW)
        # Binding lists of many texts would take minutes.
        texts = {column: pa.array([record[column] for record in rows], pa.string()) for column in COLUMNS}
        engine.register("s", pa.table(texts | {"i": pa.array(range(len(rows)), pa.int32())}))
        casts = []
        for column, type_name in self.types.items():
            cast = f"CAST({column} AS {type_name.split(' ')[0]})"
            if type_name == "DATE":
                days = f"DATE '1970-01-01' + CAST({column} AS INTEGER)"
                ends = "WHEN '2147483647' THEN 'infinity'::DATE WHEN '-2147483647' THEN '-infinity'::DATE"
                cast = f"CASE {column} {ends} ELSE {days} END"
            casts.append(f"{cast} AS {column}")
        select = f"SELECT {', '.join(casts)} FROM s ORDER BY i"
        if self.form == "duckdb":
            # Small blocks make small files.
            engine.execute(f"ATTACH '{path}' AS file (BLOCK_SIZE 16384)")
            engine.execute(f"CREATE TABLE file.t({', '.join(f'{c} {t}' for c, t in self.types.items())})")
            engine.execute(f"INSERT INTO file.t {select}")
            engine.execute("DETACH file")
        else:
            engine.execute(f"COPY ({select}) TO '{path}' (FORMAT parquet)")
        engine.close()
        return path

    def write_with_pyarrow(self, stem, rows):
        pa = fetch("pyarrow", PYARROW)
        parquet = importlib.import_module("pyarrow.parquet")
        columns = {}
        for column, name in self.types.items():
            texts = [record[column] for record in rows]
            number = re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", "DECIMAL(38,0)" if name == "HUGEINT" else name)
            if name.startswith("VARCHAR"):
                columns[column] = pa.array(texts, pa.string())
            elif name == "DATE":
                columns[column] = pa.array([t and int(t) for t in texts], pa.int32()).cast(pa.date32())
            elif name == "BOOLEAN":
                columns[column] = pa.array([t and t == "true" for t in texts], pa.bool_())
            elif name in ("DOUBLE", "FLOAT"):
                kind = pa.float64() if name == "DOUBLE" else pa.float32()
                columns[column] = pa.array([t and float(t) for t in texts], kind)
            elif number:
                exact = pa.decimal128(int(number[1]), int(number[2]))
                columns[column] = pa.array([t and decimal.Decimal(t) for t in texts], exact)
            else:
                kinds = {"TINYINT": pa.int8(), "INTEGER": pa.int32(), "UINTEGER": pa.uint32(), "UBIGINT": pa.uint64()}
                columns[column] = pa.array([t and int(t) for t in texts], kinds.get(name, pa.int64()))
        path = pathlib.Path(f"{stem}.parquet")
        size = 5000 if len(rows) > 1000 else self.draw.choice((1, 7, 1000))
        options = {"row_group_size": size, "data_page_version": self.draw.choice(("1.0", "2.0"))}
        parquet.write_table(pa.table(columns), path, use_dictionary=self.draw.random() < 0.5, **options)
        return path


class NeighboursTest(ExactCase):
    def draw_release(self, table):
        """The unit, the statistics, and whether rows are units. The first statistic counts rows or units."""
        draw = self.random
        pool = list(draw.sample(STATISTICS, 2))
        if draw.random() < 0.4:
            return '"row"', ['kind = "count"', *pool], True
        bounds = f"max_rows_per_group = {draw.randint(1, 3)}, max_groups = {draw.randint(1, 3)}"
        if draw.random() < 0.3:
            pool[0] = 'kind = "count_units"\nby = "k"'
        return f'{{ id = "id", {bounds} }}', ['kind = "count_units"', *pool], False

    def total(self, answer):
        """What the first statistic counts: the only aggregation without groups that has such a measure first."""
        for aggregation in answer["aggregations"]:
            for place, measure in enumerate(aggregation["measures"]):
                if [key for key, _ in aggregation["groups"]] == [[]]:
                    if measure["kind"] == "units" or (measure["kind"] == "rows" and measure["field"] is None):
                        return aggregation["groups"][0][1][place][0]
        self.fail("no total")

    def check_pair(self, before, after, factor, hint):
        """Whether the answers differ by no more than `factor` units may change."""
        for one, other, changed in zip(before["aggregations"], after["aggregations"], changes(before, after)):
            self.assertEqual(one["measures"], other["measures"], hint)
            if not one["found"]:
                self.assertEqual(groups_of(one).keys(), groups_of(other).keys(), hint)
            self.assertLessEqual(len(changed), factor * one["groups_changed"], hint)
            for entries in changed.values():
                for measure, numbers in zip(one["measures"], entries):
                    self.assertLessEqual(sum(map(abs, numbers)), factor * measure["total"], hint)
                    for number, bound in zip(numbers, measure["bounds"], strict=True):
                        self.assertLessEqual(abs(number), factor * bound, hint)

    def try_form(self, form, make):
        """So many pairs of one format. Returns how many there were and how many of them said something."""
        draw = self.random
        jobs, cases = [], []
        for base in range(BASES * ROUNDS):
            table = make(draw, form)
            unit, statistics, rows_are_units = self.draw_release(table)
            new = [table.new_record() for _ in range(NEIGHBOURS)]
            seed = draw.randrange(2**32)
            for path in table.write_all(f"{self.folder}/{form}{base}-", new):
                release = self.write_release(path.name, table.source(path), unit, table.column_lines(), statistics)
                jobs.append((release, seed, draw.choice((1, 1, 2, 16))))
            cases.append((table, rows_are_units, new))
        answers = iter(self.exact_answers(jobs))
        moved = 0
        for table, rows_are_units, new in cases:
            count = lambda rows: len(rows) if rows_are_units else len({table.unit_of(row) for row in rows} - {None})
            base, first = next(answers), next(answers)
            hint = (form, vars(table))
            self.assertIn("aggregations", base, hint)
            self.assertEqual(self.total(base), count(table.rows), hint)
            for number, record in enumerate(new):
                with_it = next(answers)
                alone = next(answers) if number % ALONE == 0 else None
                hint = (form, record, base, with_it, alone, vars(table))
                self.assertIn("aggregations", with_it, hint)
                self.assertEqual(self.total(with_it), count([*table.rows, record]), hint)
                units = [table.unit_of(row) for row in table.rows]
                factor = 1
                if not rows_are_units:
                    unit = table.unit_of(record)
                    factor = 0 if unit is None else 2 if unit in units else 1
                self.check_pair(base, with_it, factor, hint)
                if factor < 2 and alone is not None:
                    self.assertEqual(numbers_of(changes(base, with_it)), numbers_of(changes(first, alone)), hint)
                moved += any(changes(base, with_it))
        for path in self.folder.iterdir():
            path.unlink()
        pairs = len(cases) * NEIGHBOURS
        # Most records must change something, or little was tried.
        self.assertGreater(moved, pairs / 2, form)
        print(f"{form}: {pairs} pairs, {moved} with different answers")

    def try_large_form(self, form, make):
        """Pairs of tables that do not fit into the memory that the engine gets."""
        draw = self.random
        spill = self.folder / "spill"
        spill.mkdir()
        table = make(draw, form)
        if make is TypedTable:
            table.types["id"] = draw.choice(("VARCHAR", "VARCHAR COLLATE NOCASE"))
        table.id_type = "text"
        some = [table.record(0) for _ in range(1000)]
        table.rows = [some[i % 1000] | {"id": f"{i * 7919 % (LARGE_ROWS // 2):0300d}"} for i in range(LARGE_ROWS)]
        new = [table.new_record() | {"id": draw.choice(HOSTILE)} for _ in range(2)]
        statistics = ['kind = "count_units"', 'kind = "count"\nby = "k"', STATISTICS[5]]
        unit = '{ id = "id", max_rows_per_group = 1, max_groups = 2 }'
        releases = []
        for path in table.write_all(f"{self.folder}/{form}-", new):
            releases.append(self.write_release(path.name, table.source(path), unit, table.column_lines(), statistics))
        base, first, *others = releases
        with_it, alone = (others[0], others[2]), others[1]
        jobs = [(base, 1, 1), (base, 1, 2, MEMORY_MB, spill), (base, 1, 2, MEMORY_MB), (first, 1, 1), (alone, 1, 1)]
        jobs += [(release, 1, *limits) for release in with_it for limits in ((16,), (1, MEMORY_MB, spill))]
        whole, spilled, stopped, first, alone, *neighbours = self.exact_answers(jobs)
        self.assertEqual(whole, spilled, form)
        # Without a folder to write to it must stop, or the table was too small to try anything.
        self.assertEqual(stopped.get("code"), "bad input", (form, stopped))
        self.assertEqual(self.total(whole), LARGE_ROWS // 2, form)
        for number, answer in enumerate(neighbours):
            hint = (form, new[number // 2], answer.get("error"))
            self.assertIn("aggregations", answer, hint)
            self.assertEqual(self.total(answer), LARGE_ROWS // 2 + 1, hint)
            self.check_pair(whole, answer, 1, hint)
        for answer in neighbours[:2]:
            self.assertEqual(numbers_of(changes(whole, answer)), numbers_of(changes(first, alone)), form)
        self.assertEqual(list(spill.iterdir()), [], form)
        spill.rmdir()
        for path in self.folder.iterdir():
            path.unlink()

    def forms(self):
        """The formats that can be written here, and what writes them."""
        yield from ((form, TextTable) for form in TEXT_FORMS)
        if fetch("pyarrow", PYARROW):
            with_duckdb = fetch("duckdb", DUCKDB, exactly=True)
            yield from ((form, TypedTable) for form in TYPED_FORMS if with_duckdb or form == "pyarrow")

    def test_pairs(self):
        for form, make in self.forms():
            with self.subTest(form=form):
                self.try_form(form, make)

    def test_pairs_of_large_tables(self):
        for form, make in self.forms():
            # One of each reader that is not small: our own, and the two of the engine.
            if form in ("csv", "duckdb", "pyarrow"):
                with self.subTest(form=form):
                    self.try_large_form(form, make)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
