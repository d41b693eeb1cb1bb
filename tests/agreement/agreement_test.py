#!/usr/bin/env python3
"""One corpus of release files, hard tables, and all engines: the same exact integers before noise, under one key,
and the same plans: digests, prices, mechanisms, errors.

It prints a table: a row for each release file, a column for each engine, and how many integers are those of the
literal definition. A column for which something is missing on this machine is left out with a line. The comparison is
tested too: it must notice a row that one engine lacks, another key, and another bound.
"""

import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "postgres"), str(HERE.parents[1] / "python/tests/spark")]
sys.dont_write_bytecode = True

import server  # noqa: E402
from hard_rows import (  # noqa: E402
    arrow_table, csv_text, duckdb_statements, hard_rows, postgres_statements, rows_as_json, with_change,
)

# The second is there where the Python package is.
EXACT_INTEGERS, KEYED_QUESTION = (sys.argv[1:] + [None])[:2]
SEED = 20260711
SIZES = {"people": 400, "nobody": 0}
# Which table each release file is tried with; the empty one shows groups without rows.
EMPTY_TOO = ("rows_listed", "sums_in_few_groups", "units_of_numbers")
# Where PostgreSQL and Spark merge equal rows, and where they add up columns besides.
ADDED_UP = ("sums_in_few_groups",)
MERGED = ("few_different_decimals", "few_different_rows", *ADDED_UP)
# What a plan says about the place of the rows, which differs.
OF_THE_PLACE = ("source", "release_file", "ledger")
IN_MEMORY = '{ format = "arrow", name = "people" }'


def program(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def exact_integers(*words):
    return program(EXACT_INTEGERS, SEED, *words)


class Reported(Exception):
    """Ends a release of the Python package as soon as it asked for its integers: nothing is booked."""


class Corpus:
    """The release files, each written once for every source."""

    def __init__(self, folder):
        self.folder = folder
        self.texts = {path.stem: path.read_text("utf-8") for path in sorted((HERE / "corpus").glob("*.toml"))}
        self.cases = [(name, "people") for name in self.texts] + [(name, "nobody") for name in EMPTY_TOO]
        assert len(self.texts) > 6, "the corpus is not there"
        self.rows = {table: hard_rows(size) for table, size in SIZES.items()}

    def write(self, name, source):
        # A key of the file comes before its tables.
        path = self.folder / f"{name}.toml"
        text = self.texts[name]
        if ".csv" in source and "\nhuge =" not in text:  # which declares no types
            text = text.replace("[columns]\n", '[columns]\nhuge = { type = "decimal", decimals = 0 }\n')
        path.write_text(f"source = {source}\n{text}", encoding="utf-8")
        return path

    def path(self, name):
        return self.folder / name


def prepared_files(corpus):
    for table, rows in corpus.rows.items():
        corpus.path(f"{table}.csv").write_text(csv_text(rows), encoding="utf-8")
        corpus.path(f"{table}.json").write_text(rows_as_json(rows), encoding="utf-8")
        statements = corpus.path(f"{table}.sql")
        statements.write_text(duckdb_statements(rows, corpus.path(f"{table}.parquet")), encoding="utf-8")
        exact_integers("make", corpus.path(f"{table}.duckdb"), statements)


def memory_engine(corpus):
    def answer(name, table):
        return json.loads(exact_integers("memory", corpus.write(name, IN_MEMORY), corpus.path(f"{table}.json")))

    return answer


def file_engine(corpus, source):
    def answer(name, table):
        return json.loads(exact_integers("files", corpus.write(name, source.format(table))))

    return answer


@contextlib.contextmanager
def postgres_engine(corpus):
    if not server.BINARIES or not pathlib.Path(server.BINARIES[-1], "initdb").exists():
        yield "no PostgreSQL server (apt-get install postgresql-15)"
        return
    with server.Server(log_statement="all") as running:
        running.sql(
            "CREATE EXTENSION citext;"
            "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);"
        )
        for table, rows in corpus.rows.items():
            # Rows are merged on the server only where it guesses how many there are.
            running.sql("SET TimeZone = 'UTC';" + postgres_statements(rows, table) + f"; ANALYZE {table};")
        source = f'{{{{ url = "{running.address()}", table = "public.{{}}", name = "people" }}}}'
        yield merging_engine(file_engine(corpus, source), running)


def merging_engine(ask, running):
    """Looks into the log of the server, whether it merged equal rows where it should."""

    def statements():
        log = pathlib.Path(running.log).read_text("utf-8")
        return [log.count(words) for words in ("pg_catalog.count(*)", "pg_catalog.sum(")]

    def answer(name, table):
        before = statements()
        answered = ask(name, table)
        # Of an empty table the server has no guess how many rows there are.
        for place, names in enumerate((MERGED, ADDED_UP)):
            expected = name in names and table == "people"
            assert (statements()[place] > before[place]) == expected, "rows are merged and added up, or not"
        return answered

    return answer


def package_engine(corpus, plan_of, schema_of, ask_of, order):
    """What the Python package plans and asks of rows that it does not read as a file."""
    import lastbit
    from lastbit import _lastbit

    ledger = lastbit.ledger.create(corpus.path(f"{order}.ledger"), epsilon=1000, delta="0.5")

    def answer(name, table):
        file = corpus.write(name, IN_MEMORY)
        asked = []

        def ask(question, columns, by_unit, unit, sums):
            assert (sums is not None) == (name in MERGED), "equal rows are merged, or not"
            assert bool(sums) == (name in ADDED_UP), "columns are added up, or not"
            old, new = corpus.path("question"), corpus.path("question.keyed")
            old.write_bytes(question)
            program(KEYED_QUESTION, SEED, order, old, new)
            keyed = new.read_bytes()
            parts = ask_of(table)(keyed, columns, by_unit, unit, sums)
            if not parts:  # a frame without partitions
                parts = [[] for _ in _lastbit.PartMaker(keyed, "nobody").finish()]
            asked.append([_lastbit.merge_parts(keyed, number, of_one) for number, of_one in enumerate(parts)])
            raise Reported

        held = _lastbit.far_rows(schema_of(table).__arrow_c_stream__(), "people", ask)
        terms = _lastbit.Terms(ledger=str(ledger.path))
        with contextlib.suppress(Reported):
            _lastbit.release(str(file), held, terms)
        assert not ledger.entries, "nothing may be booked"
        parts = corpus.path("parts")
        parts.write_text(json.dumps([list(part) for part in asked[0]]), encoding="ascii")
        merged = json.loads(exact_integers("parts", file, corpus.path(f"{table}.json"), parts))
        return merged | {"plan": plan_of(file, table)}

    return answer


def arrow_engine(corpus):
    """The kernel on a stream of pyarrow; its rows come in no order, as those of a session in memory do."""
    try:
        import pyarrow
        from lastbit import _lastbit
    except ImportError as error:
        return f"no {error.name} in this Python"
    tables = {table: arrow_table(rows) for table, rows in corpus.rows.items()}

    def plan_of(file, table):
        held = _lastbit.read_rows(tables[table].__arrow_c_stream__(), "people")
        return json.loads(_lastbit.plan(str(file), "10000", held, _lastbit.Terms())["json"])

    def ask_of(table):
        def ask(question, *_needed):
            rows = tables[table]
            maker = _lastbit.PartMaker(question, "people")
            cut = len(rows) // 3
            for part in (rows.slice(0, cut), rows.slice(cut)):
                maker.add(pyarrow.table(part).__arrow_c_stream__())
            return [[part] for part in maker.finish()]

        return ask

    return package_engine(corpus, plan_of, lambda table: tables[table].slice(0, 0), ask_of, "any")


@contextlib.contextmanager
def spark_engine(corpus):
    try:
        import pyspark  # noqa: F401
        import pytest  # noqa: F401
        import lastbit.spark
    except ImportError as error:
        yield f"no {error.name} in this Python"
        return
    from conftest import started
    from lastbit import _spark_rows

    spark = started("local[2]", corpus.folder)
    frames = {}
    try:
        for table, rows in corpus.rows.items():
            frame = spark.createDataFrame(arrow_table(rows), schema=None)
            frames[table] = frame.repartition(3) if rows else frame

        def plan_of(file, table):
            return lastbit.spark.plan(file, frames[table], rows=10000).document

        def schema_of(table):
            return _spark_rows._arrow_schema(frames[table].schema).empty_table()

        def ask_of(table):
            return _spark_rows._Asker(frames[table], "people")

        yield package_engine(corpus, plan_of, schema_of, ask_of, "unit")
    finally:
        spark.stop()


def first_difference(expected, found, place="answers"):
    """Where two documents differ first, in words; None if they do not."""
    if type(expected) is not type(found):
        return f"{place}: {expected} and {found}"
    if isinstance(expected, dict):
        if list(expected) != list(found):
            return f"{place}: other keys"
        pairs = [(f"{place}.{key}", expected[key], found[key]) for key in expected]
    elif isinstance(expected, list):
        if len(expected) != len(found):
            return f"{place}: {len(expected)} and {len(found)} entries"
        pairs = [(f"{place}[{i}]", one, other) for i, (one, other) in enumerate(zip(expected, found))]
    else:
        return None if expected == found else f"{place}: {expected} and {found}"
    return next((words for where, one, other in pairs if (words := first_difference(one, other, where))), None)


def difference(expected, found):
    # The digest is of the source, too.
    same = expected["plan"]["source"] == found["plan"]["source"]
    left_out = OF_THE_PLACE if same else (*OF_THE_PLACE, "digest")
    plans = [{key: value for key, value in side["plan"].items() if key not in left_out} for side in (expected, found)]
    return first_difference(expected["answers"], found["answers"]) or first_difference(*plans, "plan")


def integers_in(answers):
    return sum(len(entries) for groups in answers for _, measures in groups for entries in measures)


class Table:
    def __init__(self, corpus):
        self.cases = corpus.cases
        self.columns = {}
        self.problems = []
        self.skipped = []
        self.expected = {}

    def add(self, engine, answer):
        """A column; `answer` is a function, or a text about what is missing."""
        if isinstance(answer, str):
            self.skipped.append(f"{engine}: skipped, {answer}")
            self.columns[engine] = ["-"] * len(self.cases)
            return
        cells = self.columns[engine] = []
        for case in self.cases:
            try:
                found = answer(*case)
                words = difference(self.expected.setdefault(case, found), found)
                cells.append("differs" if words else str(integers_in(found["answers"])))
            except Exception as error:  # the others go on
                words = f"{type(error).__name__}: {error}"
                cells.append("fails")
            if words:
                self.problems.append(f"{engine}, {' of '.join(case)}: {words}")

    def print(self):
        names = [f"{name} ({table})" for name, table in self.cases]
        width = max(map(len, names))
        print(" " * width, *(engine.rjust(11) for engine in self.columns))
        for place, name in enumerate(names):
            print(name.ljust(width), *(cells[place].rjust(11) for cells in self.columns.values()))
        for line in self.skipped + self.problems:
            print(line)


def require_noticed(corpus, table):
    """The comparison must see what a wrong engine would do: lose a row, use another key, or plan with another bound."""
    case = ("rows_listed", "people")
    corpus.path("changed.json").write_text(rows_as_json(with_change(corpus.rows["people"])), encoding="utf-8")
    words = difference(table.expected[case], memory_engine(corpus)(case[0], "changed"))
    assert words and words.startswith("answers[0]"), words
    by_unit = corpus.write("units_of_texts", IN_MEMORY)
    other_key = program(EXACT_INTEGERS, SEED + 1, "memory", by_unit, corpus.path("people.json"))
    words = difference(table.expected["units_of_texts", "people"], json.loads(other_key))
    assert words and words.startswith("answers"), words
    text = corpus.texts[case[0]]
    corpus.texts[case[0]] = text.replace("lower = -1000", "lower = -1001")
    try:
        changed = memory_engine(corpus)(*case)
    finally:
        corpus.texts[case[0]] = text
    words = difference(table.expected[case] | {"answers": changed["answers"]}, changed)
    assert words and words.startswith("plan"), words
    print("A missing row, another key and another bound are noticed.")


def main():
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(pathlib.Path(folder))
        prepared_files(corpus)
        table = Table(corpus)
        table.add("definition", memory_engine(corpus))
        table.add("CSV", file_engine(corpus, '{{ path = "{}.csv", name = "people" }}'))
        table.add("Parquet", file_engine(corpus, '{{ path = "{}.parquet", name = "people" }}'))
        table.add("DuckDB", file_engine(corpus, '{{ path = "{}.duckdb", table = "people", name = "people" }}'))
        table.add("Arrow", arrow_engine(corpus))
        with postgres_engine(corpus) as answer:
            table.add("PostgreSQL", answer)
        with spark_engine(corpus) as answer:
            table.add("Spark", answer)
        table.print()
        if not table.problems:
            require_noticed(corpus, table)
    return 1 if table.problems else 0


if __name__ == "__main__":
    sys.exit(main())
