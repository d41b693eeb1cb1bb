"""Parquet files that we did not write, through the whole engine: parquet_outside_test.py EXACT_ANSWERS PACKAGES.

pyarrow, from PyPI, writes files of all types that a release can use, in every layout that it knows. What the engine
counts and adds up must be what Python's whole numbers and fractions say. Columns of other types are refused by name
where they are used, and do no harm where not; encrypted files are refused.

Then honest files are changed so that they lie, in one or a few integers each: about smallest and largest values,
missing values, row counts, page counts, sizes and places. Such a file must be refused, or give the answers of the
honest one. A lie about values must not even be noticed. Where a page's header alone says how many values its body
has, and the sum stays right, the file is another one and no lie: only the number of rows must stay.

Ends with 77, which ctest calls skipped, where pyarrow is neither installed nor to be had.
LASTBIT_READING_ROUNDS multiplies the layouts and the lies that are tried.
"""

import collections
import datetime
import decimal
import functools
import itertools
import math
import struct
import sys
import unittest
from fractions import Fraction

from exact_case import PYARROW, ROUNDS, ExactCase, fetch, quoted
from parquet_forgery import OTHER_FILE, Forgery, count_lies, layout_lies, value_lies

EPOCH = datetime.date(1970, 1, 1)
LOWER, UPPER = -100, 1000
TEXTS = ("", "a", "A", "é", "e\u0301", "漢", "😀", "a\0b", "\0", " a", "a ", '"', "\n", "NaN", "null", "long " * 300)
# Year 1, the last day of year 9999, the ends of what counts, and days beyond them.
DAYS = (19844, 19845, 0, -1, -719162, 2932896, -719528, -719529, 2932897, 2**31 - 1, -(2**31) + 1)
REALS = (0.0, -0.0, 1.5, 0.1, -99.75, 1000.0, math.inf, -math.inf, math.nan, 5e-324, 1.7e308, 2**-40)
ROWS = 5003


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


pa = fetch("pyarrow", PYARROW)
if pa is None:
    skip("there is no pyarrow")
pq = __import__("pyarrow.parquet").parquet
# A column of decimals that the release declares to hold integers, which have 64 bits.
DECLARED_INTEGER = "dec20_0"


def column_types():
    types = {f"i{bits}": getattr(pa, f"int{bits}")() for bits in (8, 16, 32, 64)}
    types |= {f"u{bits}": getattr(pa, f"uint{bits}")() for bits in (8, 16, 32, 64)}
    types |= {"f32": pa.float32(), "f64": pa.float64()}
    for width, scale in ((5, 0), (9, 2), (12, 0), (18, 6), (20, 0), (20, 3), (38, 0), (38, 10), (38, 37)):
        types[f"dec{width}_{scale}"] = pa.decimal128(width, scale)
    types |= {"flag": pa.bool_(), "day": pa.date32(), "text": pa.string(), "large": pa.large_string()}
    return types | {"dict": pa.dictionary(pa.int8(), pa.string()), "must": pa.int64(), "must_text": pa.string()}


def is_wide(name):
    """Whether a column's whole numbers can be listed as keys and not found."""
    return name == "u64" or name == DECLARED_INTEGER


def as_declared(row):
    """A row as the release declares it."""
    number = row[DECLARED_INTEGER]
    fits = number is not None and -(2**63) <= number < 2**63
    return row | {DECLARED_INTEGER: number if fits else None}


def is_number(name):
    return name[0] in "iu" or name in ("f32", "f64", "must") or name.startswith("dec")


def number_of(value):
    """A field of a column of numbers: a rational, an infinity, or None."""
    if isinstance(value, decimal.Decimal) and value.as_tuple().exponent < 0:
        return Fraction(float(Fraction(value)))  # the nearest double, ties to even
    if isinstance(value, float):
        return None if math.isnan(value) else value if math.isinf(value) else Fraction(value)
    return None if value is None else Fraction(value)


def key_of(value):
    """A field of a column of keys, as exact_answers prints it; dates are days here."""
    if isinstance(value, tuple):
        in_range = -719528 <= value[0] <= 2932896
        if not in_range:
            return None
        if value[0] < -719162:
            return "0000" + (datetime.date(4, 1, 1) + datetime.timedelta(value[0] + 719528)).isoformat()[4:]
        return (EPOCH + datetime.timedelta(value[0])).isoformat()
    return int(value) if isinstance(value, decimal.Decimal) else value


@functools.lru_cache(maxsize=None)
def steps_of(value, grid, offset):
    number = number_of(value)
    if number is None:
        return None
    clamped = Fraction(min(max(number, LOWER), UPPER))
    return math.floor(clamped / Fraction(2) ** grid + Fraction(1, 2)) - offset


def expected_entries(measure, rows, unit):
    if measure["kind"] == "units":
        return [len(rows) if unit is None else len({row[unit] for row in rows})]
    if measure["kind"] == "rows":
        return [sum(measure["field"] is None or key_of(row[measure["field"]]) is not None for row in rows)]
    steps = [steps_of(row[measure["field"]], measure["grid"], measure["offset"]) for row in rows]
    steps = [step for step in steps if step is not None]
    return [len(steps), sum(steps), sum(step * step for step in steps)][: 2 + (measure["kind"] == "squares")]


def rows_of(answer):
    """How many rows there are, where they are units; the required column has a value in each of them."""
    for aggregation in answer.get("aggregations", []):
        for measure, entries in zip(aggregation["measures"], aggregation["groups"][0][1]):
            if measure.get("field") == "m":
                return entries[0]
    return None


class ParquetOutsideTest(ExactCase):
    def draw_value(self, name, kind):
        """A value, mostly an extreme one; a day as a tuple, since Python knows no dates beyond year 9999."""
        draw = self.random
        if not name.startswith("must") and draw.random() < 0.1:
            return None
        if name == "flag":
            return draw.random() < 0.5
        if name == "day":
            return (draw.choice(DAYS),)
        if name in ("text", "large", "dict", "must_text"):
            return draw.choice(TEXTS)
        if name in ("f32", "f64"):
            value = draw.choice(REALS) if draw.random() < 0.5 else draw.uniform(-150, 1200)
            if name == "f32" and 1e38 < abs(value) < math.inf:
                value = 1e38
            return value if name == "f64" else struct.unpack("f", struct.pack("f", value))[0]
        if name.startswith("dec"):
            most = 10**kind.precision - 1
            digits = draw.choice((most, -most, most - 1, 0, 1, -1, draw.randint(-2000, 2000) * 10**kind.scale // 7))
            return decimal.Decimal((digits < 0, tuple(map(int, str(min(abs(digits), most)))), -kind.scale))
        bits = int(name[1:]) if name != "must" else 64
        low, high = (0, 2**bits - 1) if name[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        return draw.choice((low, high, low + 1, high - 1, max(-3, low), 0, 1, 2, 77))

    def draw_rows(self, count):
        return [{name: self.draw_value(name, kind) for name, kind in column_types().items()} for _ in range(count)]

    def table_of(self, rows):
        fields, arrays = [], []
        for name, kind in column_types().items():
            values = [row[name] for row in rows]
            if name == "day":
                array = pa.array([value and value[0] for value in values], pa.int32()).cast(kind)
            elif name == "dict":
                array = pa.array(values, pa.string()).dictionary_encode().cast(kind)
            else:
                array = pa.array(values, kind)
            fields.append(pa.field(name, kind, nullable=not name.startswith("must")))
            arrays.append(array)
        return pa.table(arrays, schema=pa.schema(fields))

    def release_of(self, path, unit=None):
        """Sums and counts of all columns; in groups of every kind."""
        columns = ['flag = { type = "boolean" }']
        statistics = ['kind = "count"', 'kind = "sum"\ncolumn = "f64"\nby = "flag"']
        for name in column_types():
            if is_number(name):
                keys = ", keys = [-3, 0, 1, 77]" if is_wide(name) else ""
                integer = 'type = "integer", ' if name == DECLARED_INTEGER else ""
                columns.append(f"{name} = {{ {integer}lower = {LOWER}, upper = {UPPER}{keys} }}")
                statistics.append(f'kind = "{self.random.choice(("sum", "variance"))}"\ncolumn = "{name}"')
            else:
                statistics.append(f'kind = "count"\ncolumn = "{name}"')
            if is_wide(name):
                statistics.append(f'kind = "count"\nby = "{name}"')
            elif not is_number(name) or name[0] in "ium" or name in ("dec5_0", "dec12_0"):
                found = "" if name == "flag" else "\ndiscover = { delta = 1e-7 }"
                statistics.append(f'kind = "count"\nby = "{name}"{found}')
        units = '"row"'
        if unit is not None:
            # Bounds that nobody reaches.
            units = f'{{ id = "{unit}", max_rows_per_group = 1_000_000, max_groups = 1000 }}'
            statistics = self.random.sample(statistics, 8)
            statistics += ['kind = "count_units"', 'kind = "count_units"\nby = "flag"']
        return self.write_release(f"{path.name}-{unit}", quoted(path.name), units, columns, statistics)

    def check_answer(self, answer, rows, times, unit, hint):
        """Whether the answer is that of the rows, each of which comes so many times."""
        self.assertIn("aggregations", answer, (hint, answer.get("error")))
        rows = [as_declared(row) for row in rows]
        if unit is not None:
            rows = [row for row in rows if key_of(row[unit]) is not None]
        for aggregation in answer["aggregations"]:
            groups = collections.defaultdict(list)
            for row in rows:
                key = tuple(key_of(row[name]) for name in aggregation["by"])
                if None not in key:
                    groups[key].append(row)
            got = {tuple(key): entries for key, entries in aggregation["groups"]}
            self.assertEqual(len(got), len(aggregation["groups"]), hint)
            if aggregation["found"]:
                self.assertEqual(got.keys(), groups.keys(), (hint, aggregation["by"]))
            for key, entries in got.items():
                for measure, numbers in zip(aggregation["measures"], entries, strict=True):
                    factor = 1 if measure["kind"] == "units" and unit is not None else times
                    expected = [factor * number for number in expected_entries(measure, groups.get(key, []), unit)]
                    self.assertEqual(numbers, expected, (hint, aggregation["by"], key, measure))

    def layouts(self):
        codecs = ("none", "snappy", "gzip", "brotli", "lz4", "zstd")
        sizes = itertools.cycle((2047, 2048, 2049))
        for number, codec in enumerate(codecs * ROUNDS):
            yield {
                "compression": codec,
                "row_group_size": next(sizes),
                "data_page_version": ("1.0", "2.0")[number % 2],
                "use_dictionary": number % 4 < 2,
                "data_page_size": self.random.choice((64, 1000, 2**20)),
                "write_batch_size": self.random.choice((1, 50, 1024)),
                "version": self.random.choice(("1.0", "2.4", "2.6")),
                "store_decimal_as_integer": number % 3 == 0,
                "write_page_index": self.random.random() < 0.5,
            }
        encodings = {name: "DELTA_BINARY_PACKED" for name in column_types() if name[0] in "iu" or name == "must"}
        encodings |= {"text": "DELTA_BYTE_ARRAY", "large": "DELTA_LENGTH_BYTE_ARRAY", "f32": "BYTE_STREAM_SPLIT"}
        encodings |= {"f64": "BYTE_STREAM_SPLIT", "flag": "RLE", "dict": "PLAIN"}
        for version in ("1.0", "2.0"):
            options = {"use_dictionary": False, "row_group_size": 2048, "compression": "none"}
            yield options | {"column_encoding": encodings, "data_page_version": version}

    def test_types_and_layouts(self):
        rows = self.draw_rows(ROWS)
        few = rows[:100]
        table = self.table_of(rows)
        small, large = table.slice(0, len(few)), pa.concat_tables([table] * 25)
        files = [(table, rows, 1, options) for options in self.layouts()]
        files += [(small, few, 1, {"row_group_size": 1, "data_page_version": version}) for version in ("1.0", "2.0")]
        files += [(large, rows, 25, {"row_group_size": size, "write_page_index": True}) for size in (122_880, 122_881)]
        jobs, cases = [], []
        for number, (table, rows, times, options) in enumerate(files):
            path = self.folder / f"{number}.parquet"
            pq.write_table(table, path, **options)
            ids = ("u64", "dec38_0", "text", "day", "i64", "dict", "dec12_0", "large", "i8")
            for unit in (None, ids[number % len(ids)]):
                jobs.append((self.release_of(path, unit), number, self.random.choice((1, 2, 16))))
                cases.append((rows, times, unit, (options, unit)))
        for answer, case in zip(self.exact_answers(jobs), cases, strict=True):
            self.check_answer(answer, *case)
        print(f"{len(files)} files of {len(column_types())} types, {len(jobs)} releases")

    def test_other_types(self):
        """Refused by name if they cannot be used, ignored if they are not."""
        others = {
            "list": pa.array([[1], None, []], pa.list_(pa.int64())),
            "struct": pa.array([{"a": 1}, None, {"a": 2}]),
            "map": pa.array([[("a", 1)], None, []], pa.map_(pa.string(), pa.int64())),
            "timestamp": pa.array([1, None, 2], pa.timestamp("us")),
            "nanoseconds": pa.array([1, None, 2], pa.timestamp("ns")),
            "zoned": pa.array([1, None, 2], pa.timestamp("ms", tz="Europe/Rome")),
            "time": pa.array([1, None, 2], pa.time64("us")),
            "binary": pa.array([b"a", None, b""], pa.binary()),
            "fixed": pa.array([b"ab", None, b"cd"], pa.binary(2)),
            "wide": pa.array([decimal.Decimal(1), None, decimal.Decimal(2)], pa.decimal256(50, 2)),
        }
        jobs = []
        for name, array in others.items():
            path = self.folder / f"{name}.parquet"
            pq.write_table(pa.table({name: array, "n": [1, 2, 3]}), path)
            uses = (f'column = "{name}"', f'by = "{name}"\ndiscover = {{ delta = 1e-7 }}', "", 'column = "n"')
            for number, use in enumerate(uses):
                statistics = ['kind = "count"\n' + use]
                jobs.append((self.write_release(f"{name}{number}", quoted(path.name), '"row"', [], statistics), 1, 1))
        answers = iter(self.exact_answers(jobs))
        for name in others:
            counted, grouped = next(answers), next(answers)
            if name in ("timestamp", "nanoseconds", "time"):
                # They are instants and times of day, which can be counted, but do not make groups.
                self.assertEqual(counted.get("aggregations", [{}])[0].get("groups"), [[[], [[2]]]], (name, counted))
                self.assertRegex(grouped["error"], "which do not make groups")
            else:
                for answer in (counted, grouped):
                    self.assertEqual(answer.get("code"), "bad input", (name, answer))
                    self.assertRegex(answer["error"], f"the column '{name}' has the type .* which cannot be used")
            for _ in range(2):
                self.assertEqual(next(answers).get("aggregations", [{}])[0].get("groups"), [[[], [[3]]]], name)

    def write_honest(self, path, options):
        """A file with missing values, several row groups and pages. Returns its columns' number."""
        draw, count = self.random, 700
        hole = lambda value: None if draw.random() < 0.2 else value
        columns = {
            "id": pa.array([hole(f"u{draw.randrange(90)}") for _ in range(count)]),
            "k": pa.array([hole(draw.choice("abc")) for _ in range(count)]),
            "n": pa.array([hole(draw.randrange(10)) for _ in range(count)], pa.int64()),
            "v": pa.array([hole(draw.uniform(-5, 105)) for _ in range(count)], pa.float64()),
            "d": pa.array([hole(19844 + draw.randrange(5)) for _ in range(count)], pa.int32()).cast(pa.date32()),
            "m": pa.array([draw.randrange(9) for _ in range(count)], pa.int32()),
        }
        fields = [pa.field(name, array.type, nullable=name != "m") for name, array in columns.items()]
        layout = {"row_group_size": 300, "write_batch_size": 40, "data_page_size": 100, "write_page_index": True}
        pq.write_table(pa.table(list(columns.values()), schema=pa.schema(fields)), path, **layout, **options)
        return len(columns)

    def lying_release(self, path, by_id):
        statistics = [
            'kind = "count"\nby = "k"',
            'kind = "count"\nby = "n"',
            'kind = "count"\nby = "d"\ndiscover = { delta = 1e-7 }',
            'kind = "mean"\ncolumn = "v"\nby = "k"',
            'kind = "sum"\ncolumn = "m"',
            'kind = "count"\ncolumn = "id"',
        ]
        columns = ['k = { keys = ["a", "c", "zz"] }', "n = { keys = { from = 8, to = 12 } }"]
        columns += ["v = { lower = 0, upper = 100 }", "m = { lower = 0, upper = 5 }"]
        unit = '{ id = "id", max_rows_per_group = 2, max_groups = 2 }' if by_id else '"row"'
        return self.write_release(f"{path.name}{by_id}", quoted(path.name), unit, columns, statistics)

    def test_lies(self):
        layouts = itertools.product(("1.0", "2.0"), (True, False), ("none", "snappy"))
        jobs, cases = [], []
        for number, (version, dictionary, codec) in enumerate(layouts):
            honest = self.folder / f"honest{number}.parquet"
            options = {"data_page_version": version, "use_dictionary": dictionary, "compression": codec}
            leaves = self.write_honest(honest, options)
            for by_id in (False, True):
                jobs.append((self.lying_release(honest, by_id), 1, 1))
                cases.append((number, by_id, "truth", True))
            all_lies = [(name, lie, False) for name, lie in count_lies().items()]
            for leaf in range(leaves):
                all_lies += [(f"{leaf}: {name}", lie, True) for name, lie in value_lies(leaf).items()]
                all_lies += [(f"{leaf}: {name}", lie, False) for name, lie in layout_lies(leaf).items()]
            # One round tries each lie in some layout and with some unit; more rounds try more of both.
            for place, (name, lie, about_values) in enumerate(all_lies):
                for turn in range(min(ROUNDS, 8)):
                    if (place + number * 3 + turn) % 8:
                        continue
                    forgery = Forgery(honest.read_bytes())
                    if not lie(forgery):
                        continue
                    path = self.folder / f"{number}-{place}.parquet"
                    path.write_bytes(forgery.content())
                    by_id = self.random.random() < 0.5
                    jobs.append((self.lying_release(path, by_id), 1, self.random.choice((1, 2))))
                    cases.append((number, by_id, f"{options} {name}", about_values))
        honest, refused, others, wrong = {}, 0, 0, []
        for answer, (number, by_id, name, about_values) in zip(self.exact_answers(jobs), cases, strict=True):
            if name == "truth":
                self.assertIn("aggregations", answer)
                honest[number, by_id] = answer
            elif answer.get("code") == "bad input" and not about_values:
                refused += 1
            elif answer != honest[number, by_id]:
                # Which rows of a unit count may change with them.
                if OTHER_FILE in name and (by_id or rows_of(answer) == rows_of(honest[number, by_id])):
                    others += 1
                else:
                    wrong.append((name, by_id, answer.get("error")))
        self.assertEqual(wrong, [], "\n".join(map(str, wrong)))
        print(f"{len(jobs) - len(honest)} lies: {refused} refused, {others} other files, the others without effect")

    def test_encrypted_files(self):
        try:
            encryption = __import__("pyarrow.parquet.encryption").parquet.encryption
        except ImportError:
            self.skipTest("pyarrow cannot encrypt")

        class Keys(encryption.KmsClient):
            def wrap_key(self, key_bytes, master_key_identifier):
                return key_bytes.hex()

            def unwrap_key(self, wrapped_key, master_key_identifier):
                return bytes.fromhex(wrapped_key)

        factory = encryption.CryptoFactory(lambda _: Keys())
        table = pa.table({"n": [1, 2, 3], "other": [1, 2, 3]})
        jobs = []
        for plain in (True, False):
            for columns in ({"footer": ["n"]}, {"footer": ["other"]}):
                options = {"footer_key": "footer", "column_keys": columns, "plaintext_footer": plain}
                config = encryption.EncryptionConfiguration(**options)
                properties = factory.file_encryption_properties(encryption.KmsConnectionConfig(), config)
                path = self.folder / f"{len(jobs)}.parquet"
                with pq.ParquetWriter(path, table.schema, encryption_properties=properties) as writer:
                    writer.write_table(table)
                statistics = ['kind = "sum"\ncolumn = "n"\nlower = 0\nupper = 9']
                jobs.append((self.write_release(f"{len(jobs)}", quoted(path.name), '"row"', [], statistics), 1, 1))
        for answer in self.exact_answers(jobs):
            self.assertEqual((answer.get("code"), answer.get("error")), ("bad input", "is encrypted"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
