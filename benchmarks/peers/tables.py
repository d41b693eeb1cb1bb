"""Results in words: tables for a terminal and for pages, and sentences that say where others are better."""

import statistics
import typing

from tasks import SYSTEMS, TASKS

OURS = "lastbit"
ACCOUNTING = "composition"  # has a table of its own: those who do it do nothing else


class Row(typing.NamedTuple):
    """One figure of every system."""

    task: str
    title: str
    unit: str
    cells: dict  # the figures of each system


def error_rows(results):
    rows = []
    for task, systems in results["tasks"].items():
        for name, part in TASKS[task].parts.items():
            if part.shown:
                cells = {system: found["parts"][name] for system, found in systems.items()}
                rows.append(Row(task, part.title, part.unit, cells))
    return rows


def time_rows(results):
    rows = []
    for task, systems in results["tasks"].items():
        cells = {system: {"seconds": found["seconds"]} for system, found in systems.items()}
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


def error_table(results, key):
    rows = [row for row in error_rows(results) if row.task != ACCOUNTING]
    systems, notes = systems_of(rows), notes_of(results, SYSTEMS)
    lines = [["", "unit", *(SYSTEMS[system].title for system in systems)]]
    for row in rows:
        ours, cells = figure(row, OURS, key), []
        for system in systems:
            value = figure(row, system, key)
            mark = "" if value is None else mark_of(results, notes, row.task, system)
            cells.append(cell_of(value, ours, system, number) + mark)
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
        excess = figures["parts"][""]["q95"]
        title = SYSTEMS[system].title + mark_of(results, notes, ACCOUNTING, system)
        lines.append([title, f"{lower + excess:.5f}", f"{excess:.5f}", duration(figures["seconds"])])
    return f"No epsilon below {lower} is true; the nearer to it, the better.\n\n{table(lines)}"


def start_of(results, system):
    """How long the imports of a system take in Python; ours has none, its whole process is in every time."""
    if system == OURS:
        return None
    return statistics.median(found[system]["imports"] for found in results["tasks"].values() if system in found)


def note_lines(results):
    notes = notes_of(results, SYSTEMS)
    return [f"{place}. {SYSTEMS[system].title}: {note}." for (system, note), place in notes.items()]


def overlaps(one, other):
    return one[0] <= other[1] and other[0] <= one[1]


def better_errors(results):
    """A sentence for every figure of error in which another system is better than ours."""
    sentences = []
    for row in error_rows(results):
        ours = row.cells.get(OURS)
        if ours is None:
            continue
        for system, theirs in row.cells.items():
            if "rmse" not in theirs or "rmse" not in ours:
                continue
            which = [(key, name) for key, name in (("q95", "95 % error"), ("rmse", "RMSE")) if theirs[key] < ours[key]]
            if not which:
                continue
            said = " and ".join(f"{name} {number(theirs[key])} against our {number(ours[key])}" for key, name in which)
            close = all(overlaps(theirs[f"{key}_range"], ours[f"{key}_range"]) for key, _ in which)
            chance = "; the difference may be chance" if close else ""
            note = results["tasks"][row.task][system]["note"]
            noted = f" ({note})" if note else ""
            sentences.append(f"{row.title}, {SYSTEMS[system].title}: {said}{chance}{noted}.")
    return sentences


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


def as_text(results):
    """One line for each system and figure, aligned."""
    lines = [("task", "system", "95 % error", "× ours", "RMSE", "unit", "time", "× ours", "runs")]
    for task, systems in results["tasks"].items():
        ours = systems.get(OURS)
        shown = {name: part for name, part in TASKS[task].parts.items() if part.shown}
        hidden = {name: part._replace(title=TASKS[task].title) for name, part in list(TASKS[task].parts.items())[:1]}
        for name, part in (shown or hidden).items():
            for system, found in systems.items():
                found_part, own = found["parts"][name], ours["parts"][name] if ours else {}
                known = part.shown and "rmse" in found_part
                errors = ("", "", "", "")
                if known:
                    ratio = times(found_part["q95"], own.get("q95"))
                    errors = (number(found_part["q95"]), ratio, number(found_part["rmse"]), part.unit)
                lines.append((part.title, SYSTEMS[system].title, *errors, duration(found["seconds"]),
                              times(found["seconds"], ours and ours["seconds"]), str(found_part["runs"])))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    text = ["  ".join(cell.ljust(width) if column in (0, 1, 5) else cell.rjust(width)
                      for column, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines]
    text += ["", f"Versions: {versions(results)}.", f"Epsilon {results['epsilon']}, {results['rows']:,} rows."]
    for heading, sentences in (("Others are more accurate:", better_errors(results)),
                               ("Others are faster:", better_times(results)), ("Without us:", without_ours(results)),
                               ("Skipped:", results["skipped"]), ("Failed:", results["failed"])):
        if sentences:
            text += ["", heading, *(f"  {sentence}" for sentence in sentences)]
    return "\n".join(text)
