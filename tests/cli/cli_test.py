"""Runs the built lastbit as its users do: cli_test.py BINARY VERSION READS_FILES.

READS_FILES is 1 for a build with an engine, which the demo needs.
"""

import hashlib
import json
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import unittest

BINARY, VERSION = sys.argv[1:3]
READS_FILES = sys.argv[3] == "1"
COMMANDS = ("account", "accuracy", "check", "demo", "explain", "generate", "init", "inspect", "ledger", "loss", "plan",
            "prove", "query", "release", "shell", "snap", "stability")
# Recorded once; a change means that old seeds no longer give the old surveys.
SURVEY_1000_ROWS_SEED_1 = "8efde5ea37421425667fe073c3ff7a9a6497526e3933454ecacf42ef61d3ee42"


def lastbit(*arguments, **options):
    options = {"capture_output": True, "text": True, "timeout": 300, **options}
    return subprocess.run([BINARY, *arguments], check=False, **options)


def on_terminal(arguments, **environment):
    """What the tool writes when standard output and standard error are a terminal."""
    try:
        leader, follower = pty.openpty()
    except OSError as problem:  # a container without /dev/pts
        raise unittest.SkipTest(f"this machine lends no terminal: {problem}") from problem
    variables = {**os.environ, "TERM": "xterm", **environment}
    with subprocess.Popen(
        [BINARY, *arguments], stdout=follower, stderr=follower, env=variables
    ) as process:
        os.close(follower)
        text = b""
        while select.select([leader], [], [], 60)[0]:
            try:
                part = os.read(leader, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
            text += part
    os.close(leader)
    return text.decode()


class CliCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def expect_usage_error(self, *arguments, mentions):
        run = lastbit(*arguments)
        self.assertEqual(run.returncode, 64, run.stderr)
        self.assertEqual(run.stdout, "")
        self.assertRegex(run.stderr, r"\Alastbit: [^\n]+\n\Z")
        self.assertIn(mentions, run.stderr)


class HelpTest(CliCase):
    def test_every_help_has_examples_that_name_the_command(self):
        for command in COMMANDS:
            for flag in ("--help", "-h"):
                run = lastbit(command, flag)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertRegex(run.stdout, rf"Examples:\n  lastbit {command}")
                self.assertIn("--json", run.stdout)

    def test_help_fits_a_terminal(self):
        for arguments in [("--help",), *((command, "--help") for command in COMMANDS)]:
            for line in lastbit(*arguments).stdout.splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_main_help_lists_the_commands(self):
        run = lastbit("--help")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", run.stdout)

    def test_version_is_that_of_the_project(self):
        run = lastbit("--version")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, f"lastbit {VERSION}\n", ""))


class UsageTest(CliCase):
    def test_no_command(self):
        self.expect_usage_error(mentions="lastbit --help")

    def test_misspelt_command_gets_the_nearest(self):
        self.expect_usage_error("stabilty", mentions="did you mean stability?")
        self.expect_usage_error("--versoin", mentions="did you mean --version?")

    def test_unknown_command_without_a_neighbour_points_to_help(self):
        self.expect_usage_error("frobnicate", mentions="lastbit --help")

    def test_misspelt_option_gets_the_nearest(self):
        self.expect_usage_error("generate", "survey", "--row", "3", mentions="did you mean --rows?")
        self.expect_usage_error("generate", "survey", "--row=3", mentions="did you mean --rows?")
        self.expect_usage_error("demo", "--jsn", mentions="did you mean --json?")
        self.expect_usage_error("stability", "--wrogn", mentions="did you mean --wrong?")

    def test_misspelt_name_gets_the_nearest(self):
        self.expect_usage_error("generate", "survy", mentions="did you mean survey?")
        self.expect_usage_error("stability", "count distinkt", mentions="'count distinct'")

    def test_impossible_numbers(self):
        for value in ("-1", "", "1.5", "1e3", "0x10", " 5", "99999999999999999999999", "ten"):
            self.expect_usage_error("generate", "survey", f"--rows={value}", mentions="--rows")
            self.expect_usage_error("demo", f"--seed={value}", mentions="--seed")
        self.expect_usage_error("demo", "--rows", "0", mentions="from 1")

    def test_missing_and_extra_arguments(self):
        self.expect_usage_error("generate", mentions="KIND")
        self.expect_usage_error("generate", "survey", "--rows", mentions="--rows")
        self.expect_usage_error("generate", "survey", "more", mentions="'more'")
        self.expect_usage_error("demo", "more", mentions="'more'")

    def test_hostile_text_is_made_harmless(self):
        self.expect_usage_error("\x1b[31mred\x07", mentions=r"\x1b[31mred\x07")

    def test_errors_are_json_on_standard_error_with_json(self):
        run = lastbit("demo", "--json", "--sed", "1")
        self.assertEqual((run.returncode, run.stdout), (64, ""))
        error = json.loads(run.stderr)["error"]
        self.assertEqual((error["kind"], error["exit_code"]), ("usage", 64))
        self.assertIn("--seed", error["remedy"])


class GenerateTest(CliCase):
    def test_survey_is_the_recorded_one(self):
        run = lastbit("generate", "survey", "--rows", "1000", "--seed", "1", text=False)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertEqual(hashlib.sha256(run.stdout).hexdigest(), SURVEY_1000_ROWS_SEED_1)

    def test_second_run_and_file_give_the_same_bytes(self):
        first = lastbit("generate", "survey", "--rows", "500", text=False).stdout
        target = self.folder / "survey.csv"
        target.write_text("what was there before")
        refused = lastbit("generate", "survey", "--rows", "500", "--out", str(target))
        self.assertEqual((refused.returncode, target.read_text()), (74, "what was there before"))
        self.assertIn("--force", refused.stderr)
        for _ in range(2):
            run = lastbit("generate", "survey", "--rows", "500", "--out", str(target), "--force")
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
            self.assertEqual(target.read_bytes(), first)
        self.assertEqual(os.listdir(self.folder), ["survey.csv"])

    def test_rows_are_counted_and_longer_surveys_begin_alike(self):
        short = lastbit("generate", "survey", "--rows", "10").stdout
        long = lastbit("generate", "survey", "--rows", "30").stdout
        self.assertEqual((len(short.splitlines()), len(long.splitlines())), (11, 31))
        self.assertTrue(long.startswith(short))

    def test_seeds_differ(self):
        one = lastbit("generate", "survey", "--rows", "10", "--seed", "1").stdout
        two = lastbit("generate", "survey", "--rows", "10", "--seed", "2").stdout
        self.assertNotEqual(one, two)

    def test_no_rows_is_a_header(self):
        run = lastbit("generate", "survey", "--rows", "0")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"\Aperson_id,[^\n]+\n\Z")

    def test_json_describes_the_file(self):
        target = self.folder / "survey.csv"
        run = lastbit("generate", "survey", "--rows", "7", "--out", str(target), "--json")
        document = json.loads(run.stdout)
        self.assertEqual((document["rows"], document["file"]), (7, str(target)))
        self.assertEqual(len(target.read_text().splitlines()), 8)

    def test_json_without_a_file_is_refused(self):
        run = lastbit("generate", "survey", "--json")
        self.assertEqual((run.returncode, run.stdout), (64, ""))
        self.assertIn("--out", json.loads(run.stderr)["error"]["remedy"])

    def test_link_stays_a_link(self):
        target = self.folder / "real.csv"
        target.write_text("")
        link = self.folder / "link.csv"
        link.symlink_to(target)
        self.assertEqual(lastbit("generate", "survey", "--rows", "1", "--out", str(link), "--force").returncode, 0)
        self.assertTrue(link.is_symlink())
        self.assertEqual(len(target.read_text().splitlines()), 2)


class BrokenOutputTest(CliCase):
    def expect_output_error(self, run, mentions):
        self.assertEqual(run.returncode, 74, run.stderr)
        self.assertRegex(run.stderr, r"\Alastbit: [^\n]+\n\Z")
        self.assertIn(mentions, run.stderr)

    def test_full_disk_behind_standard_output(self):
        for arguments in (["--help"], ["generate", "survey"], ["stability", "--list"], ["demo", "--help"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                run = lastbit(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
            self.expect_output_error(run, "standard output")

    def test_full_disk_behind_a_file(self):
        self.expect_output_error(lastbit("generate", "survey", "--out", "/dev/full"), "/dev/full")

    def test_a_file_that_grows_too_large_leaves_the_old_one(self):
        target = self.folder / "survey.csv"
        target.write_text("what was there before")
        # The limit stands in for a full disk: 64 KiB a file, and the signal of it ignored.
        command = 'trap "" XFSZ; ulimit -f 64; exec "$@"'
        run = subprocess.run(
            ["bash", "-c", command, "bash", BINARY, "generate", "survey", "--out", str(target)],
            capture_output=True, text=True, check=False)
        self.expect_output_error(run, str(target))
        self.assertEqual(target.read_text(), "what was there before")
        self.assertEqual(os.listdir(self.folder), ["survey.csv"])

    def test_places_that_cannot_be_written(self):
        for place in (self.folder / "no" / "such" / "folder.csv", self.folder):
            self.expect_output_error(
                lastbit("generate", "survey", "--rows", "1", "--out", str(place)), str(place))
        blocker = self.folder / "file"
        blocker.write_text("")
        self.expect_output_error(lastbit("demo", "--rows", "1", "--out", str(blocker)), str(blocker))

    def test_reader_that_leaves_is_no_error(self):
        for arguments in (["generate", "survey", "--rows", "2000000"], ["stability", "--list"]):
            with subprocess.Popen(
                [BINARY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
            ) as process:
                process.stdout.read(10)
                process.stdout.close()
                self.assertEqual(process.stderr.read(), b"")
                self.assertEqual(process.wait(timeout=60), 0)

    def test_interrupted_survey_leaves_nothing(self):
        target = self.folder / "survey.csv"
        with subprocess.Popen(
            [BINARY, "generate", "survey", "--rows", "1000000000", "--out", str(target)]
        ) as process:
            while not os.listdir(self.folder):
                self.assertIsNone(process.poll())
            process.terminate()
            self.assertEqual(process.wait(timeout=60), -15)
        self.assertEqual(os.listdir(self.folder), [])


class StabilityTest(CliCase):
    def test_right_ones_hold_and_wrong_ones_are_caught(self):
        run = lastbit("stability", "--wrong", "--json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        document = json.loads(run.stdout)
        self.assertIs(document["as_expected"], True)
        wrong = [t for t in document["transformations"] if t["wrong"]]
        right = [t for t in document["transformations"] if not t["wrong"]]
        self.assertGreater(len(wrong), 5)
        self.assertGreater(len(right), 5)
        self.assertTrue(all(t["violation"] for t in wrong))
        self.assertFalse(any(t["violation"] for t in right))

    def test_names_choose(self):
        document = json.loads(lastbit("stability", "COUNT", "--json").stdout)
        names = [t["name"] for t in document["transformations"]]
        self.assertTrue(names)
        self.assertTrue(all("count" in name for name in names), names)

    def test_wrong_ones_are_explained(self):
        run = lastbit("stability", "--wrong", "float sum")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"x' += \[")
        self.assertIn("caught", run.stdout)

    def test_list_names_both_kinds_and_checks_nothing(self):
        listed = json.loads(lastbit("stability", "--list", "--json").stdout)["transformations"]
        self.assertEqual({t["wrong"] for t in listed}, {False, True})
        self.assertNotIn("pairs", listed[0])

    def test_columns_are_aligned(self):
        lines = [line for line in lastbit("stability", "count").stdout.splitlines() if line]
        start = lines[0].index("verdict")
        self.assertTrue(all(line[start:].startswith("no violation") for line in lines[1:-1]), lines)


class TerminalTest(CliCase):
    def test_colours_only_on_a_terminal(self):
        self.assertNotIn("\x1b", lastbit("stability", "count").stdout)
        self.assertIn("\x1b[32m", on_terminal(["stability", "count"]))
        self.assertIn("\x1b", on_terminal(["nonsense"]))

    def test_no_color_is_respected(self):
        # A progress bar may still erase its line.
        self.assertNotRegex(on_terminal(["stability", "count"], NO_COLOR="1"), "\x1b\\[[0-9;]*m")
        self.assertNotIn("\x1b", on_terminal(["stability", "count"], TERM="dumb"))

    def test_json_has_no_colours_even_there(self):
        text = on_terminal(["stability", "count", "--json"])
        self.assertNotIn("\x1b", text)
        json.loads(text)

    def test_tables_fit_the_terminal(self):
        text = on_terminal(["stability", "--list"], COLUMNS="60")
        for line in text.splitlines():
            self.assertLessEqual(len(re.sub(r"\x1b\[[0-9;]*m", "", line)), 60, line)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
