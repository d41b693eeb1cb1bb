"""Writes the tables, the sentences and the drawing of the comparison into the manual: write_docs.py [RESULTS] [ROOT].

Each place in a page is between two lines, `<!-- peers: NAME -->` and `<!-- peers: end -->`. Without RESULTS it takes
the recorded ones, so that running it again changes nothing.
"""

import json
import pathlib
import re
import sys

import plot
import tables

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded.json"
PAGES = ("docs/peers.md", "README.md")
DRAWING = "docs/images/peers.svg"


def bullets(sentences, nothing):
    return "\n".join(f"- {sentence}" for sentence in sentences) or nothing


def machine(results):
    about = results["machine"]
    left_out = [f" Left out: {sentence}." for kind in ("skipped", "failed") for sentence in results[kind].values()]
    return (f"{results['rows']:,} rows, epsilon {results['epsilon']}, {about['cores']} cores ({about['processor']}), "
            f"Python {about['python']}. {tables.versions(results)}." + "".join(left_out))


def answers(results):
    """How many answers the errors rest on."""
    counts = {}
    for row in tables.error_rows(results):
        for system, cell in row.cells.items():
            if row.task != tables.ACCOUNTING:
                counts.setdefault(system, []).append(cell["runs"])
    ranges = {system: f"{min(found):,} to {max(found):,}" if max(found) > min(found) else f"{max(found):,}"
              for system, found in counts.items()}
    said = [f"{tables.SYSTEMS[system].title} {count}" for system, count in ranges.items()]
    return "Answers behind each error: " + ", ".join(said) + "."


def short(results):
    """Who is more accurate or faster than we are, and where, in one paragraph; chance left aside."""
    better = [sentence.partition(": ")[0].rpartition(", ") for sentence in tables.better_errors(results)]
    faster = sorted({sentence.partition(":")[0] for sentence in tables.better_times(results)})
    words = "More accurate than Lastbit: " + ("; ".join(f"{who} ({what})" for what, _, who in better) or "none") + "."
    return words + (" At least one library is faster at: " + "; ".join(faster) + "." if faster else "")


def texts(results):
    """What goes between the markers."""
    return {
        "machine": machine(results),
        "answers": answers(results),
        "errors": tables.error_table(results, "q95"),
        "rmse": tables.error_table(results, "rmse"),
        "accounting": tables.accounting_table(results),
        "times": tables.time_table(results),
        "notes": "\n".join(tables.note_lines(results)),
        "better errors": bullets(tables.better_errors(results), "None."),
        "equal errors": bullets(tables.equal_errors(results), "None."),
        "better times": bullets(tables.better_times(results), "None."),
        "short": short(results),
        "ratios": "\n\n".join(["Errors, 95 %, as multiples of ours (≈1: equal within chance):",
                               tables.ratio_table(results, "q95"), "Times as multiples of ours:",
                               tables.ratio_table(results, "seconds")]),
    }


def filled(page, new):
    """The page with new text between its markers."""

    def fill(match):
        if match[1] not in new:
            raise SystemExit(f"there is nothing to write for the marker `{match[1]}`")
        return f"<!-- peers: {match[1]} -->\n{new[match[1]]}\n<!-- peers: end -->"

    return re.sub(r"<!-- peers: (?!end)([a-z ]+) -->\n.*?<!-- peers: end -->", fill, page, flags=re.DOTALL)


def write(results, root):
    new = texts(results)
    for name in PAGES:
        page = root / name
        page.write_text(filled(page.read_text("utf-8"), new), "utf-8")
    (root / DRAWING).write_text(plot.drawing(results), "utf-8")


def main():
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else RECORDED
    root = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE.parents[1]
    results = json.loads(source.read_text("utf-8"))
    write(results, root)
    if root == HERE.parents[1]:
        RECORDED.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
