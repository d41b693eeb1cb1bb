"""The comparison as a drawing (SVG) that is readable on light and on dark pages."""

import html
import math

import tables
from tasks import SYSTEMS

LEFT, RIGHT, TOP, STEP = 250, 40, 124, 28
PANEL, GAP = 330, 64
WIDTH = LEFT + 2 * PANEL + GAP + RIGHT
COLOURS = {"opendp": ("#0b62c4", "#6cb2ff"), "google": ("#b3261e", "#ff8a80"), "diffprivlib": ("#7b4fa3", "#cda4f4"),
           "smartnoise": ("#8a5a00", "#ffc14d"), "pipelinedp": ("#00727a", "#4dd9e3"), "tumult": ("#a0186b", "#ff8fcf"),
           "dp_accounting": ("#4a6b00", "#b6dd5a"), "prv_accountant": ("#4b4b4b", "#c4c4c4"),
           "numpy": ("#777777", "#999999")}
SHAPES = ("M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z", "M-5 -5H5V5H-5Z", "M0 -6L6 5H-6Z", "M0 -6L6 0L0 6L-6 0Z",
          "M-6 -5H6L0 6Z", "M-5 -1.5H-1.5V-5H1.5V-1.5H5V1.5H1.5V5H-1.5V1.5H-5Z", "M-6 -2H6V2H-6Z", "M-2 -6H2V6H-2Z",
          "M-4 -4H4V4H-4Z")
LEAST, MOST = 1e-2, 1e4


def ratios(rows, key):
    """For each row, how many times ours the figure of every other system is."""
    found = []
    for row in rows:
        ours = tables.figure(row, tables.OURS, key)
        if ours:
            others = {system: cell[key] / ours for system, cell in row.cells.items()
                      if system != tables.OURS and key in cell}
            found.append((row.title, others))
    return [(title, others) for title, others in found if others]


def style(systems):
    def rules(side):
        return "".join(f".{system}{{fill:{COLOURS[system][side]}}}" for system in systems)

    light = ("text{font:13px system-ui,sans-serif;fill:#222}.title{font-size:16px;font-weight:600}.small{font-size:12px}"
             "path{opacity:.85}"
             ".line{stroke:#ccc}.ours{stroke:#222;stroke-width:2}") + rules(0)
    dark = "text{fill:#ddd}.line{stroke:#444}.ours{stroke:#ddd}" + rules(1)
    return f"<style>{light}@media(prefers-color-scheme:dark){{{dark}}}</style>"


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{html.escape(words)}</text>'


def marker(system, systems, x, y, words):
    shape = SHAPES[systems.index(system)]
    return (f'<path class="{system}" d="{shape}" transform="translate({x:.1f} {y:.1f})">'
            f"<title>{html.escape(words)}</title></path>")


class Axis:
    """Ratios on a logarithmic scale, from one power of ten to another. What is beyond them is drawn at the edge."""

    def __init__(self, left, values):
        values = [min(MOST, max(LEAST, value)) for value in values] + [1]
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self.left = left

    def place(self, value):
        clipped = min(MOST, max(LEAST, value))
        return self.left + PANEL * (math.log10(clipped) - self.low) / (self.high - self.low)

    def lines(self, bottom):
        for power in range(self.low, self.high + 1):
            x = self.place(10.0 ** power)
            kind = "ours" if power == 0 else "line"
            yield f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 14}" y2="{bottom}"/>'
            yield text(x, bottom + 18, "ours" if power == 0 else f"{10.0 ** power:g}×", "small", "middle")


def panel(left, heading, rows, places, systems):
    axis = Axis(left, [value for _, others in rows for value in others.values()])
    bottom = TOP + STEP * len(places)
    parts = [text(left, TOP - 26, heading, "small"), *axis.lines(bottom)]
    for title, others in rows:
        for system, value in others.items():
            words = f"{title}, {SYSTEMS[system].title}: {tables.times(value, 1)}"
            # Markers of equal values would hide one another.
            aside = 2.4 * (systems.index(system) - (len(systems) - 1) / 2)
            y = TOP + STEP * (places.index(title) + 0.5) + aside
            parts.append(marker(system, systems, axis.place(value), y, words))
    return parts


def legend(systems):
    parts, x, y = [], 28, 48
    for system in systems:
        title = SYSTEMS[system].title
        end = x + 32 + 6.8 * len(title)
        if end > WIDTH:
            x, y, end = 28, y + 22, 28 + end - x
        parts += [marker(system, systems, x, y, title), text(x + 10, y + 4, title, "small")]
        x = end
    return parts


def drawing(results):
    errors = ratios(tables.error_rows(results), "q95")
    first = {}  # a task with several errors has its time in the line of the first
    for row in tables.error_rows(results):
        first.setdefault(row.task, row.title)
    timed = [row._replace(title=first.get(row.task, row.title)) for row in tables.time_rows(results)]
    seconds = ratios(timed, "seconds")
    places = list(dict.fromkeys([title for title, _ in errors] + [title for title, _ in seconds]))
    systems = [system for system in SYSTEMS if system != tables.OURS
               and any(system in others for _, others in errors + seconds)]
    height = TOP + STEP * len(places) + 40
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
             f'width="{WIDTH}" height="{height}">',
             "<title>Error and time of other libraries as multiples of ours, at equal epsilon</title>", style(systems),
             text(20, 26, "Error and time of other libraries, as multiples of ours, at equal epsilon", "title"),
             *legend(systems)]
    middles = [TOP + STEP * place + STEP / 2 for place in range(len(places))]
    parts += [text(LEFT - 14, y + 4, title, "small", "end") for y, title in zip(middles, places)]
    parts += panel(LEFT, "95 % error (left of the line: more accurate than ours)", errors, places, systems)
    parts += panel(LEFT + PANEL + GAP, "time (left of the line: faster than ours)", seconds, places, systems)
    return "\n".join([*parts, "</svg>"]) + "\n"
