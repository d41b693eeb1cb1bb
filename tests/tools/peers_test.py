"""The comparison with other libraries, without installing any: its checks of answers, its figures, its tables, what it
says without a network; and that the pages show what was recorded."""

import contextlib
import io
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

from tool_case import ROOT

PEERS = ROOT / "benchmarks" / "peers"
sys.path.insert(0, str(PEERS))
import bench  # noqa: E402
import environments  # noqa: E402
import figures  # noqa: E402
import measure  # noqa: E402
import plot  # noqa: E402
import tables  # noqa: E402
import tasks  # noqa: E402
import write_docs  # noqa: E402

TRUTH = {"count": 1000, "histogram": [10, 20, 30], "top": [5, 50, 40, 1] + 10 * [20], "mean": 48_000.0}


def results_of(**systems):
    """Results of the task `count`, of systems with a 95 % error and a time."""
    found = {name: {"seconds": seconds, "imports": 1, "note": "", "parts": {"": {
        "rmse": error / 2, "rmse_range": [error / 2.1, error / 1.9], "q95": error,
        "q95_range": [error * 0.9, error * 1.1], "runs": 100, "errors": 100}}}
        for name, (error, seconds) in systems.items()}
    return {"machine": {"cores": 2, "processor": "any", "python": "3.11"}, "rows": 1000, "epsilon": 0.1,
            "systems": {name: "1.0" for name in systems}, "tasks": {"count": found}, "skipped": {}, "failed": {}}


class AnswersTest(unittest.TestCase):
    def wrong(self, task, answer, truth):
        return figures.wrong_answers(tasks.TASKS[task].parts[""], [answer], truth, 0.1, 1_000_000)

    def test_right_answers_pass(self):
        self.assertEqual(self.wrong("count", 1030, 1000), "")
        self.assertEqual(self.wrong("mean", 48_010.0, 48_000.0), "")
        self.assertEqual(self.wrong("histogram", [12, 0, 33], TRUTH["histogram"]), "")
        self.assertEqual(self.wrong("composition", 4.9, tasks.LOSS_OF_10_000), "")

    def test_wrong_answers_are_caught(self):
        for task, answer, truth in (
                ("count", 2000, 1000), ("count", math.nan, 1000), ("mean", 1471.0, 48_000.0),
                ("histogram", [10, 20], TRUTH["histogram"]), ("histogram", [10, 20, 900], TRUTH["histogram"]),
                ("top", [1] * 10, TRUTH["top"]), ("top", list(range(90, 100)), TRUTH["top"]),
                ("composition", 4.0, tasks.LOSS_OF_10_000), ("composition", 100.0, tasks.LOSS_OF_10_000)):
            with self.subTest(task=task, answer=answer):
                self.assertIn("can be right", self.wrong(task, answer, truth))

    def test_rows_missed_are_counted_from_the_most_frequent(self):
        self.assertEqual(tasks.rows_missed([1, 2], TRUTH["top"]), [0])
        self.assertEqual(tasks.rows_missed([1, 4], TRUTH["top"]), [20])

    def test_a_wrong_answer_ends_the_comparison_of_its_system(self):
        found = {"answers": [1000, 5000], "single": 2, "note": "", "version": "1"}
        self.assertIsInstance(bench.judge("count", found, 1000, 0.1, 1000), str)
        found["answers"] = [1000, 1004]
        self.assertIn("", bench.judge("count", found, 1000, 0.1, 1000))

    def test_answers_that_were_made_together_are_compared_with_single_ones(self):
        source = random.Random(2)
        together = [1000 + source.gauss(0, 10) for _ in range(400)]
        for deviation, is_wrong in ((10, False), (1, True), (30, True)):
            single = [1000 + source.gauss(0, deviation) for _ in range(40)]
            found = {"answers": single + together, "single": 40}
            self.assertEqual(isinstance(bench.judge("count", found, 1000, 0.1, 1000), str), is_wrong, deviation)

    def test_every_file_of_a_task_belongs_to_a_system_and_makes_answers(self):
        known = {about.folder or task for task, about in tasks.TASKS.items()}
        files = [file for folder in known for file in (PEERS / folder).glob("*.py")]
        self.assertGreater(len(files), 40)
        for file in files:
            self.assertIn(file.stem, tasks.SYSTEMS, file)
            self.assertIn("def prepare(", file.read_text("utf-8"), file)
        for system in tasks.SYSTEMS.values():
            self.assertTrue(environments.requirements(system.environment).exists(), system)


class FiguresTest(unittest.TestCase):
    def test_rmse_and_quantile_of_known_errors(self):
        found = figures.figures_of_errors([3.0, -4.0] * 50)
        self.assertAlmostEqual(found["rmse"], math.sqrt(12.5))
        self.assertEqual(found["q95"], 4.0)
        self.assertEqual(figures.figures_of_errors(range(-50, 51))["q95"], 48)

    def test_ranges_hold_the_figures_of_many_more_errors(self):
        # Recorded draws: exponential errors, whose RMSE is √2 and whose 95 % quantile is ln 20.
        source = random.Random(1)
        held = [0, 0]
        for _ in range(200):
            found = figures.figures_of_errors([source.expovariate(1) for _ in range(400)])
            held[0] += found["rmse_range"][0] <= math.sqrt(2) <= found["rmse_range"][1]
            held[1] += found["q95_range"][0] <= math.log(20) <= found["q95_range"][1]
        # 99 % ranges of approximate form: 3 % of misses would be far too many.
        self.assertGreater(min(held), 188)

    def test_one_law_is_not_two_and_two_are_not_one(self):
        source = random.Random(3)
        same = sum(figures.different_laws([source.expovariate(1) for _ in range(20)],
                                          [source.expovariate(1) for _ in range(300)]) for _ in range(300))
        self.assertEqual(same, 0)  # the probability of an alarm is about 300 in a million
        self.assertTrue(figures.different_laws([0.0] * 20, [source.expovariate(1) for _ in range(300)]))
        self.assertTrue(figures.different_laws([9.0] * 20, [source.expovariate(1) for _ in range(300)]))
        self.assertFalse(figures.different_laws([0] * 20, [0] * 300))

    def test_few_errors_have_no_figures(self):
        part = tasks.TASKS["count"].parts[""]
        self.assertNotIn("rmse", figures.figures_of_part(part, list(range(990, 1000)), 1000))
        self.assertNotIn("rmse", figures.figures_of_part(part, [1000], 1000))
        self.assertIn("rmse", figures.figures_of_part(part, list(range(900, 1000)), 1000))


class MeasureTest(unittest.TestCase):
    def test_times_are_of_whole_cycles(self):
        prepared = []

        def prepare(_data, epsilon):
            prepared.append(epsilon)
            return lambda: len(prepared)

        found = measure.time_cycles(prepare, None, 0.1, 30, 60)
        self.assertEqual((found["answers"], len(found["seconds"])), ([1, 2, 3, 4, 5], measure.CYCLES))
        self.assertEqual(prepared, [0.1] * measure.CYCLES)

    def test_a_time_that_comes_with_the_answer_counts(self):
        found = measure.time_cycles(lambda data, epsilon: lambda: {"seconds": 7}, None, 1, 2, 60)
        self.assertEqual(found["seconds"], [7, 7])

    def test_errors_rest_on_fresh_answers_of_one_preparation(self):
        prepared, answers = [], iter(range(100))
        found = measure.draw(lambda data, epsilon: prepared.append(1) or (lambda: next(answers)), None, 0.1, 30, 60)
        self.assertEqual((found["answers"], found["single"], len(prepared)), (list(range(30)), 30, 1))

    def test_many_answers_come_together_after_some_single_ones(self):
        class Answers:
            def __call__(self):
                return 1

            def many(self, count, _seconds):
                return [2] * count

        found = measure.draw(lambda data, epsilon: Answers(), None, 0.1, 100, 60)
        self.assertEqual((found["answers"], found["single"]), ([1] * 20 + [2] * 80, 20))


class ResultsTest(unittest.TestCase):
    def test_errors_and_times_of_different_runs_stand_side_by_side(self):
        found = {"version": "1.0", "note": "", "seconds": [3.0, 1.0, 2.0], "imports": 0.5}
        with tempfile.TemporaryDirectory() as folder:
            words, path = ["--out", folder], pathlib.Path(folder) / "results.json"
            results = bench.Results(path, bench.parse(words))
            results.add("errors", "count", "opendp", found, {"": {"runs": 3}})
            results.add("times", "sum", "lastbit", found, {})
            again = bench.Results(path, bench.parse(words))
            self.assertTrue(again.has("errors", "count", "opendp"))
            self.assertFalse(again.has("times", "count", "opendp"))
            again.add("times", "count", "opendp", found, {})
            self.assertTrue(again.has("errors", "count", "opendp") and again.has("times", "count", "opendp"))
            self.assertEqual(again.all["tasks"]["count"]["opendp"]["seconds"], 2.0)
            tables.as_text(again.all)
            other = bench.Results(path, bench.parse([*words, "--rows", "7"]))
            self.assertEqual(other.all["tasks"], {})
            with contextlib.redirect_stderr(io.StringIO()):  # a new version forgets the figures of the old one
                again.add("times", "sum", "opendp", found | {"version": "2.0"}, {})
            self.assertEqual(again.all["tasks"]["count"], {})


class TablesTest(unittest.TestCase):
    def test_who_is_better_is_said(self):
        results = results_of(lastbit=(10, 1), opendp=(5, 2), google=(20, 0.5))
        (sentence,) = tables.better_errors(results)
        self.assertEqual(sentence, "count, OpenDP: 95 % error 5 against our 10 and RMSE 2.5 against our 5.")
        self.assertEqual(tables.better_times(results), ["Count: Google (python-dp) 500 ms; we take 1 s."])
        self.assertIn("OpenDP (count)", write_docs.short(results))

    def test_nobody_is_better_by_chance(self):
        results = results_of(lastbit=(10, 1), opendp=(9.9, 2), google=(30, 1))
        self.assertEqual(tables.better_errors(results), [])
        self.assertEqual(tables.equal_errors(results), ["count: OpenDP."])
        self.assertIn(": none.", write_docs.short(results))

    def test_ratios_that_may_be_chance_are_marked(self):
        results = results_of(lastbit=(10, 1), opendp=(9.9, 2), google=(30, 0.5))
        self.assertIn("| count | ≈1 | 3.0× |", tables.ratio_table(results, "q95"))
        self.assertIn("| Count | 2.0× | 0.5× |", tables.ratio_table(results, "seconds"))

    def test_the_same_law_is_recognised(self):
        results = results_of(lastbit=(30.5, 1), opendp=(29, 2), google=(11, 1))  # 10·ln 20 is 29.96
        self.assertEqual(tables.equal_errors(results),
                         ["count: OpenDP; the same law, Laplace noise of the same scale."])

    def test_nobody_is_better(self):
        results = results_of(lastbit=(10, 1), opendp=(50, 2))
        self.assertEqual(tables.better_errors(results) + tables.better_times(results), [])

    def test_tables_show_ratios(self):
        results = results_of(lastbit=(10, 1), opendp=(25, 2))
        self.assertIn("| count | rows | 10 ±10 % | 25 ±10 % (2.50×) |", tables.error_table(results, "q95"))
        self.assertIn("| Count | 1 s | 2 s (2.00×) |", tables.time_table(results))
        self.assertRegex(tables.as_text(results), r"(?m)^count +OpenDP +25 ±10 % +2\.50× +12\.5 +rows +2 s +2\.00× +100$")

    def test_accountants_have_a_table_of_their_own(self):
        results = results_of(lastbit=(10, 1))
        part = figures.figures_of_part(tasks.TASKS["composition"].parts[""], [4.9] * 3, tasks.LOSS_OF_10_000)
        results["tasks"]["composition"] = {
            "dp_accounting": {"seconds": 1, "imports": 1, "note": "", "parts": {"": part}}}
        self.assertIn("| dp-accounting | 4.900000 | 0.023810 | 1 s |", tables.accounting_table(results))
        self.assertNotIn("dp-accounting", tables.error_table(results, "q95") + tables.time_table(results))

    def test_the_table_says_who_is_missing(self):
        results = results_of(opendp=(25, 2))
        self.assertEqual(tables.without_ours(results), ["Count: OpenDP."])

    def test_numbers_are_written_as_people_do(self):
        for value, text in ((0, "0"), (1234567, "1,230,000"), (12.345, "12.3"), (0.00012, "0.00012"), (99.99, "100")):
            self.assertEqual(tables.number(value), text)
        self.assertEqual([tables.duration(s) for s in (2e-6, 0.0123, 5.0)], ["2 µs", "12.3 ms", "5 s"])

    def test_the_drawing_is_well_formed_and_names_everybody(self):
        drawing = plot.drawing(results_of(lastbit=(10, 1), opendp=(5, 2), google=(20, 0.5)))
        words = "".join(xml.etree.ElementTree.fromstring(drawing).itertext())
        for name in ("OpenDP", "Google (python-dp)", "95 % error", "count, OpenDP: 0.50×"):
            self.assertIn(name, words)


class PagesTest(unittest.TestCase):
    def test_only_what_is_between_markers_changes(self):
        page = "a\n<!-- peers: errors -->\nold\n<!-- peers: end -->\nb\n"
        self.assertEqual(write_docs.filled(page, {"errors": "new"}),
                         "a\n<!-- peers: errors -->\nnew\n<!-- peers: end -->\nb\n")
        with self.assertRaises(SystemExit):
            write_docs.filled(page.replace("errors", "no such"), {"errors": "new"})

    def test_pages_show_what_was_recorded(self):
        results = json.loads(write_docs.RECORDED.read_text("utf-8"))
        for name in write_docs.PAGES:
            page = (ROOT / name).read_text("utf-8")
            self.assertEqual(write_docs.filled(page, write_docs.texts(results)), page, name)
            self.assertRegex(page, "<!-- peers: end -->")
        self.assertEqual((ROOT / write_docs.DRAWING).read_text("utf-8"), plot.drawing(results))


class WithoutNetworkTest(unittest.TestCase):
    def test_it_is_skipped_with_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
            run = subprocess.run([sys.executable, PEERS / "bench.py", "--out", folder], capture_output=True, text=True,
                                 env=os.environ | nowhere, check=False)
        self.assertEqual((run.returncode, run.stdout), (77, ""), run.stderr)
        last = run.stderr.splitlines()[-1]
        self.assertRegex(last, r"^peers: skipped: packages cannot be installed from PyPI \(.+\)$")

    def test_a_package_that_cannot_be_installed_is_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            made = environments.Environments(pathlib.Path(folder), lambda text: None)
            failure = subprocess.CompletedProcess([], 1, "Collecting x\nERROR: No matching distribution\n\n")
            with unittest.mock.patch.object(made, "run", return_value=failure) as run:
                self.assertFalse(made.install("opendp"))
                self.assertFalse(made.install("opendp"))
            self.assertEqual(run.call_count, 1)
            self.assertEqual(made.failed, {"opendp": "No matching distribution"})

    def test_wrong_options_are_usage_errors(self):
        for words in (["--tasks", "cuont"], ["--systems", "opendb"]):
            with contextlib.redirect_stderr(io.StringIO()) as errors, self.assertRaises(SystemExit) as stopped:
                bench.parse(words)
            self.assertEqual(stopped.exception.code, 64)
            self.assertTrue(re.search(r"there is no (task|system) `", errors.getvalue()))


if __name__ == "__main__":
    unittest.main()
