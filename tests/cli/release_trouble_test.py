"""Releases that are refused, run out of disk, are killed or crowd together: release_trouble_test.py, arguments as
release_test.py.
"""

import csv
import io
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

from cli_test import lastbit
from release_case import BINARY, LARGE, RELEASE, SANITIZED, ReleaseCase

KILLS = 25 if SANITIZED else 200
CROWD = 25 if SANITIZED else 200
NOBODY = 65534


class NothingSpentTest(ReleaseCase):
    def test_dry_run_spends_nothing_and_leaves_nothing(self):
        self.make_ledger()
        head, names = self.contents()["head"], sorted(os.listdir(self.folder))
        text = self.release("--dry-run", "--out", str(self.folder / "out"))
        self.assertIn("Nothing was spent", text)
        self.assertNotIn("north", text)
        self.expect_refused(64, "release", str(self.file), "--out", "", mentions="--out has no name")
        document = json.loads(self.release("--dry-run", "--json"))
        self.assertEqual((document["dry_run"], document["cost"]), (True, {"epsilon": str(LARGE)}))
        self.assertEqual((self.contents()["head"], sorted(os.listdir(self.folder))), (head, names))

    def test_dry_run_finds_what_a_release_would(self):
        self.expect_refused(65, "release", str(self.file), "--dry-run", mentions="there is no ledger yet")
        self.make_ledger("--epsilon", "1")
        self.expect_refused(1, "release", str(self.file), "--dry-run", mentions="is left")
        self.write(epsilon=1)
        self.expect_refused(74, "release", str(self.file), "--dry-run", "--out", str(self.file), mentions="release.toml")
        (self.folder / "data.csv").write_text("region,age,income\n1,2,3,4\n", encoding="utf-8")
        self.expect_refused(65, "release", str(self.file), "--dry-run", mentions="data.csv")

    def test_budget_that_does_not_suffice_is_exit_code_1(self):
        self.write(epsilon="0.75")
        self.make_ledger("--epsilon", "1")
        self.release()
        self.expect_refused(1, "release", str(self.file), "--out", str(self.folder / "out"), mentions="epsilon 0.25 is left")
        self.assertFalse((self.folder / "out").exists())
        run = lastbit("release", str(self.file), "--json")
        error = json.loads(run.stderr)["error"]
        self.assertEqual((run.returncode, run.stdout, error["exit_code"], error["kind"]), (1, "", 1, "over budget"))

    def test_folder_that_cannot_be_used_costs_nothing(self):
        self.make_ledger()
        self.release("--out", str(self.folder / "out"))
        before = {path: path.read_bytes() for path in (self.folder / "out").iterdir()}
        for place, mentions in ((self.folder / "out", "paid for"), (self.file, "release.toml"),
                                (self.file / "below", "below"), (pathlib.Path("/proc/none"), "/proc/none")):
            self.expect_refused(74, "release", str(self.file), "--out", str(place), mentions=mentions)
        self.assertEqual({path: path.read_bytes() for path in (self.folder / "out").iterdir()}, before)

    def test_wrong_options_are_usage_errors(self):
        self.make_ledger()
        for options, mentions in ((("--memory", "4"), "memory"), (("--memory", "4 GB"), "--memory"),
                                  (("--threads", "0"), "--threads"), (("--dry-rum",), "did you mean --dry-run?")):
            run = lastbit("release", str(self.file), *options)
            self.assertIn(run.returncode, (64, 65), options)
            self.assertIn(mentions, run.stderr)
        self.assertEqual(self.contents()["spendings"], 0)

    def test_data_that_cannot_be_read_costs_nothing(self):
        self.make_ledger()
        os.remove(self.folder / "data.csv")
        self.expect_refused(65, "release", str(self.file), mentions="data.csv")
        (self.folder / "data.csv").mkdir()
        self.expect_refused(65, "release", str(self.file), mentions="data.csv")

    def test_damaged_ledger_pays_nothing(self):
        self.make_ledger()
        self.release()
        database = sqlite3.connect(self.ledger)
        with database:
            database.execute("UPDATE record SET total = 'epsilon 0'")
        database.close()
        run = lastbit("release", str(self.file))
        self.assertEqual((run.returncode, run.stdout), (65, ""), run.stderr)

    def as_nobody(self, *arguments):
        """The tool run by somebody who owns nothing here; root may write everywhere."""
        os.chmod(self.folder, 0o755)
        options = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
        try:
            return lastbit(*arguments, **options)
        except PermissionError as problem:
            raise unittest.SkipTest("others may not run the tool where it was built") from problem

    def test_ledger_that_may_only_be_read_pays_nothing(self):
        self.make_ledger()
        os.chmod(self.ledger, 0o444)
        for options in ((), ("--dry-run",)):
            run = self.as_nobody("release", str(self.file), *options)
            self.assertEqual((run.returncode, run.stdout), (74, ""), run.stderr)
            self.assertIn("data.ledger", run.stderr)
        plan = self.as_nobody("plan", str(self.file))
        self.assertEqual((plan.returncode, plan.stderr), (0, ""))
        self.assertEqual(self.contents()["spendings"], 0)

    def test_folder_that_may_only_be_read_costs_nothing(self):
        self.make_ledger()
        os.chmod(self.ledger, 0o666)
        (self.folder / "out").mkdir(mode=0o555)
        run = self.as_nobody("release", str(self.file), "--out", str(self.folder / "out"))
        self.assertEqual((run.returncode, run.stdout), (74, ""), run.stderr)
        self.assertEqual(self.contents()["spendings"], 0)

    def test_interrupted_while_reading_it_leaves_nothing(self):
        lastbit("generate", "survey", "--rows", "400000", "--out", str(self.folder / "survey.csv"))
        unit = 'unit = { id = "person_id", max_rows_per_group = 1, max_groups = 1 }'
        self.write(self.file.read_text(encoding="utf-8").replace("data.csv", "survey.csv").replace('unit = "row"', unit))
        self.make_ledger()
        (self.folder / "spill").mkdir()
        names = sorted(os.listdir(self.folder))
        for wish in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with subprocess.Popen(
                    [BINARY, "release", str(self.file), "--threads", "1", "--memory", "100MB", "--spill",
                     str(self.folder / "spill"), "--out", str(self.folder / "out")], stdout=subprocess.PIPE) as process:
                while not list(self.folder.glob("spill/*")):
                    self.assertIsNone(process.poll())
                process.send_signal(wish)
                self.assertEqual(process.stdout.read(), b"")
                self.assertEqual(process.wait(timeout=60), -wish)
            self.assertEqual(sorted(os.listdir(self.folder)), names)
            self.assertEqual(os.listdir(self.folder / "spill"), [])
            self.assertEqual(self.contents()["spendings"], 0)


class FullDiskTest(ReleaseCase):
    def limited(self, kibibytes, *arguments):
        """The tool where no file can be larger than this, which stands in for a full disk."""
        command = f'trap "" XFSZ; ulimit -f {kibibytes}; exec "$@"'
        return subprocess.run(["bash", "-c", command, "bash", BINARY, *arguments], capture_output=True, text=True,
                              check=False, timeout=300)

    def setUp(self):
        super().setUp()
        self.make_ledger()

    def test_full_disk_behind_the_files_shows_all_answers(self):
        self.write(RELEASE.format(epsilon=LARGE).replace('["north", "south", "east", "west"]', "{ from = 1, to = 400 }"))
        run = self.limited(20, "release", str(self.file), "--out", str(self.folder / "out"))
        self.assertEqual(run.returncode, 74, run.stderr)
        self.assertIn("entry 1 of the ledger stays spent, all its answers are on standard output", run.stderr)
        table = run.stdout[run.stdout.index('statistic,"region"'):]
        self.assertEqual(len(list(csv.DictReader(io.StringIO(table)))), 401)
        self.assertEqual(self.contents()["spendings"], 1)
        for path in (self.folder / "out").iterdir():
            self.assertNotIn(".part", path.name)

    def test_full_disk_behind_standard_output_leaves_the_files(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = lastbit("release", str(self.file), "--out", str(self.folder / "out"), capture_output=False, stdout=full,
                          stderr=subprocess.PIPE)
            lost = lastbit("release", str(self.file), "--again", capture_output=False, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual((run.returncode, lost.returncode), (74, 74))
        self.assertIn("its answers are in the files", run.stderr)
        self.assertIn("answers are lost", lost.stderr)
        document = json.loads((self.folder / "out" / "release.json").read_text(encoding="utf-8"))
        self.assertEqual(document["ledger"]["entry"], 1)

    def test_full_disk_behind_the_ledger_releases_nothing(self):
        run = self.limited(4, "release", str(self.file))
        self.assertEqual((run.returncode, run.stdout), (74, ""), run.stderr)
        self.assertEqual(self.contents()["spendings"], 0)
        self.release()


class KilledTest(ReleaseCase):
    """Killed at whatever moment, no answer came out that the ledger does not know of."""

    def answers_of(self, stdout, out):
        """The entries whose answers, or a part of them, came out anywhere."""
        found = set()
        texts = [stdout.read_text(encoding="utf-8")]
        texts += [path.read_text(encoding="utf-8") for path in out.glob("*")] if out.exists() else []
        texts += [path.read_text(encoding="utf-8") for path in out.glob(".*")] if out.exists() else []
        for text in filter(None, texts):
            entry = re.search(r'"entry": (\d+),', text)
            found.add(int(entry[1]) if entry else None)
        return found

    def test_kills_at_random_moments_lose_nothing(self):
        self.write(epsilon='"1/3"')
        self.make_ledger("--epsilon", "1000000")
        start = time.monotonic()
        self.release("--json", "--out", str(self.folder / "first"))
        usual = time.monotonic() - start
        numbers = random.Random(6)
        self.longest = 0.005  # to wait for a booking; it adapts, as other tests may slow this one
        spent = 1
        outcomes = {"before": 0, "between": 0, "after": 0}
        for kill in range(KILLS):
            stdout, out = self.folder / f"stdout{kill}", self.folder / f"out{kill}"
            with open(stdout, "wb") as file, subprocess.Popen(
                    [BINARY, "release", str(self.file), "--again", "--json", "--threads", "1", "--out", str(out)],
                    stdout=file, stderr=subprocess.DEVNULL) as process:
                self.wait(process, kill, usual, numbers)
                process.kill()
            verified = lastbit("ledger", "verify", str(self.ledger), "--json")
            contents = json.loads(verified.stdout)
            self.assertEqual((verified.returncode, contents["whole"]), (0, True), verified.stdout)
            # One release ran: it is booked, or no part of it came out.
            came_out = self.answers_of(stdout, out)
            booked = contents["spendings"] - spent
            self.assertIn(booked, (0, 1))
            self.assertLessEqual(len(came_out - {None}), booked)
            self.assertTrue(came_out <= {None, spent + 1})
            self.assertTrue(booked or not came_out)
            outcomes["before" if not booked else "after" if came_out else "between"] += 1
            spent += booked
            if kill % 2 == 1:
                self.longest = min(1, self.longest * 1.5) if not booked else self.longest / 1.5
        self.assertEqual(contents["spent"], {"epsilon": str(spent // 3) if spent % 3 == 0 else f"{spent}/3"})
        # The moments were spread over the whole release.
        self.assertGreaterEqual(outcomes["before"], KILLS // 10, outcomes)
        self.assertGreaterEqual(outcomes["between"] + outcomes["after"], KILLS // 10, outcomes)
        self.release()

    def wait(self, process, kill, usual, numbers):
        """Until a random moment: of the whole release, or shortly after it begins to book."""
        if kill % 2 == 0:
            try:
                process.wait(numbers.uniform(0, 1.2 * usual))
            except subprocess.TimeoutExpired:
                pass
            return
        journal = self.folder / "data.ledger-journal"
        while process.poll() is None and not journal.exists():
            pass
        time.sleep(numbers.uniform(0, self.longest))


class CrowdTest(ReleaseCase):
    def crowd(self, *options, files=None):
        """Exit code, standard output and standard error of many releases that run at once."""
        files = files or [self.file]
        crowd = [subprocess.Popen([BINARY, "release", str(files[number % len(files)]), "--json", "--threads", "1",
                                   "--memory", "100MB", *options],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                 for number in range(CROWD)]
        results = [None] * CROWD

        def collect(number):
            stdout, stderr = crowd[number].communicate(timeout=600)
            results[number] = (crowd[number].returncode, stdout, stderr)

        readers = [threading.Thread(target=collect, args=(number,)) for number in range(CROWD)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        return results

    def entries(self, results, kind):
        """The entries of those that succeeded; all others were refused in this way."""
        entries = []
        for code, stdout, stderr in results:
            self.assertIn(code, (0, 1), stderr)
            if code == 0:
                entries.append(json.loads(stdout)["ledger"]["entry"])
            else:
                self.assertEqual((stdout, json.loads(stderr)["error"]["kind"]), ("", kind))
        return sorted(entries)

    def test_many_at_once_never_exceed_the_cap(self):
        self.write(epsilon='"1/3"')
        room = CROWD * 3 // 10 - CROWD * 3 // 10 % 3
        self.make_ledger("--epsilon", str(room // 3))
        self.assertEqual(self.entries(self.crowd("--again"), "over budget"), list(range(1, room + 1)))
        contents = self.contents()
        self.assertEqual((contents["spendings"], contents["left"], contents["damage"]), (room, {"epsilon": "0"}, None))
        self.assertTrue(all(entry["state"] == "finished" for entry in contents["entries"]))

    def test_one_of_many_fixes_whom_the_ledger_is_about_and_spends_its_plan(self):
        self.make_ledger()
        files = [self.folder / f"{unit}.toml" for unit in ("row", "region", "age")]
        for path in files:
            unit = "row" if path.stem == "row" else {"id": path.stem, "max_rows_per_group": 9, "max_groups": 9}
            text = RELEASE.format(epsilon=1).replace('unit = "row"', f"unit = {toml(unit)}")
            path.write_text(text, encoding="utf-8")
        self.assertEqual(self.entries(self.crowd(files=files), "refused"), [1])
        self.assertEqual(len(self.contents()["about"]), 1)


def toml(value):
    """A text or a flat table, as a release file writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(part)}" for key, part in value.items()) + " }"
    return json.dumps(value)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
