"""Typical mistakes with the messages that they get. mistakes_test.py makes them, docs/mistakes.md shows them.

python3 tests/cli/mistakes.py > docs/mistakes.md writes the page again.
"""

import dataclasses

# Keys and bounds are public; nothing else of a row may ever be quoted.
PRIVATE = ("p7041", "p7042", "p7043", "87", "91", "73911", "64207", "58813", "Quibbleton", "Wexcombe", "1987-06-05")
ROWS = """\
person,region,age,income,hours,town,day
p7041,north,87,73911,40,Quibbleton,1987-06-05
p7042,south,91,64207,38,Wexcombe,1987-06-05
p7043,north,87,58813,40,Quibbleton,1987-06-05
"""
HEAD = """\
version = 1
source = "survey.csv"
unit = "row"
budget = { epsilon = 1, ledger = "survey.ledger" }

[columns]
region = { keys = ["north", "south"] }
age = { type = "integer", lower = 0, upper = 120 }
income = { type = "integer", lower = 0, upper = 100_000 }

"""
FILE = HEAD + '[[statistics]]\nkind = "count"\n'
RELEASE = ("release", "survey.toml")
# All files beside the ledger survey.ledger, which has an epsilon of 2.
FILES = {
    "survey.csv": ROWS.encode(),
    "survey.toml": FILE.encode(),
    "survey.xlsx": b"PK\x03\x04",
    "other.toml": FILE.replace("survey.ledger", "other.ledger").encode(),
    "costly.toml": FILE.replace("epsilon = 1", "epsilon = 3").encode(),
    "towns.csv": b"town,county\nAyr,Ayrshire\n",
}


@dataclasses.dataclass(frozen=True)
class Mistake:
    what: str
    written: str  # what the page shows
    message: str  # place and problem
    remedy: str
    command: tuple = RELEASE
    text: bytes = FILE.encode()  # of survey.toml
    code: int = 65


def statistic(what, body, message, remedy):
    """A wrong statistic after a right head; its first key is in line 12."""
    return Mistake(what, body, message, remedy, text=f"{HEAD}[[statistics]]\n{body}\n".encode())


def change(what, right, wrong, message, remedy):
    """A right file in which one part is replaced."""
    assert FILE.count(right) == 1, right
    written = wrong.removesuffix("\n\n[[statistics]]")
    for line in FILE.splitlines():  # the whole line, if it fits
        if right in line and len(line) < 70 and "[[statistics]]" not in line:
            written = line.replace(right, wrong)
    return Mistake(what, written, message, remedy, text=FILE.replace(right, wrong).encode())


def encoded(what, encoding, message, remedy):
    text = FILE.replace("north", "nörth").encode(encoding)
    return Mistake(what, f"survey.toml in {encoding}", message, remedy, text=text)


def command(what, words, message, remedy, code=64):
    written = "lastbit " + " ".join(f'"{word}"' if " " in word else word for word in words)
    return Mistake(what, written, message, remedy, command=tuple(words), code=code)


def query(what, statement, message, remedy):
    words = ("query", "survey.toml", statement, "--epsilon", "0.1")
    return Mistake(what, statement, message, remedy, command=words)


MISTAKES = {
    "Names of columns": [
        statistic("a misspelt column",
                  'kind = "mean"\ncolumn = "incmoe"',
                  "survey.toml:13:10: there is no column 'incmoe'",
                  "did you mean 'income'?"),
        statistic("a misspelt column in `by`",
                  'kind = "count"\nby = "regoin"',
                  "survey.toml:13:6: there is no column 'regoin'",
                  "did you mean 'region'?"),
        statistic("a misspelt column in `by`, cut into ranges",
                  'kind = "count"\nby = { agee = [0, 18, 65] }',
                  "survey.toml:13:8: there is no column 'agee'",
                  "did you mean 'age'?"),
        statistic("a misspelt column in `where`",
                  'kind = "count"\nwhere = "agee >= 18"',
                  "survey.toml:13:9: `where`, character 1: there is no column 'agee'",
                  "did you mean 'age'?"),
        statistic("a column in upper case",
                  'kind = "count"\nwhere = "AGE >= 18"',
                  "survey.toml:13:9: `where`, character 1: there is no column 'AGE'",
                  "did you mean 'age'?"),
        change("a misspelt column in `[derive]`",
               "[[statistics]]",
               '[derive]\nadult = "agee >= 18"\n\n[[statistics]]',
               "survey.toml:12:9: `adult`, character 1: there is no column 'agee'",
               "did you mean 'age'?"),
        change("a derived column that is used too early",
               "[[statistics]]",
               '[derive]\nyearly = "monthly * 12"\nmonthly = "income / 12"\n\n[[statistics]]',
               "survey.toml:12:10: `yearly`, character 1: 'monthly' is derived later",
               "move line 13 above this one"),
        change("a column that is derived from itself",
               "[[statistics]]",
               '[derive]\nbonus = "bonus + 1"\n\n[[statistics]]',
               "survey.toml:12:9: `bonus`, character 1: 'bonus' is derived from itself",
               "use columns of the data, or those derived before"),
        change("a misspelt column in `unit`",
               'unit = "row"',
               'unit = { id = "persn", max_rows_per_group = 1 }',
               "survey.toml:3:15: there is no column 'persn'",
               "did you mean 'person'?"),
        change("a misspelt column in `[columns]`",
               "income = {",
               "incme = {",
               "survey.toml:9:1: there is no column 'incme'",
               "did you mean 'income'?"),
        change("a misspelt column in a table of keys",
               "[[statistics]]",
               '[keys.places]\ncolumns = ["regin", "town"]\nrows = [["north", "Ayr"]]\n\n[[statistics]]',
               "survey.toml:12:12: there is no column 'regin'",
               "did you mean 'region'?"),
        change("a misspelt column of a lookup table",
               "[[statistics]]",
               '[lookups.towns]\nfile = "towns.csv"\ncolumn = "twon"\nkey = "town"\nadd = '
               '["county"]\n\n[[statistics]]',
               "survey.toml:13:10: there is no column 'twon'",
               "did you mean 'town'?"),
    ],
    "Words of other systems": [
        statistic("`average` for `mean`",
                  'kind = "average"\ncolumn = "age"',
                  "survey.toml:12:8: there is no kind `average`",
                  "did you mean `mean`?"),
        statistic("`stddev` for `standard_deviation`",
                  'kind = "stddev"\ncolumn = "age"',
                  "survey.toml:12:8: there is no kind `stddev`",
                  "did you mean `standard_deviation`?"),
        statistic("`percentile` for `quantiles`",
                  'kind = "percentile"\ncolumn = "age"',
                  "survey.toml:12:8: there is no kind `percentile`",
                  "did you mean `quantiles`?"),
        statistic("`distinct` for `count_distinct`",
                  'kind = "distinct"\ncolumn = "town"',
                  "survey.toml:12:8: there is no kind `distinct`",
                  "did you mean `count_distinct`?"),
        statistic("`total` for `sum`",
                  'kind = "total"\ncolumn = "age"',
                  "survey.toml:12:8: there is no kind `total`",
                  "did you mean `sum`?"),
        statistic("`group_by` for `by`",
                  'kind = "count"\ngroup_by = "region"',
                  "survey.toml:13:1: the kind `count` has no key `group_by`",
                  "did you mean `by`?"),
        statistic("`filter` for `where`",
                  'kind = "count"\nfilter = "age >= 18"',
                  "survey.toml:13:1: the kind `count` has no key `filter`",
                  "did you mean `where`?"),
        statistic("`columns` for `column`",
                  'kind = "mean"\ncolumns = "age"',
                  "survey.toml:13:1: the kind `mean` has no key `columns`",
                  "did you mean `column`?"),
        statistic("`column` for `columns`",
                  'kind = "correlation"\ncolumn = ["age", "income"]',
                  "survey.toml:13:1: the kind `correlation` has no key `column`",
                  "did you mean `columns`?"),
        change("`min` and `max` for `lower` and `upper`",
               "upper = 120",
               "max = 120",
               "survey.toml:8:38: the column 'age' has no key `max`",
               "did you mean `upper`?"),
        change("`eps` for `epsilon`",
               "epsilon = 1",
               "eps = 1",
               "survey.toml:4:12: `budget` has no key `eps`",
               "did you mean `epsilon`?"),
        change("`dataset` for `source`",
               "source =",
               "dataset =",
               "survey.toml:2:1: the file has no key `dataset`",
               "did you mean `source`?"),
        change("`privacy_unit` for `unit`",
               'unit = "row"',
               'privacy_unit = "row"',
               "survey.toml:3:1: the file has no key `privacy_unit`",
               "did you mean `unit`?"),
        change("`id_column` for `id`",
               'unit = "row"',
               'unit = { id_column = "person", max_rows_per_group = 1 }',
               "survey.toml:3:10: `unit` has no key `id_column`",
               "did you mean `id`?"),
        change("`string` for `text`",
               "region = {",
               'region = { type = "string",',
               "survey.toml:7:19: `type` cannot be 'string'",
               "did you mean `text`?"),
        change("`number` as a type",
               'type = "integer", lower = 0, upper = 120',
               'type = "number", lower = 0, upper = 120',
               "survey.toml:8:16: `type` cannot be 'number'",
               'write "integer" for whole numbers, "real" for others'),
        change("`datetime` for `timestamp`",
               "[[statistics]]",
               '[columns.day]\ntype = "datetime"\n\n[[statistics]]',
               "survey.toml:12:8: `type` cannot be 'datetime'",
               "did you mean `timestamp`?"),
    ],
    "Numbers, bounds and budgets": [
        statistic("a sum without bounds",
                  'kind = "sum"\ncolumn = "hours"',
                  "survey.toml:13:10: `sum` of 'hours' needs `lower` and `upper`",
                  "write the smallest and the largest value that should count, from what is publicly known: "
                  'hours = { type = "integer", lower = 0, upper = 100 } in [columns], or bounds = "auto" here'),
        statistic("`lower` above `upper`",
                  'kind = "sum"\ncolumn = "age"\nlower = 50\nupper = 10',
                  "survey.toml:15:9: `upper` = 10 is not above `lower` = 50",
                  "make `lower` smaller than `upper`"),
        statistic("a list as `bounds`",
                  'kind = "sum"\ncolumn = "age"\nbounds = [0, 100]',
                  "survey.toml:14:10: `bounds` is a list",
                  'write lower = 0 and upper = 100, or bounds = "auto"'),
        change("a text as a bound",
               "upper = 120",
               'upper = "old"',
               "survey.toml:8:46: `upper` is 'old', which is not a number",
               'write a number, as in 0.5, 1e-6 or "1/3"'),
        change("a decimal comma",
               "epsilon = 1",
               'epsilon = "0,5"',
               "survey.toml:4:22: `epsilon` is '0,5', which is not a number",
               "write 0.5, with a decimal point"),
        change("a decimal comma without quotes",
               "epsilon = 1,",
               "epsilon = 0,5,",
               "survey.toml:4:25: a number has a comma in it",
               "write a decimal point, as in 0.5, and large numbers as 200000 or 200_000"),
        change("a large number with commas",
               "upper = 100_000",
               'upper = "100,000"',
               "survey.toml:9:49: `upper` is '100,000', which is not a number",
               "write 100000, or 100.000 if the comma is a decimal point"),
        change("a budget of zero",
               "epsilon = 1",
               "epsilon = 0",
               "survey.toml:4:22: `epsilon` is 0",
               "write a number above 0"),
        change("a negative budget",
               "epsilon = 1",
               "epsilon = -1",
               "survey.toml:4:22: `epsilon` is -1",
               "write a number above 0"),
        change("`epsilon` outside the budget",
               'budget = { epsilon = 1, ledger = "survey.ledger" }',
               "epsilon = 1",
               "survey.toml:4:1: `epsilon` belongs in `budget`",
               'write budget = { epsilon = 1, ledger = "survey.ledger" }'),
        statistic("a percentage as confidence",
                  'kind = "count"\nconfidence = 95',
                  "survey.toml:13:14: `confidence` is 95",
                  "write 0.95: a number between 0 and 1, not a percentage"),
        statistic("a percent sign",
                  'kind = "count"\nconfidence = "95%"',
                  "survey.toml:13:14: `confidence` is '95%', which is not a number",
                  "write 0.95, without a percent sign"),
        statistic("groups whose keys nobody listed",
                  'kind = "count"\nby = "town"',
                  "survey.toml:13:6: nothing says which values of 'town' are public",
                  "list them as `keys` of the column, or add discover = { delta = 1e-8 } here and add delta = "
                  "1e-6 to the budget"),
        statistic("discovery without a delta in the budget",
                  'kind = "count"\nby = "town"\ndiscover = { delta = 1e-8 }',
                  "survey.toml:14:22: discovering keys needs a delta, and the budget has none",
                  "add delta = 1e-6 to the budget, or list the `keys` and remove `discover`"),
        statistic("a share of numbers",
                  'kind = "share"\ncolumn = "age"',
                  "survey.toml:13:10: 'age' holds integers, and `share` needs true and false",
                  'derive a condition, as in [derive] yes = "age = 1", and write column = "yes"'),
        statistic("more than the budget",
                  'kind = "count"\nepsilon = 2',
                  "survey.toml:13:11: the losses up to here add up to 2, more than the budget's 1",
                  "ask for less, or raise the budget"),
    ],
    "TOML": [
        statistic("a text without quotes",
                  "kind = count",
                  "survey.toml:12:8: 'count' is not in quotes",
                  'write kind = "count"'),
        statistic("an expression without quotes",
                  'kind = "count"\nwhere = age > 18',
                  "survey.toml:13:9: this is not a value",
                  "put texts and expressions in quotes"),
        statistic("a quote that is not closed",
                  'kind = "count',
                  "survey.toml:12:14: a text has no closing quote",
                  "end it with the quote that it begins with"),
        statistic("typographic quotes",
                  "kind = “count”",
                  "survey.toml:12:8: “ is a typographic quote",
                  'write straight quotes, as in "north"'),
        statistic("double quotes inside double quotes",
                  'kind = "count"\nwhere = "region = "north""',
                  "survey.toml:13:20: the text ends at its second quote",
                  'write quotes inside a text as single ones: "region = \'north\'"'),
        statistic("a colon for =",
                  'kind: "count"',
                  "survey.toml:12:5: `kind` is followed by a colon",
                  "write kind = …"),
        statistic("no =",
                  'kind "count"',
                  "survey.toml:12:6: there is no = after `kind`",
                  "write kind = …"),
        statistic("a key twice",
                  'kind = "count"\nby = "region"\nby = "age"',
                  "survey.toml:14:6: `by` is given twice",
                  "remove one, or begin another table above it, such as [[statistics]]"),
        statistic("a comment with //",
                  'kind = "count"\n// by region',
                  "survey.toml:13:1: this is not a comment",
                  "begin comments with #"),
        statistic("a day that does not exist",
                  'kind = "count"\nby = { day = [2026-01-01, 2026-02-30] }',
                  "survey.toml:13:37: this is not a valid date",
                  "write a date such as 2026-03-01, without quotes"),
        statistic("`True` for `true`",
                  'kind = "count"\nby = "region"\ntotals = True',
                  "survey.toml:14:10: this is not a value",
                  "write true or false, in lower case"),
        statistic("a list that is not closed",
                  'kind = "count"\nby = ["region"',
                  "survey.toml:13:16: a list has no closing bracket",
                  "end it with ]"),
        change("a table in braces over several lines",
               "budget = { epsilon = 1,",
               "budget = {\n  epsilon = 1,",
               "survey.toml:4:11: a table in braces goes on in the next line",
               "write it in one line, or as a table of its own: [budget], and its keys below, one per line"),
        change("one pair of brackets",
               "[[statistics]]",
               "[statistics]",
               "survey.toml:11:1: `statistics` is a table",
               "write [[statistics]] with two brackets, once for each statistic"),
        change("[columns] twice",
               "[[statistics]]",
               '[columns]\ntown = { type = "text" }\n\n[[statistics]]',
               "survey.toml:11:1: [columns] is in the file twice",
               "write all its keys below the first one"),
        change("a key below the wrong table",
               "[[statistics]]",
               "confidence = 0.9\n\n[[statistics]]",
               "survey.toml:11:1: `confidence` is below [columns], where only columns belong",
               "move it above [columns]"),
        encoded("a file in UTF-16",
                "utf-16",
                "survey.toml:1:1: the file is UTF-16",
                "save it as UTF-8"),
        encoded("a file in Latin-1",
                "latin-1",
                "survey.toml:7:22: the file is not UTF-8 here",
                "save it as UTF-8"),
    ],
    "Files and commands": [
        command("a data file as release file",
                ("release", "survey.csv"),
                "survey.csv: this is a data file, not a release file",
                "lastbit init survey.csv --out survey.toml writes one", code=65),
        command("a spreadsheet as release file",
                ("release", "survey.xlsx"),
                "survey.xlsx: this is a spreadsheet, not a release file",
                "save the sheet as CSV; then lastbit init survey.csv --out survey.toml writes one", code=65),
        command("a ledger as release file",
                ("release", "survey.ledger"),
                "survey.ledger: this is a ledger or another database, not a release file",
                "name the release file; lastbit ledger show survey.ledger shows a ledger", code=65),
        command("a release file as data file",
                ("init", "survey.toml"),
                "survey.toml: this is a release file, not a data file",
                "name the data, as in lastbit init survey.csv; lastbit plan survey.toml shows what this file "
                "releases", code=65),
        command("a folder",
                ("release", "."),
                ".: is a folder",
                "name a release file in it", code=65),
        command("a misspelt release file",
                ("release", "servey.toml"),
                "servey.toml: cannot be found",
                "did you mean survey.toml?", code=65),
        command("a misspelt data file",
                ("init", "survy.csv"),
                "survy.csv: cannot be found",
                "did you mean survey.csv?", code=65),
        command("a ledger that does not exist",
                ("release", "other.toml"),
                "other.ledger: there is no ledger yet",
                "create one for all releases about these people, with the most that they may spend together: "
                "lastbit ledger init other.ledger --epsilon 1", code=65),
        command("a ledger with too little left",
                ("release", "costly.toml"),
                "'survey.ledger': epsilon 3 is asked for, and epsilon 2 is left of epsilon 2",
                "ask for less; nothing was spent", code=1),
        command("a misspelt command",
                ("relase", "survey.toml"),
                "there is no command 'relase'",
                "did you mean release?"),
        command("a misspelt option",
                ("release", "survey.toml", "--dry-rum"),
                "release: there is no option '--dry-rum'",
                "did you mean --dry-run?"),
        command("a query without a price",
                ("query", "survey.toml", "SELECT count(*) FROM data"),
                "query: no price was given",
                "say what a whole statement may cost: --epsilon 0.2, or --rho 0.01"),
        command("a price with a comma",
                ("query", "survey.toml", "SELECT count(*) FROM data", "--epsilon", "0,5"),
                "query: '0,5' cannot be the value of --epsilon",
                "write a decimal point, as in 0.5"),
        command("a statement without quotes",
                ("query", "survey.toml", "SELECT", "count(*)", "FROM", "data", "--epsilon", "0.1"),
                "query: the statement is split into several arguments",
                'put it in double quotes, as in lastbit query survey.toml "SELECT count(*) FROM data" '
                "--epsilon 0.1"),
        command("the statement before the dataset",
                ("query", "SELECT count(*) FROM data", "survey.toml", "--epsilon", "0.1"),
                "query: the first argument is the statement, not the dataset",
                "give the dataset first, then the statement in quotes", code=65),
    ],
    "SQL": [
        query("a misspelt column",
              "SELECT avg(incmoe) FROM data",
              "query:1:12: there is no column 'incmoe'",
              "did you mean 'income'?"),
        query("a misspelt column in GROUP BY",
              "SELECT regoin, count(*) FROM data GROUP BY regoin",
              "query:1:44: there is no column 'regoin'",
              "did you mean 'region'?"),
        query("a misspelt column in WHERE",
              "SELECT count(*) FROM data WHERE agee > 18",
              "query:1:33: there is no column 'agee'",
              "did you mean 'age'?"),
        query("double quotes around a text",
              'SELECT count(*) FROM data WHERE region = "north"',
              "query:1:42: there is no column 'north'",
              "did you mean the text 'north'? Texts go in single quotes, columns in double quotes"),
        query("typographic quotes",
              "SELECT count(*) FROM data WHERE region = ‘north’",
              "query:1:42: '‘' is not SQL",
              "write texts in straight single quotes, as in 'north'"),
        query("== for =",
              "SELECT count(*) FROM data WHERE age == 18",
              "query:1:37: '==' is not SQL",
              "write =, which compares"),
        query("=> for >=",
              "SELECT count(*) FROM data WHERE age => 18",
              "query:1:37: '=>' is not SQL",
              "write >="),
        query("&& for AND",
              "SELECT count(*) FROM data WHERE age > 18 && age < 65",
              "query:1:42: '&&' is not SQL",
              "write AND"),
        query("= NULL",
              "SELECT count(*) FROM data WHERE age = NULL",
              "query:1:37: = NULL holds in no row",
              "write IS NULL"),
        query("ILIKE",
              "SELECT count(*) FROM data WHERE region ILIKE 'n%'",
              "query:1:40: there is no ILIKE",
              "compare in lower case: lower(region) LIKE 'n%'"),
        query("AVERAGE",
              "SELECT AVERAGE(age) FROM data",
              "query:1:8: there is no function 'AVERAGE'",
              "did you mean avg?"),
        query("a percentage as level",
              "SELECT quantile(age, 90) FROM data",
              "query:1:22: the level 90 is not between 0 and 1",
              "write 0.9 for 90 %, and 0.5 for the median"),
        query("two columns after DISTINCT",
              "SELECT count(DISTINCT region, town) FROM data",
              "query:1:31: count(DISTINCT …) takes one column",
              "join the columns into one text: count(DISTINCT region || ' ' || town)"),
        query("no GROUP BY",
              "SELECT region, count(*) FROM data",
              "query:1:8: 'region' is not aggregated, and GROUP BY is missing",
              "add GROUP BY region"),
        query("all columns",
              "SELECT * FROM data",
              "query:1:8: SELECT * shows rows of people, which cannot be released",
              "ask for aggregates: SELECT count(*), avg(age)"),
        query("OFFSET",
              "SELECT region, count(*) FROM data GROUP BY region LIMIT 10 OFFSET 5",
              "query:1:60: OFFSET is not supported",
              "leave it out, and skip rows of the answer yourself: that costs nothing"),
        query("TOP",
              "SELECT TOP 10 region, count(*) FROM data GROUP BY region",
              "query:1:8: TOP is not supported",
              "write LIMIT 10 at the end"),
        query("HAVING",
              "SELECT region, count(*) FROM data GROUP BY region HAVING count(*) > 5",
              "query:1:51: HAVING looks at the exact answers",
              "leave it out, and filter the released answers yourself: that costs nothing"),
        query("IF",
              "SELECT IF(age < 18, 1, 0) AS minor, count(*) FROM data GROUP BY minor",
              "query:1:8: there is no function 'IF'",
              "write CASE WHEN age < 18 THEN 'minor' ELSE 'adult' END"),
        query("another table",
              "SELECT count(*) FROM people",
              "query:1:22: there is no table 'people'",
              "FROM can be survey, data"),
        query("a file after FROM",
              "SELECT count(*) FROM survey.csv",
              "query:1:22: FROM names a table, not a file",
              "FROM can be survey, data"),
        query("a name for the table",
              "SELECT count(*) FROM data d",
              "query:1:27: the table needs no other name",
              "remove it, and name columns without a table before them"),
        query("a comma too many",
              "SELECT count(*), FROM data",
              "query:1:18: a column or an aggregate is expected here, not 'FROM'",
              "remove the comma, or write a column or an aggregate there"),
        query("two statements",
              "SELECT count(*) FROM data; SELECT avg(age) FROM data",
              "query:1:26: a second statement follows",
              "ask one question at a time"),
        query("a sum without bounds",
              "SELECT sum(hours) FROM data",
              "query:1:12: 'hours' has no bounds",
              "say which values count, from what is publicly known: sum(clamp(hours, LOWER, UPPER))"),
        query("groups whose keys nobody listed",
              "SELECT town, count(*) FROM data GROUP BY town",
              "query:1:42: nothing says which values of 'town' are public",
              "list the `keys` of the column in the dataset, or add --discover-delta 1e-7 here and delta = "
              "1e-6 to its budget"),
    ],
}

PAGE = """\
# Typical mistakes

{count} mistakes that people make in release files, commands and SQL, with what `lastbit` says about them. Nothing is
spent by a mistake, and no message quotes a value of a row. A test makes each of them and compares the words; these
tables are written from its own (`tests/cli/mistakes.py`).

Where a release file is wrong, it is this one, with one part replaced or another statistic:

```toml
{file}```

A place such as `survey.toml:13:10` is the file, the line and the character in it; `query:1:8` is a character of the
statement. All problems of a file are reported at once. With `--json`, place, problem and remedy are separate fields.

Contents: {contents}
"""


def code(text):
    """The text as code in a cell of a table, whatever it holds."""
    lines = []
    for line in text.splitlines():
        line = line.replace("|", "\\|")
        lines.append(f"`` {line} ``" if "`" in line else f"`{line}`")
    return "<br>".join(lines)


def page():
    """docs/mistakes.md."""
    def anchor(section):
        return section.lower().replace(",", "").replace(" ", "-")

    contents = " ·\n".join(f"[{section.lower() if section not in ('SQL', 'TOML') else section}](#{anchor(section)})"
                           for section in MISTAKES)
    parts = [PAGE.format(count=sum(map(len, MISTAKES.values())), file=FILE, contents=contents)]
    for section, mistakes in MISTAKES.items():
        parts.append(f"\n## {section}\n\n| mistake | written | message | remedy |\n|---|---|---|---|\n")
        for one in mistakes:
            parts.append(f"| {one.what} | {code(one.written)} | {code(one.message)} | {code(one.remedy)} |\n")
    return "".join(parts)


if __name__ == "__main__":
    print(page(), end="")
