// The release files of release_test_support.h.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "lastbit/engines/duckdb/release_test_support.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit::engine {
namespace {

template <std::size_t N>
std::string one_of(Dice& dice, const std::array<const char*, N>& choices) {
  return choices[static_cast<std::size_t>(dice.below(N))];
}

// Groups: the columns of `by` and what else a statistic with them needs. Keys of `born` and
// `visits` are discovered.
struct Groups {
  std::string by;
  std::string further;
};

constexpr auto kDiscover = "discover = { delta = 1e-9 }\n";

Groups some_groups(Dice& dice, bool discovers) {
  switch (dice.below(discovers ? 9 : 5)) {
    case 0:
      return {};
    case 1:
      return {"'town'", ""};
    case 2:
      return {"'year'", ""};
    case 3:
      return {"'town', 'year'", ""};
    case 4:
      return {"'member', 'year'", "keys = 'pairs'\n"};
    case 5:
      return {"'born'", kDiscover};
    case 6:
      return {"'year', 'born'", kDiscover};
    case 7:
      return {"'born', 'visits'", kDiscover};
    default:
      return {"'visits', 'member'", kDiscover};
  }
}

std::string columns(Dice& dice, std::int64_t tables) {
  const std::string weight = one_of<4>(
      dice, {"lower = -4.05, upper = 8", "lower = '-1/3', upper = 1e6",
             "lower = 2, upper = 2.5, nulls = { impute = 2.25 }", "lower = -1e-3, upper = 1e-9"});
  const std::string visits =
      one_of<3>(dice, {"lower = 0, upper = 4", "lower = -9, upper = -1", "lower = -1, upper = 7"});
  std::string text = "[columns]\n";
  if (tables > 0) {
    text +=
        fmt::format("table = {{ type = 'integer', keys = {{ from = 0, to = {} }} }}\n", tables - 1);
  }
  text += fmt::format(
      "id = {{ type = 'integer' }}\n"
      "town = {{ type = 'text', keys = ['Ayr', 'Bath', '', 'Ely'] }}\n"
      "year = {{ type = 'integer', keys = {{ from = 1999, to = 2001 }} }}\n"
      "weight = {{ type = 'real', {} }}\n"
      "visits = {{ type = 'integer', {} }}\n"
      "member = {{ type = 'boolean' }}\n"
      "born = {{ type = 'date' }}\n"
      "[keys.pairs]\ncolumns = ['member', 'year']\n"
      "rows = [[true, 1999], [false, 2000], [true, 2002]]\n",
      weight, visits);
  return text;
}

std::vector<std::string> kinds(Dice& dice) {
  return {"count'\n",
          "count'\ncolumn = 'weight'\n",
          "sum'\ncolumn = 'weight'\n",
          "sum'\ncolumn = 'visits'\n" +
              one_of<2>(dice, {"", "lower = -1\nupper = 7\nnulls = { impute = 3 }\n"}),
          "mean'\ncolumn = '" + one_of<2>(dice, {"weight", "visits"}) + "'\n",
          "variance'\ncolumn = '" + one_of<2>(dice, {"weight", "visits"}) + "'\n",
          "standard_deviation'\ncolumn = '" + one_of<2>(dice, {"weight", "visits"}) + "'\n",
          "covariance'\ncolumns = ['weight', 'visits']\n",
          "ratio'\ncolumns = ['weight', 'visits']\n",
          "sum'\ncolumn = 'weight'\nbounds = 'auto'\nnulls = 'drop'\n",
          "mean'\ncolumn = 'weight'\nbounds = { auto = true, share = 0.25 }\nnulls = 'drop'\n",
          "correlation'\ncolumns = ['visits', 'weight']\n",
          "histogram'\ncolumn = 'town'\ncategories = ['Cork', 'Ayr', 'Ely']\nother = " +
              one_of<2>(dice, {"true", "false"}) + "\n",
          "histogram'\ncolumn = 'year'\ncategories = { from = 1998, to = 2001 }\n",
          "histogram'\ncolumn = 'weight'\nbins = [-4, '-1/8', 0, 0.375, 8]\n",
          "quantiles'\ncolumn = 'weight'\nquantiles = [0, 0.3, 0.5, '6/7']\nlower = -4.05\n"
          "upper = 8\nstep = 1.5\n",
          "quantiles'\ncolumn = 'visits'\nquantiles = [0.9, 1]\nstep = '3/2'\n",
          "median'\ncolumn = 'weight'\nlower = -4\nupper = 8\n",
          "min'\ncolumn = 'visits'\n",
          "max'\ncolumn = 'visits'\nstep = 2\n",
          "top'\ncolumn = 'town'\nk = " + one_of<2>(dice, {"1", "3"}) + "\n"};
}

std::string listed(const std::string& first, const std::string& rest) {
  if (first.empty() && rest.empty()) return "";
  return "by = [" + first + (first.empty() || rest.empty() ? "" : ", ") + rest + "]\n";
}

}  // namespace

std::string PeopleRelease::text(Dice& dice) const {
  const bool discovers = budget.find("delta") != std::string::npos;
  std::string out = "version = 1\n" + source + "\nunit = ";
  out += rows_are_units ? "'row'\n"
                        : fmt::format("{{ id = 'id', max_rows_per_group = {}, max_groups = {} }}\n",
                                      max_rows, max_groups);
  out += "budget = { " + budget + ", ledger = 'l' }\n" + columns(dice, tables);
  const std::string table = tables > 0 ? "'table'" : "";
  // Two sorts of groups per file, so that statistics share scans.
  const std::array<Groups, 2> groups = {some_groups(dice, discovers), some_groups(dice, discovers)};
  std::vector<std::string> all = kinds(dice);
  if (!rows_are_units) all.emplace_back("count_units'\n");
  for (const std::string& kind : all) {
    Groups some = groups[static_cast<std::size_t>(dice.below(2))];
    // Bounds are not found together with keys.
    if (kind.find("auto") != std::string::npos && !some.further.empty()) some = {"'year'", ""};
    out += fmt::format("[[statistics]]\nname = '{}'\nkind = '{}{}{}", dice.word(), kind,
                       listed(table, some.by), some.further);
  }
  // These are not by their own columns, where all values of a group are one.
  out += "[[statistics]]\nname = 'members'\nkind = 'share'\ncolumn = 'member'\nnulls = " +
         one_of<2>(dice, {"'drop'", "{ impute = true }"}) + "\n" +
         listed(table, one_of<2>(dice, {"", "'town'"}));
  out += "[[statistics]]\nname = 'values'\nkind = 'count_distinct'\ncolumn = 'visits'\n" +
         listed(table, one_of<3>(dice, {"", "'town'", "'year'"}));
  if (!discovers) return out;
  out += "[[statistics]]\nname = 'found'\nkind = 'histogram'\ncolumn = 'born'\n" +
         listed(table, one_of<2>(dice, {"", "'year'"})) + kDiscover;
  out += "[[statistics]]\nname = 'best'\nkind = 'top'\nk = 2\ncolumn = 'visits'\n" +
         listed(table, one_of<2>(dice, {"", "'town'"})) + kDiscover;
  return out;
}

TEST(PeopleReleaseTest, EveryKindIsAskedForAndEveryFileCanBePlanned) {
  const Scratch scratch;
  Dice dice(6);
  written(scratch, "people.csv", random_people(dice, 1, 3), Writing::kCsv);
  std::set<std::string> kinds_seen;
  for (const std::string budget :
       {"epsilon = 1", "epsilon = 1, delta = 1e-6", "rho = 1, delta = 1e-6"}) {
    for (const bool rows_are_units : {false, true}) {
      PeopleRelease release{.rows_are_units = rows_are_units, .budget = budget};
      for (int i = 0; i < 5; ++i) {
        for (const PlannedStatistic& s : planned(scratch, release.text(dice)).statistics) {
          kinds_seen.insert(std::string(name_of(s.statistic.kind)));
        }
      }
    }
  }
  EXPECT_EQ(kinds_seen.size(), kind_names().size());
}

}  // namespace lastbit::engine
