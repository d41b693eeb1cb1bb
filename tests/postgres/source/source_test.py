#!/usr/bin/env python3
"""Releases of tables on a PostgreSQL server: the same answers as from a file, least privilege, what is refused by
name, and that no private field enters the server's log."""

import json
import os
import pathlib
import re
import subprocess

from source_case import TOOL, SourceCase, main

REFUSED = """
CREATE EXTENSION file_fdw;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE VIEW clinic.a_view AS SELECT * FROM clinic.visits;
CREATE MATERIALIZED VIEW clinic.a_summary AS SELECT * FROM clinic.visits;
CREATE FOREIGN TABLE clinic.a_foreign (person integer, region text, age smallint) SERVER files
  OPTIONS (filename '/dev/null');
CREATE TABLE clinic.a_parent (person integer, region text, age smallint);
CREATE TABLE clinic.a_child () INHERITS (clinic.a_parent);
CREATE TABLE clinic.with_json (person integer, region json, age smallint);
CREATE TABLE clinic.generated (person integer, region text, base smallint,
  age smallint GENERATED ALWAYS AS (base + 1) STORED);
CREATE TABLE clinic.secured (person integer, region text, age smallint);
ALTER TABLE clinic.secured ENABLE ROW LEVEL SECURITY;
CREATE TABLE clinic.parts (person integer, region text, age smallint) PARTITION BY LIST (region);
CREATE TABLE clinic.part_north PARTITION OF clinic.parts FOR VALUES IN ('north');
CREATE TABLE clinic.part_others PARTITION OF clinic.parts DEFAULT;
INSERT INTO clinic.parts SELECT person, region, age FROM clinic.visits;
CREATE TABLE clinic.foreign_parts (person integer, region text, age smallint) PARTITION BY LIST (region);
CREATE FOREIGN TABLE clinic.foreign_part PARTITION OF clinic.foreign_parts DEFAULT SERVER files
  OPTIONS (filename '/dev/null');
"""

RIGHTS = """
CREATE ROLE analyst LOGIN;
GRANT USAGE ON SCHEMA clinic TO analyst;
GRANT SELECT (person, region, age) ON clinic.visits TO analyst;
GRANT SELECT ON clinic.secured TO analyst;
CREATE ROLE stranger LOGIN;
"""


class SourceTest(SourceCase):
    settings = {"log_statement": "all", "log_min_messages": "debug1", "log_min_duration_statement": 0}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server.sql(REFUSED + RIGHTS)

    def test_a_release_is_that_of_a_file(self):
        rows = self.server.sql("COPY (SELECT person, region, age FROM clinic.visits) TO STDOUT CSV HEADER")
        (self.folder / "visits.csv").write_text(rows + "\n", encoding="utf-8")
        in_file = self.write("visits.csv", "file.toml")
        text = (self.folder / "file.toml").read_text(encoding="utf-8")
        text = text.replace("age = {", 'person = { type = "integer" }\nage = { type = "integer", ')
        (self.folder / "file.toml").write_text(text, encoding="utf-8")
        on_server = self.write(self.url())
        expected, answer = self.exact(in_file, on_server)
        self.assertIn('"groups"', expected)
        self.assertEqual(answer, expected)
        parts = self.exact(self.write(self.url("clinic.parts"), "parts.toml"))
        self.assertEqual(parts, [expected])

    def test_commands(self):
        file = self.write(self.url())
        self.assertIn("postgres: clinic.visits", self.succeed("plan", file))
        self.make_ledger()
        self.succeed("release", file, "--out", "report")
        page = (self.folder / "report" / "report.html").read_text(encoding="utf-8")
        self.assertNotIn(self.server.folder, page)
        self.assertIn("postgres: clinic.visits", self.spent())
        self.assertIn("north", self.succeed("query", file, "SELECT region, count(*) FROM data GROUP BY region",
                                            "--epsilon", "1"))
        people = self.write(self.url(), "people.toml")
        for name in ("people", "visits", "clinic.visits", '"clinic"."visits"'):
            asked = f"SELECT region, count(*) FROM {name} GROUP BY region"
            self.assertIn("region", self.succeed("query", people, asked, "--epsilon", "0.5", "--plan"))
        other = "SELECT count(*) FROM other.visits"
        said = self.refuse("no table 'other'.'visits'", "query", people, other, "--epsilon", "1")
        self.assertIn("FROM can be people, visits, clinic.visits, data", said)
        started = self.succeed("init", self.server.address(), "--table", "clinic.visits")
        self.assertIn('table = "clinic.visits"', started)
        self.assertIn("docs/postgresql.md", self.refuse("inspected", "inspect", file))

    def test_a_service_and_a_password_file(self):
        services = self.folder / "services"
        services.write_text(f"[office]\nhost=127.0.0.1\nport={self.server.port}\ndbname=postgres\nuser=postgres\n",
                            encoding="utf-8")
        known = {"PGSERVICEFILE": str(services), "PGPASSFILE": self.server.passfile()}
        file = self.write('{ service = "office", table = "clinic.visits" }')
        self.make_ledger()
        answer = json.loads(self.succeed("release", file, "--json", environment=known))
        self.assertIn("statistics", answer)
        self.assertIn("office: clinic.visits", self.spent())
        wrong = known | {"PGPASSFILE": self.server.passfile("wrong", "wrong")}
        words = self.refuse("password authentication failed", "plan", file, environment=wrong)
        self.assertNotIn("wrong\n", words)

    def test_rights_on_the_columns_are_enough(self):
        self.make_ledger()
        self.succeed("release", self.write(self.url(user="analyst")))
        for user in ("stranger", "analyst"):
            more = '[[statistics]]\nkind = "count"\nname = "of_notes"\nwhere = "note IS NOT NULL"\n'
            file = self.write(self.url(user=user))
            if user == "analyst":
                with open(file, "a", encoding="utf-8") as added:
                    added.write(more)
            before = self.spent()
            self.refuse("SQLSTATE 42501", "release", file, "--again")
            self.assertEqual(self.spent(), before)

    def test_what_is_no_plain_table_is_refused_by_name(self):
        for table, words in {
            "clinic.a_view": "'clinic.a_view' is a view",
            "clinic.a_summary": "is a materialised view",
            "clinic.a_foreign": "is a foreign table",
            "clinic.a_parent": "other tables inherit from 'clinic.a_parent'",
            "clinic.foreign_parts": "has partitions that are not tables here",
            "clinic.with_json": "json",
            "clinic.generated": "generated smallint",
            "clinic.Visits": "has no table 'clinic.Visits'",
            "visits": "has no table 'public.visits'",
        }.items():
            self.refuse(words, "plan", self.write(self.url(table)))
        self.refuse("row-level security hides rows", "plan", self.write(self.url("clinic.secured", user="analyst")))
        # Its owner sees all rows.
        self.succeed("plan", self.write(self.url("clinic.secured")))

    def test_odd_names_and_rows_without_columns(self):
        self.server.sql(
            'CREATE SCHEMA "odd.schema";'
            'CREATE TABLE "odd.schema"."say ""x""; --" ("select" integer, "Größe" text, "a""b" smallint);'
            """INSERT INTO "odd.schema"."say ""x""; --" SELECT i, 'north', i FROM generate_series(1, 10) AS i;"""
        )
        name = r'\"odd.schema\".\"say \"\"x\"\"; --\"'
        source = f'{{ url = "{self.server.address()}", table = "{name}" }}'
        # Only the number of rows is asked for, so no column is.
        text = "version = 1\nsource = {}\nunit = \"row\"\nbudget = {{ epsilon = 1, ledger = \"l\" }}\n{}\n"
        count = '[[statistics]]\nkind = "count"'
        by = "'Größe' = { keys = ['north', 'south'] }\n" + count + "\nby = 'Größe'\nwhere = '\"a\"\"b\" > 3'"
        files = []
        for number, rest in enumerate((count, "[columns]\n" + by)):
            files.append(self.folder / f"{number}.toml")
            files[-1].write_text(text.format(source, rest), encoding="utf-8")
        rows, groups = map(json.loads, self.exact(*files))
        self.assertEqual(rows["aggregations"][0]["groups"], [[[], [[10]]]])
        self.assertEqual(groups["aggregations"][0]["groups"], [[["north"], [[7]]], [["south"], [[0]]]])

    def test_python(self):
        build = pathlib.Path(TOOL).resolve().parents[1]
        interpreter = build.parent / "python" / "venv" / "bin" / "python"
        if not (build / "python" / "lastbit" / "__init__.py").exists() or not interpreter.exists():
            self.skipTest("the Python package was not built")
        self.make_ledger()
        program = (
            "import lastbit, sys\n"
            "file, url = sys.argv[1:]\n"
            "lastbit.plan(file)\n"
            "print(lastbit.release(file))\n"
            "session = lastbit.Session(url, source={'table': 'clinic.visits'}, name='again', unit='person', max_rows=2,\n"
            "                          max_groups=2, columns={'region': {'keys': ['north']}}, ledger='visits.ledger')\n"
            "statement = 'SELECT region, COUNT(*) AS visits FROM data GROUP BY region'\n"
            "print(session.query(statement, epsilon='0.5', same_people=True))\n"
        )
        done = subprocess.run(
            [interpreter, "-c", program, self.write(self.url()), self.server.address()], cwd=self.folder,
            capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": str(build / "python")},
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("visits", done.stdout)

    def test_a_password_in_a_file_is_refused_and_not_repeated(self):
        for source in ("postgresql://anna:hunter2@db/x?table=t", "postgresql://db/x?table=t&password=hunter2"):
            words = self.refuse("PGPASSFILE", "plan", self.write(source))
            self.assertNotIn("hunter2", words)

    def test_others_cannot_replace_functions(self):
        self.server.sql("CREATE DATABASE hostile")
        self.server.sql(
            "CREATE FUNCTION public.wrong(oid, oid) RETURNS boolean LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'hijacked'; END $$;"
            "CREATE OPERATOR public.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = public.wrong);"
            "CREATE FUNCTION public.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS "
            "$$ SELECT 'hijacked'::text $$;"
            "CREATE FUNCTION public.row_security_active(oid) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;"
            "CREATE FUNCTION public.pg_partition_tree(oid) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;"
            "CREATE VIEW public.pg_class AS SELECT 1 AS oid;"
            "ALTER DATABASE hostile SET search_path = public, pg_catalog;",
            database="hostile",
        )
        # The schema and the table, in a session with the usual path.
        self.server.sql("SET search_path = pg_catalog, public;" + self.prepared, database="hostile")
        url = self.server.address(database="hostile", table="clinic.visits")
        here, there = self.exact(self.write(self.url(), "here.toml"), self.write(url, "there.toml"))
        self.assertEqual(here, there)

    def test_the_log_holds_no_field(self):
        self.make_ledger()
        file = self.write(self.url())
        with open(file, "a", encoding="utf-8") as added:
            added.write('[[statistics]]\nkind = "count"\nname = "of_notes"\nwhere = "note LIKE \'planted-%\'"\n')
        self.succeed("release", file)
        with open(self.server.log, encoding="utf-8") as log:
            text = log.read()
        # The table is filled with 'planted-' and 32 digits, which no statement holds.
        self.assertRegex(text, r'COPY \(SELECT [^)]*"note"')
        self.assertIsNone(re.search("planted-[0-9a-f]", text), "the log holds a field")


if __name__ == "__main__":
    main()
