"""Ledgers in a PostgreSQL database, as a team uses them: ledger_test.py LASTBIT SPEND_FROM_LEDGER READS_FILES."""

import collections
import csv
import io
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

from ledger_case import LASTBIT, READS_FILES, Proxy, ServerCase, drawn, lastbit, spend, start_spending

MANUAL = pathlib.Path(__file__).parents[2] / "docs/shared-ledger.md"
# What the manual says that a role needs which may spend.
RIGHTS = re.search(r"^```sql\n(.*?)^```", MANUAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1]


class CommandTest(ServerCase):
    def test_every_topic_works_on_a_server(self):
        address = self.made_ledger("3", ledger="survey")
        spend(address, 1, 2)
        shown = self.run_well("ledger", "show", address)
        self.assertIn("Spent 2/7 of 3 epsilon", shown)
        checked = json.loads(self.run_well("ledger", "verify", address, "--json"))
        self.assertTrue(checked["whole"])
        self.assertEqual(checked["records"], 2)
        rows = list(csv.DictReader(io.StringIO(self.run_well("ledger", "export", address))))
        self.assertEqual([row["cost"] for row in rows], ["epsilon 1/7"] * 2)
        self.run_well("ledger", "verify", address, "--head", rows[0]["hash"])
        self.assertEqual(lastbit("ledger", "verify", address, "--head", "0" * 64).returncode, 1)
        total = self.run_well("account", address)
        self.assertIn("2/7", total)

    def test_a_database_holds_many_ledgers_which_know_nothing_of_each_other(self):
        first, second = self.made_ledger("1"), self.made_ledger("1", ledger="ünder/taking &c")
        self.expect_refused(65, "ledger", "init", first, "--epsilon", "9", mentions=["exists already"])
        self.assertEqual(len(drawn(spend(first, 1, 8))), 7)
        self.assertEqual(len(drawn(spend(second, 1, 1))), 1)
        missing = self.address(ledger="third")
        self.expect_refused(65, "ledger", "show", missing, mentions=["there is no ledger of that name", "third"])

    def test_two_who_create_the_first_ledger_at_once_make_one(self):
        codes = []
        make = lambda: codes.append(lastbit("ledger", "init", self.address(), "--epsilon", "1").returncode)
        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(codes), [0, 65, 65, 65])

    def test_a_password_in_the_address_is_refused_and_not_repeated(self):
        for address in ("postgresql://me:hush@host/db", "postgresql://host/db?password=hush"):
            said = self.expect_refused(65, "ledger", "show", address, mentions=["PGPASSFILE"])
            self.assertNotIn("hush", said)

    def test_changes_by_hand_are_found(self):
        address = self.made_ledger()
        spend(address, 1, 3)
        self.sql("ALTER TABLE lastbit.record DISABLE TRIGGER ALL; UPDATE lastbit.record SET cost = 'epsilon 1/9' WHERE id = 2")
        done = lastbit("ledger", "verify", address)
        self.assertEqual(done.returncode, 1)
        self.assertIn("record 2: it does not fit its hash", done.stdout)


class RightsTest(ServerCase):
    def setUp(self):
        super().setUp()
        self.name = "spender_" + self.database
        self.ledger = self.made_ledger()
        self.sql(f"CREATE ROLE {self.name} LOGIN;" + RIGHTS.replace("analyst", self.name))
        self.addCleanup(self.server.sql, f"DROP OWNED BY {self.name}; DROP ROLE {self.name}", self.database)

    def test_the_rights_of_the_manual_suffice_to_spend(self):
        self.assertEqual(drawn(spend(self.address(user=self.name), 1, 2)), [1, 2])

    def test_they_do_not_suffice_to_change_anything(self):
        spend(self.ledger)
        for change in (
            "UPDATE lastbit.record SET cost = ''", "DELETE FROM lastbit.record", "TRUNCATE lastbit.record",
            "UPDATE lastbit.ledger SET name = 'other'", "UPDATE lastbit.ledger SET cap = 'epsilon 9'",
            "DELETE FROM lastbit.ledger", "INSERT INTO lastbit.ledger VALUES ('l', 1, '', '', '', '', '')",
            "ALTER TABLE lastbit.record DISABLE TRIGGER ALL", "DROP TABLE lastbit.record",
        ):
            with self.assertRaises(RuntimeError, msg=change):
                self.sql(change, self.name)
        # Not even the owner, as long as the triggers stand.
        for change in ("UPDATE lastbit.record SET cost = ''", "TRUNCATE lastbit.ledger CASCADE"):
            with self.assertRaisesRegex(RuntimeError, "never changed"):
                self.sql(change)

    def test_a_reader_may_look_and_not_spend(self):
        self.sql(f"REVOKE INSERT ON lastbit.record FROM {self.name}; REVOKE UPDATE (name) ON lastbit.ledger FROM {self.name}")
        address = self.address(user=self.name)
        self.run_well("ledger", "show", address)
        (line,) = spend(address)
        self.assertRegex(line, "^storage failure: .*right.*42501")
        self.assertEqual(self.contents(self.ledger)["records"], 0)

    def test_no_rights_at_all(self):
        self.sql(f"REVOKE ALL ON SCHEMA lastbit FROM {self.name}")
        self.expect_refused(74, "ledger", "show", self.address(user=self.name), mentions=["42501"])


class TeamTest(ServerCase):
    ROOM = 140

    def test_fifty_clients_while_their_sessions_are_killed(self):
        address = self.made_ledger("20")  # room for 140 of 1/7
        with start_spending(address, 50, 6, 20_000) as clients:
            killer = (
                "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE application_name = "
                "'lastbit ledger' ORDER BY random() LIMIT 2) AS chosen; SELECT pg_sleep(0.02);"
            )
            kills = 0
            while clients.poll() is None:
                kills += self.sql(killer * 20).splitlines().count("t")
            lines = clients.communicate()[0].splitlines()
        self.assertEqual(len(lines), 300)
        self.assertGreater(kills, 5)
        contents = self.check_covered(address, lines)
        self.assertLessEqual(len(contents["entries"]), self.ROOM)
        kinds = collections.Counter(line.split(":")[0].split(" ")[0] for line in lines)
        self.assertEqual(kinds["drawn"] + kinds["over"] + kinds["storage"], 300, kinds)
        # What is left can be spent, and not more.
        lines += spend(address, 1, self.ROOM)
        self.assertEqual(len(self.check_covered(address, lines)["entries"]), self.ROOM)

    def test_clients_that_are_killed_leave_no_lock_and_no_noise_without_an_entry(self):
        address = self.made_ledger()
        ids = []
        for _ in range(4):
            with start_spending(address, 10, 100, 5000) as clients:
                lines = [clients.stdout.readline() for _ in range(20)]
                clients.kill()
                lines += clients.stdout.readlines()
            ids += drawn(line.strip() for line in lines if line.endswith("\n"))
        booked = {entry["id"] for entry in self.contents(address)["entries"]}
        self.assertEqual(len(set(ids)), len(ids))
        self.assertLessEqual(set(ids), booked)
        # At most one spending of each client was booked when it was killed.
        self.assertLessEqual(len(booked), len(ids) + 4 * 10)
        self.assertEqual(drawn(spend(address)), [len(booked) + 1])

    def test_the_check_finds_what_was_drawn_and_not_booked(self):
        address = self.made_ledger()
        lines = spend(address, 2, 2)
        self.check_covered(address, lines)
        for wrong in (lines + ["drawn 5"], lines + lines[:1], lines[:-1]):
            with self.assertRaises(AssertionError):
                self.check_covered(address, wrong)

    def test_a_forked_child_may_not_use_the_ledger_and_does_not_disturb_it(self):
        address = self.made_ledger()
        child, parent = spend(address, fork=True)
        self.assertRegex(child, "bad parameter: .*before a fork")
        self.assertEqual(parent, "drawn 1")


class MoveTest(ServerCase):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "survey.ledger"
        self.run_well("ledger", "init", self.file, "--epsilon", "2")
        spend(self.file, 1, 3)
        self.before = self.contents(self.file)

    def test_the_chain_arrives_and_the_file_is_closed(self):
        address = self.address(ledger="survey")
        self.run_well("ledger", "move", self.file, address)
        self.assertEqual(self.contents(address)["entries"], self.before["entries"])
        self.run_well("ledger", "verify", address, "--head", self.before["head"])
        (line,) = spend(self.file)
        self.assertRegex(line, "^refused: this ledger was moved to postgresql://.*ledger=survey")
        self.assertEqual(drawn(spend(address)), [4])
        self.assertIn("MOVED to postgresql://", self.run_well("ledger", "show", self.file))
        self.assertEqual(self.contents(self.file)["moved_to"].partition("?")[0], address.partition("?")[0])
        # Once more does nothing, and elsewhere is refused.
        self.run_well("ledger", "move", self.file, address)
        self.assertEqual(self.contents(address)["spendings"], 4)
        self.expect_refused(1, "ledger", "move", self.file, self.address(ledger="b"), mentions=["was moved to"])

    def test_one_record_is_not_several(self):
        for count, words in ((0, "its 0 records are in"), (1, "its 1 record is in"), (2, "its 2 records are in")):
            file = self.folder / f"{count}.ledger"
            self.run_well("ledger", "init", file, "--epsilon", "2")
            spend(file, 1, count)
            self.assertIn(words, self.run_well("ledger", "move", file, self.address(ledger=f"l{count}")))

    def test_what_is_spent_meanwhile_is_moved_or_refused(self):
        address = self.address(ledger="survey")
        self.file.unlink()
        self.run_well("ledger", "init", self.file, "--epsilon", "1000")
        lines = spend(self.file)
        # Each turn lets the lock go for a moment: SQLite's waiting is not fair.
        def spend_until_moved():
            while "was moved to" not in lines[-1]:
                lines.extend(spend(self.file, 1, 3, 30_000))

        spender = threading.Thread(target=spend_until_moved, daemon=True)
        spender.start()
        self.run_well("ledger", "move", self.file, address)
        spender.join()
        self.check_covered(address, lines)

    def test_nothing_is_closed_when_it_cannot_arrive(self):
        taken = self.made_ledger()
        self.expect_refused(65, "ledger", "move", self.file, taken, mentions=["exists already"])
        self.expect_refused(74, "ledger", "move", self.file, "postgresql://127.0.0.1:1/d")
        self.sql("CREATE ROLE visitor_" + self.database + " LOGIN")
        self.expect_refused(74, "ledger", "move", self.file, self.address(user="visitor_" + self.database, ledger="x"))
        self.expect_refused(65, "ledger", "move", self.file, self.folder / "other", mentions=["is a file"])
        self.assertEqual(drawn(spend(self.file)), [4])

    def test_a_copy_of_the_file_does_not_pay_a_second_time(self):
        copy = self.folder / "copy.ledger"
        shutil.copy(self.file, copy)
        self.run_well("ledger", "move", self.file, self.address(ledger="survey"))
        for name in ("survey", "other"):
            mentions = ["exists already" if name == "survey" else "in this database already, as the ledger 'survey'"]
            self.expect_refused(65, "ledger", "move", copy, self.address(ledger=name), mentions=mentions)
        self.assertEqual(self.sql("SELECT name FROM lastbit.ledger"), "survey")
        # Ledgers that look alike are others.
        self.made_ledger(epsilon="2", ledger="other")

    def test_killed_before_it_closes_the_file_it_leaves_nothing_and_goes_anywhere(self):
        self.made_ledger(ledger="first")
        psql = [self.server.bin + "/psql", "-X", "-q", "-h", self.server.folder, "-p", str(self.server.port)]
        with subprocess.Popen(psql + ["-U", "postgres", self.database], stdin=subprocess.PIPE, text=True) as holder:
            holder.stdin.write("BEGIN;\nLOCK TABLE lastbit.record IN EXCLUSIVE MODE;\n")
            holder.stdin.flush()
            self.wait_for("state = 'idle in transaction'")
            move = subprocess.Popen([LASTBIT, "ledger", "move", self.file, self.address(ledger="survey")])
            self.wait_for("wait_event_type = 'Lock'")
            move.kill()
            move.wait()
            # It was about to insert the records. Nobody else sees a ledger there, and the file pays.
            self.expect_refused(65, "ledger", "show", self.address(ledger="survey"), mentions=["there is no ledger"])
            self.assertEqual(drawn(spend(self.file)), [4])
            holder.stdin.close()
        self.run_well("ledger", "move", self.file, self.address(ledger="elsewhere"))
        self.assertEqual(self.sql("SELECT string_agg(name, ' ' ORDER BY name) FROM lastbit.ledger"), "elsewhere first")
        self.assertRegex(spend(self.file)[0], "^refused: this ledger was moved")
        self.assertEqual(drawn(spend(self.address(ledger="elsewhere"))), [5])

    def wait_for(self, what):
        while self.sql(f"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND {what}") == "0":
            time.sleep(0.05)

    def test_a_damaged_file_is_not_moved(self):
        database = sqlite3.connect(self.file)
        with database:
            database.execute("UPDATE record SET cost = 'epsilon 1/9' WHERE id = 2")
        database.close()
        self.expect_refused(65, "ledger", "move", self.file, self.address(), mentions=["does not fit its hash"])

    def interrupted(self, plan):
        with Proxy(self.server.port, plan) as network:
            address = self.address(tcp=True, port=network.port, ledger="survey", sslmode="disable")
            passfile = self.server.passfile()
            said = self.expect_refused(74, "ledger", "move", self.file, address, mentions=["run the same command again"],
                                       PGPASSFILE=passfile)
            self.assertTrue(network.happened.is_set(), said)
            (line,) = spend(self.file)
            self.assertRegex(line, "^refused: this ledger was moved")
            arrived = self.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'lastbit'") != "0"
            self.run_well("ledger", "move", self.file, address, PGPASSFILE=passfile)
            self.assertEqual(drawn(spend(self.address(ledger="survey"))), [4])
            self.assertEqual(self.contents(self.address(ledger="survey"))["entries"][:3], self.before["entries"])
            return arrived

    def test_an_interrupted_move_leaves_one_ledger_at_most_and_goes_on(self):
        self.assertFalse(self.interrupted("lose"))

    def test_so_it_does_when_only_the_reply_was_lost(self):
        self.assertTrue(self.interrupted("cut"))


@unittest.skipUnless(READS_FILES, "this build has no engine")
class ReleaseTest(ServerCase):
    def setUp(self):
        super().setUp()
        (self.folder / "people.csv").write_text("age\n31\n45\n28\n62\n")
        self.release = self.folder / "people.toml"

    def write(self, ledger):
        self.release.write_text(
            'version = 1\nunit = "row"\n[source]\npath = "people.csv"\n'
            f'[budget]\nepsilon = 1\nledger = "{ledger}"\n'
            '[columns.age]\ntype = "integer"\nlower = 0\nupper = 100\n'
            '[[statistics]]\nkind = "count"\n'
        )

    def test_a_release_file_names_a_ledger_on_a_server(self):
        address = self.address(ledger="people")
        self.write(address)
        said = self.expect_refused(65, "release", self.release, mentions=["there is no ledger yet"])
        self.assertIn("lastbit ledger init", said)
        self.run_well("ledger", "init", address, "--epsilon", "1.5")
        self.assertIn("has epsilon 1.5 left", self.run_well("plan", self.release))
        out = self.folder / "out"
        self.run_well("release", self.release, "--out", out)
        (entry,) = self.contents(address)["entries"]
        self.assertEqual((entry["data"], entry["state"]), ("people.csv", "finished"))
        page = (out / "report.html").read_text()
        self.assertIn("<bdi>postgresql:///?ledger=people</bdi>", page)
        # Where the server is, is nobody's business.
        for file in ("report.html", "release.json"):
            self.assertNotIn("lastbit-pg-", (out / file).read_text())
        self.expect_refused(1, "release", self.release, "--again", mentions=["is left of epsilon 1.5"])

    def test_the_command_line_names_another_one(self):
        self.write("people.ledger")
        address = self.made_ledger("1")
        self.run_well("release", self.release, "--ledger", address)
        self.assertEqual(self.contents(address)["spendings"], 1)
        self.assertFalse((self.folder / "people.ledger").exists())

    def test_mistakes_in_the_address_have_a_place(self):
        self.write("postgresql://me:hush@host/db")
        said = self.expect_refused(65, "plan", self.release, mentions=["people.toml:7:10", "PGPASSFILE"])
        self.assertNotIn("hush", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
