"""Results in words: tables for a terminal and for pages, and sentences that say where others are better."""

import math
import statistics
import typing

from tasks import SYSTEMS, TASKS

OURS = "lastbit"
FIGURES = {"q95": "95 % error", "rmse": "RMSE"}
ACCOUNTING = "composition"  # has a table of its own: those who do it do nothing else


class Row(typing.NamedTuple):
    """One figure of every system."""

    task: str
    title: str
    unit: str
    cells: dict  # the figures of each system
    part: typing.Any = None  # whose errors these are


def error_rows(results):
    rows = []
    for task, systems in results["tasks"].items():
        for name, part in TASKS[task].parts.items():
            cells = {system: found["parts"][name] for system, found in systems.items() if "parts" in found}
            if part.shown and cells:
                rows.append(Row(task, part.title, part.unit, cells, part))
    return rows


def time_rows(results):
    rows = []
    for task, systems in results["tasks"].items():
        cells = {system: {"seconds": found["seconds"]} for system, found in systems.items() if "seconds" in found}
        if cells:
            rows.append(Row(task, TASKS[task].title, "s", cells))
    return rows


def number(value):
    """Three significant digits, without an exponent where a person would not write one."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        digits = max(0, len(str(int(abs(value)))) - 3)
        return f"{round(value, -digits):,.0f}"
    text = f"{value:.3g}"
    return text if "e" not in text else f"{value:.6f}".rstrip("0")


def duration(seconds):
    for limit, factor, unit in ((1e-3, 1e6, "µs"), (1, 1e3, "ms")):
        if seconds < limit:
            return f"{number(seconds * factor)} {unit}"
    return f"{number(seconds)} s"


def times(value, ours):
    """How many times as large a figure is as ours, or nothing."""
    if ours is None or ours == 0:
        return ""
    ratio = value / ours
    return f"{ratio:.2f}×" if ratio < 9.95 else f"{number(ratio)}×"


def figure(row, system, key):
    return row.cells.get(system, {}).get(key)


def systems_of(rows):
    return [system for system in SYSTEMS if any(system in row.cells for row in rows)]


def table(lines):
    """Markdown of a list of lines, the first of which is the head."""
    head, *body = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([head, "|---" * len(lines[0]) + "|", *body])


def notes_of(results, systems):
    """Every note, numbered in the order of the tables, with who it is about."""
    notes = {}
    for found in results["tasks"].values():
        for system in systems:
            note = found.get(system, {}).get("note", "")
            if note:
                notes.setdefault((system, note), len(notes) + 1)
    return notes


def mark_of(results, notes, task, system):
    note = results["tasks"][task][system]["note"]
    return f" <sup>{notes[system, note]}</sup>" if note else ""


def cell_of(value, ours, system, write):
    """A figure, and how many times ours it is."""
    if value is None:
        return "–"
    ratio = times(value, ours) if system != OURS else ""
    return write(value) + (f" ({ratio})" if ratio else "")


def spread(cell, key):
    """By how much chance may have changed a figure, as a text."""
    value, ends = cell[key], cell.get(f"{key}_range")
    if not value or ends is None:
        return ""
    most = max(ends[1] - value, value - ends[0]) / value
    return f" ±{100 * most:.0f} %" if most >= 0.005 else ""


def error_table(results, key):
    rows = [row for row in error_rows(results) if row.task != ACCOUNTING]
    systems, notes = systems_of(rows), notes_of(results, SYSTEMS)
    lines = [["", "unit", *(SYSTEMS[system].title for system in systems)]]
    for row in rows:
        ours, cells = figure(row, OURS, key), []
        for system in systems:
            value = figure(row, system, key)
            mark = "" if value is None else mark_of(results, notes, row.task, system)
            text = "–" if value is None else number(value) + spread(row.cells[system], key)
            ratio = "" if value is None or system == OURS else times(value, ours)
            cells.append(text + (f" ({ratio})" if ratio else "") + mark)
        lines.append([row.title, row.unit, *cells])
    return table(lines)


def time_table(results):
    rows = [row for row in time_rows(results) if row.task != ACCOUNTING]
    systems, notes = systems_of(rows), notes_of(results, SYSTEMS)
    with_errors = {row.task for row in error_rows(results)}  # their notes are in the table of errors
    lines = [["", *(SYSTEMS[system].title for system in systems)]]
    for row in rows:
        ours, cells = figure(row, OURS, "seconds"), []
        for system in systems:
            value = figure(row, system, "seconds")
            mark = "" if value is None or row.task in with_errors else mark_of(results, notes, row.task, system)
            cells.append(cell_of(value, ours, system, duration) + mark)
        lines.append([row.title, *cells])
    starts = [start_of(results, system) for system in systems]
    known = ["–" if start is None else duration(start) for start in starts]
    lines.append(["Python's imports, once per process", *known])
    return table(lines)


def accounting_table(results):
    """What each accountant says about the same releases, and a lower bound of what is true."""
    found, notes = results["tasks"].get(ACCOUNTING, {}), notes_of(results, SYSTEMS)
    lower = TASKS[ACCOUNTING].truth
    lines = [["", "epsilon", "above the lower bound", "time"]]
    for system, figures in found.items():
        if "parts" not in figures:
            continue
        excess = figures["parts"][""]["q95"]
        title = SYSTEMS[system].title + mark_of(results, notes, ACCOUNTING, system)
        seconds = duration(figures["seconds"]) if "seconds" in figures else "–"
        lines.append([title, f"{lower + excess:.6f}", f"{excess:.6f}", seconds])
    return f"No epsilon below {lower} is true; the nearer to it, the better.\n\n{table(lines)}"


def start_of(results, system):
    """How long the imports of a system take in Python; ours has none, its whole process is in every time."""
    if system == OURS:
        return None
    known = [found[system]["imports"] for found in results["tasks"].values() if "imports" in found.get(system, {})]
    return statistics.median(known) if known else None


def note_lines(results):
    notes = notes_of(results, SYSTEMS)
    return [f"{place}. {SYSTEMS[system].title}: {note}." for (system, note), place in notes.items()]


def compared(results):
    """Every row of errors with another system, its cell and ours; only where both have figures."""
    for row in error_rows(results):
        ours = row.cells.get(OURS, {})
        for system, theirs in row.cells.items():
            if system != OURS and "rmse" in theirs and "rmse" in ours:
                yield row, system, theirs, ours


def clearly_less(one, other, key):
    """Whether a figure is smaller by more than chance explains."""
    return one[f"{key}_range"][1] < other[f"{key}_range"][0]


def within_chance(theirs, ours):
    """Whether chance may explain every difference between two systems."""
    return not any(clearly_less(*pair, key) for key in FIGURES for pair in ((theirs, ours), (ours, theirs)))


def ratio_table(results, key):
    """How many times ours each error or time is, short; errors that are equal within chance are marked."""
    rows = [row for row in (time_rows(results) if key == "seconds" else error_rows(results)) if figure(row, OURS, key)]
    rows = [row for row in rows if row.task != ACCOUNTING and len(row.cells) > 1]
    systems = [system for system in systems_of(rows) if system != OURS]
    lines = [["", *(SYSTEMS[system].title for system in systems)]]
    for row in rows:
        ours, cells = row.cells[OURS], []
        for system in systems:
            value = figure(row, system, key)
            ratio = None if value is None else value / ours[key]
            if ratio is None:
                cells.append("–")
            elif key != "seconds" and within_chance(row.cells[system], ours):
                cells.append("≈1")
            else:
                cells.append((f"{ratio:.1f}" if 0.095 < ratio < 9.95 else number(ratio)) + "×")
        lines.append([row.title, *cells])
    return table(lines)


def better_errors(results):
    """A sentence for every error in which another system is better than ours by more than chance explains."""
    sentences = []
    for row, system, theirs, ours in compared(results):
        keys = [key for key in FIGURES if clearly_less(theirs, ours, key)]
        if not keys:
            continue
        names = FIGURES if row.part.random else {"q95": "exactly"}
        said = " and ".join(f"{names[key]} {number(theirs[key])} against our {number(ours[key])}" for key in keys
                            if key in names)
        note = results["tasks"][row.task][system]["note"]
        noted = f" ({note})" if note else ""
        sentences.append(f"{row.title}, {SYSTEMS[system].title}: {said}{noted}.")
    return sentences


def has_same_law(row, epsilon, cell):
    """Whether a 95 % error fits Laplace noise of the usual scale, whose size exceeds scale·ln 20 in one of 20 cases.
    Whole numbers may be off by one."""
    if not row.part or not row.part.sensitivity:
        return False
    scale = row.part.sensitivity / (epsilon * TASKS[row.task].times)
    low, high = cell["q95_range"]
    return low - 1 <= scale * math.log(20) <= high + 1


def equal_errors(results):
    """A sentence for every row in which others are as accurate as we are, as far as can be told."""
    same = {}
    for row, system, theirs, ours in compared(results):
        if row.task == ACCOUNTING or not within_chance(theirs, ours):
            continue
        law = all(has_same_law(row, results["epsilon"], cell) for cell in (theirs, ours))
        same.setdefault((row.title, law), []).append(SYSTEMS[system].title)
    return [f"{title}: {', '.join(systems)}" + ("; the same law, Laplace noise of the same scale." if law else ".")
            for (title, law), systems in same.items()]


def better_times(results):
    sentences = []
    for row in time_rows(results):
        ours = figure(row, OURS, "seconds")
        faster = [(figure(row, system, "seconds"), system) for system in row.cells if ours is not None]
        said = [f"{SYSTEMS[system].title} {duration(value)}" for value, system in sorted(faster) if value < ours]
        if said:
            sentences.append(f"{row.title}: {', '.join(said)}; we take {duration(ours)}.")
    return sentences


def without_ours(results):
    """Tasks that others do and we do not, or not yet."""
    return [f"{TASKS[task].title}: {', '.join(SYSTEMS[system].title for system in found)}."
            for task, found in results["tasks"].items() if OURS not in found]


def versions(results):
    return ", ".join(f"{SYSTEMS[system].title} {version}" for system, version in results["systems"].items())


def text_line(task, name, part, system, systems):
    """A figure of one system, for a terminal."""
    found, ours = systems[system], systems.get(OURS, {})
    cell, own = found.get("parts", {}).get(name, {}), ours.get("parts", {}).get(name, {})
    errors = ("", "", "", "")
    if part.shown and "rmse" in cell:
        errors = (number(cell["q95"]) + spread(cell, "q95"), times(cell["q95"], own.get("q95")), number(cell["rmse"]),
                  part.unit)
    seconds = ("", "")
    if "seconds" in found:
        seconds = (duration(found["seconds"]), times(found["seconds"], ours.get("seconds")))
    title = part.title if part.shown else TASKS[task].title
    return (title, SYSTEMS[system].title, *errors, *seconds, str(cell.get("runs", "")))


def as_text(results):
    """One line for each system and figure, aligned."""
    lines = [("task", "system", "95 % error", "× ours", "RMSE", "unit", "time", "× ours", "runs")]
    for task, systems in results["tasks"].items():
        parts = TASKS[task].parts
        shown = {name: part for name, part in parts.items() if part.shown} or dict(list(parts.items())[:1])
        lines += [text_line(task, name, part, system, systems) for name, part in shown.items() for system in systems]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    text = ["  ".join(cell.ljust(width) if column in (0, 1, 5) else cell.rjust(width)
                      for column, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines]
    text += ["", f"Versions: {versions(results)}.", f"Epsilon {results['epsilon']}, {results['rows']:,} rows."]
    for heading, sentences in (("Others are more accurate, by more than chance explains:", better_errors(results)),
                               ("Equal within chance:", equal_errors(results)),
                               ("Others are faster:", better_times(results)), ("Without us:", without_ours(results)),
                               ("Skipped:", results["skipped"].values()), ("Failed:", results["failed"].values())):
        if sentences:
            text += ["", heading, *(f"  {sentence}" for sentence in sentences)]
    return "\n".join(text)
