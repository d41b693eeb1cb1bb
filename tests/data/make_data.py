"""Makes the small data beside this file; nothing in it is about anybody.

    python3 tests/data/make_data.py            writes the files
    python3 tests/data/make_data.py --check    fails unless the files are what this program makes

The files have the names and columns of the real data that tests read where it is present
(docs/testing.md): the same tests run on these where it is not.
"""
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


class Dice:
    """Numbers of our own, so that every version of Python makes the same files."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def chance(self, percent):
        return int(self.below(100) < percent)


def census(rows):
    """People: all values of `educ` occur, incomes are often 0, seldom negative or very high."""
    dice = Dice(1)
    flags = ["latino", "black", "asian", "married", "divorced", "uscitizen", "children", "disability",
             "militaryservice", "employed", "englishability"]
    percents = [5, 42, 3, 45, 11, 93, 16, 22, 13, 63, 96]
    names = ["state", "puma", "sex", "age", "educ", "income", *flags, "fips"]
    yield ",".join(f'"{name}"' for name in names)
    for row in range(rows):
        educ = row + 1 if row < 16 else min(16, 1 + dice.below(9) + dice.below(9))
        income = dice.below(60) * dice.below(40) * 50
        kind = dice.below(20)
        if kind < 2:
            income = 0
        elif kind == 2:
            income = -100 * dice.below(100)
        elif kind == 3:
            income *= 6
        values = [13, 1101 + dice.below(7), dice.chance(53), 18 + dice.below(38) + dice.below(38), educ, income]
        yield ",".join(str(value) for value in [*values, *map(dice.chance, percents), 13121])


def visits(visitors):
    """Visits to a restaurant: nobody comes twice a day, some come every day."""
    dice = Dice(2)
    yield "VisitorId,Time entered,Time spent (minutes),Money spent (euros),Day"
    for day in range(1, 8):
        for visitor in range(visitors):
            if visitor % 50 != 0 and not dice.chance(10 + visitor % 40):
                continue
            hour, minute = 9 + dice.below(11), dice.below(60)
            half = "AM" if hour < 12 else "PM"
            money = 120 if dice.below(200) == 0 else 10 + dice.below(10) + dice.below(10)
            minutes = 10 + dice.below(56) + dice.below(56)
            yield f"{visitor * 3},{(hour - 1) % 12 + 1}:{minute:02}{half},{minutes},{money},{day}"


FILES = {"fulton_pums.csv": list(census(400)), "restaurant_week.csv": list(visits(200))}


def main():
    wrong = 0
    for name, lines in FILES.items():
        text = "\n".join(lines) + "\n"
        path = FOLDER / name
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8", newline="")
        elif not path.exists() or path.read_bytes() != text.encode():
            print(f"{path} is not what make_data.py makes; run it without --check")
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
