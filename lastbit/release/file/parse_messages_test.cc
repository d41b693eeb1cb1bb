// The messages about bad release files, word for word.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/release/file/test_support.h"

namespace lastbit {
namespace parse_messages_test {

struct BadFile {
  std::string what;
  std::string text;
  std::string message;
};

// In a statistic that follows kHead; its first key is in line 11.
BadFile bad_statistic(std::string body, std::string message) {
  return {body, kHead + "[[statistics]]\n" + body, "f.toml:" + message};
}
// kHead with one line replaced.
BadFile bad_head(const std::string& line, const std::string& instead, std::string message) {
  std::string text = kHead + "[[statistics]]\nkind = 'count'\n";
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  text.replace(at, line.size(), instead);
  return {instead, text, "f.toml:" + message};
}

std::vector<BadFile> bad_heads() {
  const std::string budget = "budget = { epsilon = 1, ledger = 'l' }";
  const std::string source = "source = 's.csv'";
  const std::string unit = "unit = 'row'";
  const std::string region = "region = { keys = ['n', 's'] }";
  return {
      bad_head("version = 1", "",
               "1:1: the file lacks `version`; write version = 1 in the first line"),
      bad_head("version = 1", "version = 2",
               "1:11: the file has version 2; this lastbit reads version 1"),
      bad_head("version = 1", "version = '1.5'",
               "1:11: `version` is not a whole number; write a whole number"),
      bad_head("version = 1", "version = 1\ntitel = 'x'",
               "2:1: the file has no key `titel`; did you mean `title`?"),
      bad_head(source, "", "1:1: the file lacks `source`; write source = \"survey.csv\""),
      bad_head(source, "source = 3",
               "2:10: `source` is a number; write a path, or a table [source]"),
      bad_head(source, "source = 's.dat'",
               "2:10: the end of `path` does not tell the format; add `format`: csv, tsv, parquet, "
               "json or duckdb"),
      bad_head(source, "source = 'https://x.org/s.csv'",
               "2:10: `path` is a URL; name a file on this machine; a table on a server is "
               "source = \"postgresql://host/database?table=clinic.visits\""),
      bad_head(source, "source = 'jdbc:postgresql://u:hush@h/s.csv'",
               "2:10: `path` is a URL; name a file on this machine; a table on a server is "
               "source = \"postgresql://host/database?table=clinic.visits\""),
      bad_head(source, "source = '[ab].csv'",
               "2:10: `path` is a pattern; name one file, without any of * ? ["),
      bad_head(source, "source = ''",
               "2:10: `path` is empty, longer than 200 bytes or has control characters; write one "
               "short line"),
      bad_head(source, "source = { path = 's', format = 'cvs' }",
               "2:33: `format` cannot be 'cvs'; did you mean `csv`?"),
      bad_head(source, "source = { pth = 's.csv' }",
               "2:12: a source of format csv has no key `pth`; did you mean `path`?"),
      bad_head(source, "source = { path = 's.duckdb' }",
               "2:1: a source of format duckdb lacks `table`; write table = \"survey\", the table "
               "in the file"),
      bad_head(source, "source = { path = 's.csv', table = 't' }",
               "2:28: `table` does not go with a source of format csv; remove it"),
      bad_head(source, "source = { path = 's.csv', delimiter = ';;' }",
               "2:40: `delimiter` is not one character between fields; write \",\" or \";\" or "
               "\"|\" or \"\\t\""),
      bad_head(source, "source = { path = 's.csv', null_text = ['', ''] }",
               "2:45: `null_text` is not a list of different short texts; write null_text = [\"\", "
               "\"NA\"]"),
      bad_head(source, "source = { path = 's.csv', null_text = [] }",
               "2:40: `null_text` is a list; write a text, or a list of texts"),
      bad_head(unit, "unit = true",
               "3:8: `unit` is a truth value; write \"row\", or a table [unit]"),
      bad_head(unit, "unit = { id = 'p' }",
               "3:1: `unit` lacks `max_rows_per_group`; write max_rows_per_group = 1, how many "
               "rows of a unit count per group"),
      bad_head(unit, "unit = { id = 'p', max_rows_per_group = 0 }",
               "3:41: `max_rows_per_group` is 0; write a whole number from 1 to 1000000000"),
      bad_head(unit, "unit = { id = 'p', max_rows = 2 }",
               "3:20: `unit` has no key `max_rows`; did you mean `max_rows_per_group`?"),
      bad_head(budget, "",
               "1:1: the file lacks `budget`; write budget = { epsilon = 1, ledger = "
               "\"survey.ledger\" }"),
      bad_head(budget, "budget = { epsilon = 1 }",
               "4:1: `budget` lacks `ledger`; write ledger = \"survey.ledger\", the file that "
               "remembers what was spent"),
      bad_head(budget, "budget = { ledger = 'l' }",
               "4:1: `budget` lacks `epsilon`; write epsilon = 1, the most that may be lost"),
      bad_head(budget, "budget = { epsilon = 0, ledger = 'l' }",
               "4:22: `epsilon` is 0; write a number above 0"),
      bad_head(budget, "budget = { epsilon = -0.5, ledger = 'l' }",
               "4:22: `epsilon` is -0.5; write a number above 0"),
      bad_head(budget, "budget = { epsilon = nan, ledger = 'l' }",
               "4:22: `epsilon` is not finite; write a finite number"),
      bad_head(budget, "budget = { epsilon = -inf, ledger = 'l' }",
               "4:22: `epsilon` is not finite; write a finite number"),
      bad_head(budget, "budget = { epsilon = 2024-01-01, ledger = 'l' }",
               "4:22: `epsilon` is a date; write a number, as in 0.5 or \"1/3\""),
      bad_head(budget, "budget = { epsilon = 12:00:00, ledger = 'l' }",
               "4:22: `epsilon` is a time; write a number, as in 0.5 or \"1/3\""),
      bad_head(
          budget, "budget = { epsilon = '1/0', ledger = 'l' }",
          "4:22: `epsilon` is '1/0', which is not a number of at most 300 digits; write a number, "
          "as in 0.5, 1e-6 or \"1/3\""),
      bad_head(budget, "budget = { epsilon = '1e301', ledger = 'l' }",
               "4:22: `epsilon` is '1e301', which is not a number of at most 300 digits; write a "
               "number, as in 0.5, 1e-6 or \"1/3\""),
      bad_head(
          budget, "budget = { epsilon = '1e20000000', ledger = 'l' }",
          "4:22: `epsilon` is '1e20000000', which is not a number of at most 300 digits; write a "
          "number, as in 0.5, 1e-6 or \"1/3\""),
      bad_head(budget, "budget = { epsilon = 1, delta = 1, ledger = 'l' }",
               "4:33: `delta` is 1; write a number between 0 and 1, both excluded"),
      bad_head(budget, "budget = { epsilon = 1, delta = 0.0, ledger = 'l' }",
               "4:33: `delta` is 0; write a number between 0 and 1, both excluded"),
      bad_head(budget, "budget = { epsilon = 1, rho = 1, ledger = 'l' }",
               "4:31: `rho` is given together with `epsilon`; say how much may be lost "
               "in one "
               "way: rho or epsilon, each with a delta or without"),
      bad_head(budget, "budget = { epsilon = 1, accounting = 'concentrated', ledger = 'l' }",
               "4:38: `accounting` cannot be 'concentrated' with these losses; pure takes epsilon; "
               "approximate takes epsilon and delta; concentrated takes rho, or epsilon and delta"),
      bad_head(
          budget, "budget = { epsilon = 1, accounting = 'renyi', ledger = 'l' }",
          "4:38: `accounting` cannot be 'renyi'; use one of `pure`, `approximate`, `concentrated`"),
      bad_head(region, "region = 'text'",
               "8:10: `region` is a text; write region = { type = \"text\" }"),
      bad_head(region, "region = { tpye = 'text' }",
               "8:12: the column 'region' has no key `tpye`; did you mean `type`?"),
      bad_head(region, "region = { type = 'int' }",
               "8:19: `type` cannot be 'int'; did you mean `integer`?"),
      bad_head(region, "region = { keys = [] }",
               "8:19: `keys` is an empty list; list at least one key"),
      bad_head(region, "region = { keys = ['n', 's', 'n'] }",
               "8:30: this key is listed twice in `keys`; remove one"),
      bad_head(region, "region = { keys = ['n', 1] }",
               "8:25: the keys in `keys` are of different types; write all of them as texts, or "
               "all as whole numbers"),
      bad_head(region, "region = { keys = [1.5] }",
               "8:20: a key in `keys` is not a whole number; write a whole number"),
      bad_head(region, "region = { keys = { from = 2, to = 1 } }",
               "8:28: the range of `keys` is empty; make `from` at most `to`"),
      bad_head(region, "region = { keys = { from = 1, to = 1000001 } }",
               "8:28: the range of `keys` is too long; a column has at most 1000000 keys"),
      bad_head(region, "region = { nulls = 'zero' }",
               "8:20: `nulls` is neither \"drop\" nor { impute = … }; write nulls = \"drop\" or "
               "nulls = { impute = 0 }"),
      bad_head(region, "region = { lower = 1, upper = 0.5 }",
               "8:31: `upper` = 0.5 is not above `lower` = 1; make `lower` smaller than `upper`"),
      bad_head(region, "region = { keys = [true] }\nregion = {}",
               "9:10: `region` is given twice; remove one, or begin another table above it, such "
               "as [[statistics]]"),
      bad_head("[columns]", "[keys.t]\ncolumns = ['a', 'b']\nrows = [['x']]\n[columns]",
               "7:9: a row of `t` does not have one key per column; write a list of 2 keys"),
      bad_head("[columns]", "[keys.t]\ncolumns = ['a', 'a']\nrows = [['x', 'y']]\n[columns]",
               "6:17: 'a' is listed twice in `columns`; remove one"),
      bad_head("[columns]", "[keys.t]\ncolumns = 'a'\nrows = [['x'], ['x']]\n[columns]",
               "7:16: this row is listed twice; remove one"),
      bad_head("[columns]", "[keys.t]\ncolumns = 'a'\nrows = [['x'], [1]]\n[columns]",
               "7:17: the keys of this column are of different types; write all of them as texts, "
               "or all as whole numbers"),
  };
}

std::vector<BadFile> bad_statistics() {
  return {
      bad_statistic("", "10:1: a statistic lacks `kind`; write kind = \"count\""),
      bad_statistic("knd = 'count'", "11:1: a statistic has no key `knd`; did you mean `kind`?"),
      bad_statistic("kind = 'avg'", "11:8: there is no kind `avg`; did you mean `mean`?"),
      bad_statistic("kind = 'frobnicate'",
                    "11:8: there is no kind `frobnicate`; use one of `count`, `count_units`, "
                    "`count_distinct`, `sum`, `mean`, `share`, `variance`, `standard_deviation`, "
                    "`covariance`, `correlation`, `ratio`, `histogram`, …"),
      bad_statistic("kind = 'ratio'\ncolumns = ['age', 'income']\nlower = 3",
                    "13:9: `lower` is not a list of two numbers; write one per column, as in "
                    "[0, 18]"),
      bad_statistic("kind = 'correlation'\ncolumns = ['income']",
                    "12:11: a correlation needs two columns; write columns = [\"age\", "
                    "\"income\"]"),
      bad_statistic("kind = 'correlation'\ncolumns = ['age', 'income']\naccuracy = 0.1",
                    "13:1: `accuracy` does not go with the kind `correlation`; write `epsilon` or "
                    "`weight`: how far the answer is off depends on the data"),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nbounds = 'automatic'",
                    "13:10: `bounds` is not \"auto\"; write bounds = \"auto\", bounds = { auto = "
                    "true, share = 0.2 }, or `lower` and `upper`"),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nbounds = { auto = true, shar = 0.2 }",
                    "13:25: `bounds` has no key `shar`; did you mean `share`?"),
      bad_statistic("kind = 'mean'\ncolumn = 'income'\nbounds = { auto = true, share = 1 }",
                    "13:33: `share` is 1; write a number between 0 and 1, both excluded"),
      bad_statistic("kind = 'mean'\ncolumn = 'income'\nbounds = 'auto'\nlower = 0",
                    "14:1: `lower` does not go with the kind `mean`; remove it"),
      bad_statistic(
          "kind = 'mean'\ncolumn = 'income'\nbounds = 'auto'\nnulls = { impute = 1 }",
          "14:20: bounds are found from values in the data, not from imputed ones; write nulls = "
          "\"drop\" in the statistic, or `lower` and `upper`"),
      bad_statistic("kind = 'count_distinct'",
                    "10:1: the kind `count_distinct` lacks `column`; write column = \"income\""),
      bad_statistic(
          "kind = 'count_distinct'\ncolumn = 'income'\nnulls = { impute = 1 }",
          "13:20: `count_distinct` counts values in the data, and imputed ones are not in it; "
          "write nulls = \"drop\" in the statistic"),
      bad_statistic("kind = 'sum'\ncolum = 'income'",
                    "12:1: the kind `sum` has no key `colum`; did you mean `column`?"),
      bad_statistic("kind = 'sum'",
                    "10:1: the kind `sum` lacks `column`; write column = \"income\""),
      bad_statistic("kind = 'sum'\ncolumn = ['income']",
                    "12:10: `column` is a list; write a text in quotes"),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nbins = [0, 1]",
                    "13:1: `bins` does not go with the kind `sum`; remove it"),
      bad_statistic("kind = 'sum'\ncolumn = 'wealth'",
                    "12:10: `sum` of 'wealth' needs `lower` and `upper`; write the smallest and "
                    "the largest value that should count, from what is publicly known: wealth = { "
                    "type = \"integer\", lower = 0, upper = 100 } in [columns], or bounds = "
                    "\"auto\" here"),
      bad_statistic("kind = 'sum'\ncolumn = 'wealth'\nlower = 0\nupper = 1",
                    "12:10: nothing says whether 'wealth' holds integers or real numbers; add type "
                    "= \"integer\" or type = \"real\" to its entry in [columns]"),
      bad_statistic(
          "kind = 'sum'\ncolumn = 'income'\nlower = 100",
          "6:49: `upper` = 100 is not above `lower` = 100; make `lower` smaller than `upper`"),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nupper = 10.5",
                    "13:9: the bound 10.5 is not a whole number of 64 bits, but 'income' holds "
                    "those; write whole bounds, or type = \"real\""),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nnulls = { impute = 101 }",
                    "13:20: `impute` is not a number between the bounds 0 and 100; impute a number "
                    "within the bounds"),
      bad_statistic(
          "kind = 'sum'\ncolumn = 'income'\nnulls = { impute = 0.5 }",
          "13:20: `impute` does not fit 'income', which holds integers; impute a value of "
          "type integer"),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nnulls = { impute = true }",
                    "13:20: `impute` is not a number between the bounds 0 and 100; impute a number "
                    "within the bounds"),
      bad_statistic("kind = 'mean'\ncolumn = 'region'\nlower = 0\nupper = 1",
                    "12:10: 'region' holds texts, and numbers are needed; use another column, or "
                    "declare its type as integer, real or decimal"),
      bad_statistic("kind = 'count'\nby = 'age'",
                    "12:6: nothing says which values of 'age' are public; list them as `keys` of "
                    "the column, or add discover = { delta = 1e-8 } here and add delta = 1e-6 to "
                    "the budget"),
      bad_statistic("kind = 'count'\nby = 'region'\ndiscover = { delta = 0.1 }",
                    "13:1: `discover` has nothing to discover: all keys are public; remove it, or "
                    "the keys that are listed"),
      bad_statistic("kind = 'count'\nby = 'town'\ndiscover = { delta = 0.1 }",
                    "13:22: discovering keys needs a delta, and the budget has none; add delta = "
                    "1e-6 to the budget, or list the `keys` and remove `discover`"),
      bad_statistic("kind = 'count'\nby = 'town'\ndiscover = { threshold = 5 }",
                    "13:12: `discover` lacks `delta`; write discover = { delta = 1e-8 }"),
      bad_statistic("kind = 'count'\nby = ['region', 'region']",
                    "12:17: 'region' is listed twice in `by`; remove one"),
      bad_statistic("kind = 'count'\nby = []",
                    "12:6: `by` is a list; write a column, a list of columns, or a table "
                    "as in { age = [0, 18, 65] }"),
      bad_statistic("kind = 'count'\nby = 'region'\nkeys = 'places'",
                    "13:8: there is no table [keys.places]; add it, with `columns` and `rows`"),
      bad_statistic("kind = 'count'\nby = 'region'\nkeys = "
                    "'place'\n[keys.places]\ncolumns='region'\nrows=[['n']]",
                    "13:8: there is no table [keys.place]; did you mean `places`?"),
      bad_statistic("kind = 'count'\nby = 'region'\nkeys = "
                    "'places'\n[keys.places]\ncolumns='town'\nrows=[['n']]",
                    "13:8: `places` holds keys of 'town', which is not in `by`; add the column to "
                    "`by`, or use another table"),
      bad_statistic("kind = 'count'\nby = 'region'\nkeys = ['a', 'b']\n[keys]\na = "
                    "{columns='region', rows=[['n']]}\nb = {columns='region', rows=[['n']]}",
                    "13:14: two tables hold keys of 'region'; remove one"),
      bad_statistic(
          "kind = 'count_units'",
          "10:1: `count_units` counts people, and here each has one row; write kind = \"count\""),
      bad_statistic("kind = 'count'\nmax_groups = 2",
                    "12:1: `max_groups` does not go with the kind `count`; remove it"),
      bad_statistic(
          "kind = 'count'\nepsilon = 0.5\nweight = 1",
          "12:1: `epsilon` is given together with `weight`; keep one: a loss (epsilon or rho), a "
          "weight, or an accuracy"),
      bad_statistic("kind = 'count'\nepsilon = 0", "12:11: `epsilon` is 0; write a number above 0"),
      bad_statistic("kind = 'count'\nrho = 1",
                    "12:1: `rho` is given, but the budget counts epsilons; write `epsilon`, or "
                    "write `rho` in the budget"),
      bad_statistic(
          "kind = 'count'\nepsilon = 1.5",
          "12:11: the losses up to here add up to 1.5, more than the budget's 1; ask for less, "
          "or raise the budget"),
      bad_statistic("kind = 'count'\nconfidence = 1",
                    "12:14: `confidence` is 1; write a number between 0 and 1, both excluded"),
      bad_statistic("kind = 'count'\nname = \"a\\nb\"",
                    "12:8: `name` is empty, longer than 200 bytes or has control characters; write "
                    "one short line"),
      bad_statistic("kind = 'covariance'\ncolumns = ['age']",
                    "12:11: a covariance needs two columns; write columns = [\"age\", \"income\"]"),
      bad_statistic("kind = 'covariance'\ncolumns = ['age', 'age']",
                    "12:19: 'age' is listed twice in `columns`; remove one"),
      bad_statistic(
          "kind = 'covariance'\ncolumns = ['age', 'income']\nlower = 0",
          "13:9: `lower` is not a list of two numbers; write one per column, as in [0, 18]"),
      bad_statistic("kind = 'histogram'\ncolumn = 'town'",
                    "12:10: nothing says which values of 'town' are public; list them as "
                    "`categories`, or as `keys` of the column, or add discover = { delta = 1e-8 } "
                    "here and add delta = 1e-6 to the budget"),
      bad_statistic(
          "kind = 'histogram'\ncolumn = 'age'\nbins = [0, 2, 2]",
          "13:15: `bins` does not increase here; list the numbers in increasing order, each once"),
      bad_statistic("kind = 'histogram'\ncolumn = 'age'\nbins = [0]",
                    "13:8: `bins` has one edge; list at least two edges, as in [0, 18, 65]"),
      bad_statistic(
          "kind = 'histogram'\ncolumn = 'age'\nbins = { from = 0, to = 1, width = 0.3 }",
          "13:36: `bins` does not divide into bins of this width; let `width` divide `to` − "
          "`from`, into at most 1000000 bins"),
      bad_statistic("kind = 'histogram'\ncolumn = 'age'\nbins = [0, 1]\ncategories = [1]",
                    "14:1: `categories` is given together with `bins`; keep `bins` for numbers, or "
                    "`categories` for names"),
      bad_statistic(
          "kind = 'histogram'\ncolumn = 'age'\ncategories = [1]",
          "12:10: 'age' holds real numbers, which cannot be compared exactly; use a column of "
          "another type, or a histogram with `bins`"),
      bad_statistic(
          "kind = 'histogram'\ncolumn = 'income'\ncategories = ['low']",
          "12:10: the keys of 'income' are of type text, but the column is of type integer; write "
          "keys as the column holds them: \"text\", 12, true or 2024-01-31"),
      bad_statistic(
          "kind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.5, 1.5]",
          "13:13: `quantiles` is not a list of at most 1000 numbers from 0 to 1; write quantiles = "
          "[0.25, 0.5, 0.75]"),
      bad_statistic("kind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.5]\naccuracy = 1",
                    "14:1: `accuracy` does not go with the kind `quantiles`; write `epsilon` or "
                    "`weight`: how far the answer is off depends on the data"),
      bad_statistic("kind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.5]\nstep = 500",
                    "14:8: `step` is wider than the bounds; write a smaller one"),
      bad_statistic("kind = 'top'\ncolumn = 'region'\nk = 0",
                    "13:5: `k` is 0; write a whole number from 1 to 10000"),
      bad_statistic("kind = 'top'\ncolumn = 'region'\nk = 3",
                    "13:5: `k` is 3, more than there are categories; write a smaller one"),
      bad_statistic("kind = 'count'\n[[statistics]]\nkind = 'count'",
                    "12:1: two statistics are called 'count', the other in line 10; give one of "
                    "them another `name`"),
      bad_statistic("kind = 'count'\nepsilon = 1\n[[statistics]]\nkind = 'mean'\ncolumn = 'age'",
                    "13:1: no budget is left for 'mean_age'; give the others less, or "
                    "raise the budget"),
  };
}

// Text that is not TOML, in a statistic.
std::vector<BadFile> not_toml() {
  return {
      bad_statistic("kind = count", "11:8: 'count' is not in quotes; write kind = \"count\""),
      bad_statistic("kind = infinite",
                    "11:11: 'infinite' is not in quotes; write kind = \"infinite\""),
      bad_statistic("where = age > 3",
                    "11:9: this is not a value; put texts and expressions in quotes"),
      bad_statistic(
          "kind = 'count",
          "11:14: a text has no closing quote; end it with the quote that it begins with"),
      bad_statistic("kind = \"count”",
                    "11:15: a text has no closing quote; write straight quotes at both ends"),
      bad_statistic("by = [\"region\", “age”]",
                    "11:17: “ is a typographic quote; write straight quotes, as in \"north\""),
      bad_statistic("kind: 'count'", "11:5: `kind` is followed by a colon; write kind = …"),
      bad_statistic("discover = { delta: 1 }",
                    "11:19: `delta` is followed by a colon; write delta = …"),
      bad_statistic("kind 'count'", "11:6: there is no = after `kind`; write kind = …"),
      bad_statistic("kind =", "11:7: nothing follows `kind` =; write its value"),
      bad_statistic(
          "epsilon = 0,5",
          "11:12: a number has a comma in it; write a decimal point, as in 0.5, and large "
          "numbers as 200000 or 200_000"),
      bad_statistic(
          "bounds = { auto = true, share = 0,5 }",
          "11:37: a number has a comma in it; write a decimal point, as in 0.5, and large "
          "numbers as 200000 or 200_000"),
      bad_statistic("upper = 200 000",
                    "11:13: a number has a space in it; write 200000 or 200_000"),
      bad_statistic("confidence = 95%",
                    "11:16: a number has a percent sign; write a fraction, as in 0.05 for 5 %"),
      bad_statistic(
          "k = 007",
          "11:8: '007' begins with a zero; leave the zero out, or write a text in quotes"),
      bad_statistic("totals = Yes", "11:10: 'Yes' is not in quotes; write totals = \"Yes\""),
      bad_statistic("totals = TRUE",
                    "11:10: this is not a value; write true or false, in lower case"),
      bad_statistic(
          "by = { age = [0, 18],\n}",
          "11:22: a table in braces goes on in the next line; write it in one line, or as a "
          "table of its own: [budget], and its keys below, one per line"),
      bad_statistic("by = ['region'", "11:15: a list has no closing bracket; end it with ]"),
      bad_statistic("-- a comment", "11:1: this is not a comment; begin comments with #"),
      bad_statistic("[columns]",
                    "11:1: [columns] is in the file twice; write all its keys below the first one"),
      bad_statistic(
          "from = 2026-02-30",
          "11:18: this is not a valid date; write a date such as 2026-03-01, without quotes"),
      bad_statistic("kind = 'count'\rby = 'n'",
                    "11:16: lines end with carriage returns alone; save the file with line feeds"),
      bad_statistic("n\xf6rth = 1", "11:2: the file is not UTF-8 here; save it as UTF-8"),
  };
}

TEST(ParseMessagesTest, TextThatIsNotTomlIsToldInPlainWords) {
  for (const BadFile& bad : not_toml()) EXPECT_EQ(verdict(bad.text), bad.message) << bad.what;
}

TEST(ParseMessagesTest, BadHeadsAreToldExactly) {
  for (const BadFile& bad : bad_heads()) EXPECT_EQ(verdict(bad.text), bad.message) << bad.what;
}

TEST(ParseMessagesTest, BadStatisticsAreToldExactly) {
  for (const BadFile& bad : bad_statistics()) EXPECT_EQ(verdict(bad.text), bad.message) << bad.what;
}

// With several rows per person, and an epsilon and a delta. Statistics begin in line 5.
const std::string kPersonsHead =
    "version = 1\nsource = 's.csv'\nbudget = { epsilon = 1, delta = 1e-6, ledger = 'l' }\n"
    "unit = { id = 'p', max_rows_per_group = 2 }\n";

TEST(ParseMessagesTest, DeltasOfDiscoveryAreAddedUp) {
  const std::string text =
      kPersonsHead +
      "[[statistics]]\nkind = 'top'\ncolumn = 'town'\nk = 2\ndiscover = { delta = 4e-7 }\n"
      "[[statistics]]\nkind = 'histogram'\ncolumn = 'town'\ndiscover = { delta = ";
  EXPECT_EQ(verdict(text + "6e-7 }"), "accepted");
  EXPECT_EQ(
      verdict(text + "6.1e-7 }"),
      "f.toml:13:22: the deltas up to here add up to 0.00000101, more than the budget's 0.000001; "
      "discover with smaller deltas, or raise the budget's");
}

TEST(ParseMessagesTest, RhosAndDeltasPayForDiscovery) {
  const auto read = [](const std::string& budget, const std::string& delta) {
    return verdict("version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { " + budget +
                   ", ledger = 'l' }\n[[statistics]]\nkind = 'count'\nby = 'town'\n"
                   "discover = { delta = " +
                   delta + " }\n");
  };
  EXPECT_EQ(read("rho = 0.1, delta = 1e-6", "1e-6"), "accepted");
  EXPECT_EQ(read("rho = 0.1", "1e-6"),
            "f.toml:8:22: discovering keys needs a delta, and the budget has none; add delta = "
            "1e-6 to the budget, or list the `keys` and remove `discover`");
  EXPECT_EQ(read("rho = 0.1, delta = 1e-6", "2e-6"),
            "f.toml:8:22: the deltas up to here add up to 0.000002, more than the budget's "
            "0.000001; discover with smaller deltas, or raise the budget's");
  EXPECT_NE(read("rho = 0.1, delta = 1", "1e-6").find("`delta`"), std::string::npos);
  // A rho for an epsilon needs some of the delta itself.
  const std::string converted = "epsilon = 1, delta = 1e-6, accounting = 'concentrated'";
  EXPECT_EQ(read(converted, "9e-7"), "accepted");
  EXPECT_EQ(read(converted, "1e-6"),
            "f.toml:8:22: the deltas up to here leave nothing of the budget's, and rhos need some "
            "of it; discover with smaller deltas, raise the budget's, or write accounting = "
            "\"approximate\" in the budget");
}

TEST(ParseMessagesTest, GroupsOfPersonsNeedABound) {
  const std::string count = kPersonsHead + "[[statistics]]\nkind = 'count'\n";
  const std::string by = count + "by = 'sex'\n";
  const std::string sex = "[columns]\nsex = { keys = ['f', 'm'] }\n";
  EXPECT_EQ(
      verdict(by + sex),
      "f.toml:7:6: nothing says how many groups one unit may count in; add `max_groups` to `unit`, "
      "or here");
  EXPECT_EQ(verdict(by + "max_groups = 1\n" + sex), "accepted");
  EXPECT_EQ(verdict(count + "max_groups = 1\n"),
            "f.toml:7:14: `max_groups` is given without `by`; remove it");
}

}  // namespace parse_messages_test
}  // namespace lastbit
