#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/release/expressions/implied_keys.h"
#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit::release_internal {
namespace {

const std::vector<std::string>& all_keys() {
  static const std::vector<std::string> kKeys = {"name",          "kind",
                                                 "column",        "columns",
                                                 "lower",         "upper",
                                                 "nulls",         "by",
                                                 "keys",          "discover",
                                                 "bins",          "categories",
                                                 "other",         "quantiles",
                                                 "step",          "k",
                                                 "epsilon",       "rho",
                                                 "weight",        "accuracy",
                                                 "confidence",    "max_rows_per_group",
                                                 "max_groups",    "expected_rows",
                                                 "where",         "totals",
                                                 "bounds",        "suppress_above",
                                                 "title",         "notes",
                                                 "interval_share"};
  return kKeys;
}

// StatisticParser: one entry of [[statistics]].
class StatisticParser {
 public:
  StatisticParser(const TomlTable& table, FilePosition position, const StatisticDefaults& defaults,
                  ReleaseFile& release, std::size_t& work, Problems& problems)
      : reader_(table, position, "a statistic", problems),
        problems_(problems),
        release_(release),
        key_work_(work) {
    statistic_.position = position;
    statistic_.confidence = defaults.confidence;
    statistic_.suppress_above = defaults.suppress_above;
  }

  // The statistic, or nothing if it has problems.
  std::optional<Statistic> parse() {
    const TomlEntry* kind = reader_.require("kind", "write kind = \"count\"");
    if (kind == nullptr) {
      // Without a kind, nothing is known about the other keys, except that `kind` may be misspelt.
      for (const std::string& key : all_keys()) reader_.find(key);
      reader_.finish();
      return std::nullopt;
    }
    if (!parse_kind(kind->value)) return std::nullopt;
    parse_discovery();
    parse_groups();
    parse_totals();
    parse_share();
    parse_contribution();
    parse_suppression();
    statistic_.where = parse_condition(reader_);
    statistic_.expected_rows = reader_.whole("expected_rows", 1, std::int64_t{1} << 40);
    if (const auto confidence = parse_confidence(reader_)) statistic_.confidence = *confidence;
    statistic_.wording = parse_statistic_wording(reader_);
    if (const auto name = reader_.text("name")) statistic_.name = *name;
    statistic_.wording.named = !statistic_.name.value.empty();
    reader_.finish(all_keys());
    if (!complete_) return std::nullopt;
    if (statistic_.name.value.empty()) statistic_.name = {default_name(), reader_.position()};
    return statistic_;
  }

 private:
  // fail: the statistic cannot be made; the reason has been or will be noted by the reader.
  void fail() { complete_ = false; }
  void fail(FilePosition position, std::string problem, std::string remedy) {
    problems_.add(position, std::move(problem), std::move(remedy));
    complete_ = false;
  }

  // The kind that `value` names; if there is none, notes a problem and returns false.
  bool parse_kind(const TomlValue& value) {
    const auto name = read_text(value, "`kind`", problems_);
    if (!name) return false;
    KindReader keys(release_, reader_, *name);
    const std::string before = reader_.what();
    reader_.rename(fmt::format("the kind {}", in_code(*name)));
    auto read = read_kind(*name, keys);
    if (!read) {
      reader_.rename(before);
      problems_.add(value.position, fmt::format("there is no kind {}", in_code(*name)),
                    did_you_mean(*name, kind_names()));
      return false;
    }
    kind_ = read->name;
    if (!read->kind) fail();
    if (read->kind) statistic_.kind = std::move(*read->kind);
    return true;
  }

  void parse_discovery() {
    const TomlEntry* entry = reader_.find("discover");
    if (entry == nullptr) return;
    const std::string example = "discover = { delta = 1e-8 }";
    const auto* table = std::get_if<TomlTable>(&entry->value.content);
    if (table == nullptr) {
      wrong_kind(entry->value, "`discover`", example, problems_);
      return fail();
    }
    TableReader reader(*table, entry->value.position, "`discover`", problems_);
    reader.require("delta", "write " + example);
    const auto delta = probability(reader, "delta");
    const auto threshold = reader.whole("threshold", 1, kMaxContribution);
    reader.finish();
    if (!delta) return fail();
    statistic_.discover = Discovery{*delta, threshold};
  }

  void parse_groups() {
    if (const TomlEntry* by = reader_.find("by")) {
      const auto columns = parse_group_columns(by->value, release_, key_work_, problems_);
      if (!columns) fail();
      statistic_.by = columns.value_or(statistic_.by);
    }
    if (const TomlEntry* keys = reader_.find("keys")) parse_group_tables(*keys);
    for (const auto& column : statistic_.by) find_keys(column);
    const TomlEntry* discover = reader_.find("discover");
    if (discover != nullptr && !discovers_ && !discovers_categories(statistic_.kind) && complete_) {
      fail(discover->position, "`discover` has nothing to discover: all keys are public",
           "remove it, or the keys that are listed");
    }
  }

  void parse_group_tables(const TomlEntry& entry) {
    const auto names = read_texts(entry.value, "`keys`", problems_);
    if (!names) return fail();
    for (const auto& name : *names) {
      const KeyTable* table = release_.find_table(name.value);
      if (table == nullptr) {
        std::vector<std::string> known;
        for (const KeyTable& other : release_.tables) known.push_back(other.name.value);
        fail(name.position, fmt::format("there is no table [keys.{}]", name.value),
             known.empty() ? "add it, with `columns` and `rows`" : did_you_mean(name.value, known));
        continue;
      }
      for (const auto& column : table->columns) cover(column.value, name);
    }
    statistic_.tables = *names;
  }

  // The column gets its keys from the table `name`, unless another table came first.
  void cover(const std::string& column, const Located<std::string>& name) {
    if (std::ranges::find(statistic_.by, column, &Located<std::string>::value) ==
        statistic_.by.end()) {
      fail(name.position,
           fmt::format("{} holds keys of {}, which is not in `by`", in_code(name.value),
                       quote(column)),
           "add the column to `by`, or use another table");
    } else if (std::ranges::find(covered_, column) != covered_.end()) {
      fail(name.position, fmt::format("two tables hold keys of {}", quote(column)), "remove one");
    }
    covered_.push_back(column);
  }

  void find_keys(const Located<std::string>& column) {
    if (std::ranges::find(covered_, column.value) != covered_.end()) return;
    const ColumnDeclaration* declared = release_.find_column(column.value);
    if (declared != nullptr && declared->keys) return;
    discovers_ = true;
    if (reader_.find("discover") != nullptr) return;
    complete_ = false;
    problems_.add_about(
        column, fmt::format("nothing says which values of {} are public", quote(column.value)),
        fmt::format("list them as `keys` of the column{}, or {}",
                    release_.find_derived(column.value) == nullptr
                        ? ""
                        : " or of the one that it is derived from, as in keys = { from = "
                          "2026-01-01, to = 2026-12-31 }",
                    discovery_remedy(release_.budget)));
  }

  void parse_totals() {
    const TomlEntry* entry = reader_.find("totals");
    if (entry == nullptr) return;
    const auto* wanted = std::get_if<bool>(&entry->value.content);
    if (wanted == nullptr) {
      wrong_kind(entry->value, "`totals`", "true or false", problems_);
      return fail();
    }
    if (!*wanted || !complete_) return;
    // Every further column doubles the number of tables.
    constexpr std::size_t kMostColumns = 6;
    if (statistic_.by.empty() || statistic_.by.size() > kMostColumns) {
      return fail(entry->position,
                  fmt::format("`totals` needs 1 to {} columns in `by`", kMostColumns),
                  statistic_.by.empty() ? "group by a column, or remove it"
                                        : "group by fewer columns, or remove it");
    }
    if (finds_bounds(statistic_.kind)) {
      return fail(entry->position, "`totals` does not go with bounds that are found",
                  "remove it, or write `lower` and `upper`");
    }
    if (!adds_up(statistic_.kind)) {
      return fail(entry->position,
                  fmt::format("`totals` does not go with the kind {}", in_code(kind_)),
                  "remove it: the answers about groups do not add up to that about all of them");
    }
    if (discovers_ || discovers_categories(statistic_.kind)) {
      return fail(entry->position, "`totals` does not go with discovered keys",
                  "remove it: the rare keys that are not found would be missing in the totals");
    }
    statistic_.totals = true;
  }

  void parse_share() {
    constexpr std::array<std::pair<std::string_view, ShareKind>, 4> kKeys{
        {{"weight", ShareKind::kWeight},
         {"epsilon", ShareKind::kEpsilon},
         {"rho", ShareKind::kRho},
         {"accuracy", ShareKind::kAccuracy}}};
    std::string_view before;
    for (const auto& [key, kind] : kKeys) {
      const TomlEntry* entry = reader_.find(key);
      if (entry == nullptr) continue;
      if (!before.empty()) {
        fail(entry->position,
             fmt::format("{} is given together with {}", in_code(key), in_code(before)),
             "keep one: a loss (epsilon or rho), a weight, or an accuracy");
      }
      before = key;
      const auto number = positive_number(reader_, key);
      if (!number) fail();
      if (number) statistic_.share = {kind, number->value, number->position};
      if (kind == ShareKind::kRho &&
          release_.budget.usual_accounting() != LossKind::kConcentrated) {
        fail(entry->position, "`rho` is given, but the budget counts epsilons",
             "write `epsilon`, or write `rho` in the budget");
      }
      if (kind == ShareKind::kAccuracy && !takes_accuracy(kind_)) {
        fail(entry->position,
             fmt::format("`accuracy` does not go with the kind {}", in_code(kind_)),
             "write `epsilon` or `weight`: how far the answer is off depends on the data");
      }
    }
  }

  void parse_contribution() {
    const auto* unit = std::get_if<IdUnit>(&release_.unit);
    // If units are rows, these two keys are unknown, and finish() says so.
    if (unit == nullptr) return;
    const auto rows = reader_.whole("max_rows_per_group", 1, kMaxContribution);
    const auto groups = reader_.whole("max_groups", 1, kMaxContribution);
    statistic_.max_rows_per_group = rows ? rows->value : unit->max_rows_per_group;
    if (statistic_.by.empty()) {
      if (groups) fail(groups->position, "`max_groups` is given without `by`", "remove it");
      return;
    }
    if (!groups && !unit->max_groups) {
      return fail(statistic_.by.front().position,
                  "nothing says how many groups one unit may count in",
                  "add `max_groups` to `unit`, or here");
    }
    statistic_.max_groups = groups ? groups->value : *unit->max_groups;
  }

  // What the file says for all statistics holds for those with intervals.
  void parse_suppression() {
    const bool fits = !complete_ || has_intervals(statistic_.kind);
    if (!fits) statistic_.suppress_above.reset();
    const TomlEntry* entry = reader_.find("suppress_above");
    if (entry == nullptr) return;
    if (!fits) {
      return fail(entry->position,
                  fmt::format("`suppress_above` does not go with the kind {}", in_code(kind_)),
                  "remove it: these answers have no intervals");
    }
    statistic_.suppress_above = positive_number(reader_, "suppress_above");
    if (!statistic_.suppress_above) fail();
  }

  // As in mean_income_by_region.
  std::string default_name() const {
    std::string name(name_of(statistic_.kind));
    Statistic ungrouped = statistic_;
    ungrouped.by.clear();
    for (const auto& column : columns_of(ungrouped)) name += "_" + column.value;
    if (!statistic_.by.empty()) name += "_by";
    for (const auto& column : statistic_.by) name += "_" + column.value;
    return name;
  }

  TableReader reader_;
  Problems& problems_;
  ReleaseFile& release_;
  std::size_t& key_work_;
  Statistic statistic_{};
  std::string kind_;
  std::vector<std::string> covered_;  // group columns whose keys come from tables
  bool discovers_ = false;
  bool complete_ = true;
};

// Weights are compared with each other, so one of them gives all the rest the weight 1.
void fill_weights(std::vector<Statistic>& statistics) {
  const auto has_share = [](ShareKind kind) {
    return [kind](const Statistic& statistic) { return statistic.share.kind == kind; };
  };
  if (std::ranges::none_of(statistics, has_share(ShareKind::kWeight))) return;
  for (Statistic& statistic : statistics) {
    if (statistic.share.kind == ShareKind::kPlanned) statistic.share.kind = ShareKind::kWeight;
  }
}

}  // namespace

StatisticDefaults parse_defaults(TableReader& root) {
  StatisticDefaults defaults;
  if (const auto confidence = parse_confidence(root)) defaults.confidence = *confidence;
  defaults.suppress_above = positive_number(root, "suppress_above");
  return defaults;
}

void parse_statistics(TableReader& root, const StatisticDefaults& defaults, ReleaseFile& release) {
  const std::string example = "add [[statistics]] and kind = \"count\"";
  const TomlEntry* entry = root.require("statistics", example);
  if (entry == nullptr) return;
  Problems& problems = root.problems();
  const auto* array = std::get_if<TomlArray>(&entry->value.content);
  if (array == nullptr || array->empty()) {
    return wrong_kind(entry->value, "`statistics`",
                      "[[statistics]] with two brackets, once for each statistic", problems);
  }
  if (array->size() > ReleaseFile::kMaxStatistics) {
    return problems.add(entry->position, fmt::format("there are {} statistics", array->size()),
                        fmt::format("a file has at most {}", ReleaseFile::kMaxStatistics));
  }
  std::size_t work = kKeyWork;
  for (const TomlValue& element : *array) {
    if (problems.full()) return;
    const auto* table = std::get_if<TomlTable>(&element.content);
    if (table == nullptr) {
      wrong_kind(element, "a statistic", "[[statistics]], and its keys below", problems);
      continue;
    }
    auto statistic =
        StatisticParser(*table, element.position, defaults, release, work, problems).parse();
    // A statistic that is left out must stop the release, or only half the file would be used.
    invariant(statistic || !problems.empty(), "a statistic was left out without a problem");
    if (statistic) release.statistics.push_back(std::move(*statistic));
  }
  fill_weights(release.statistics);
}

}  // namespace lastbit::release_internal
