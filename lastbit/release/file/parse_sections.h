// A release file and its parts. For this module only.
#pragma once

#include "lastbit/release/expressions/implied_keys.h"
#include "lastbit/release/file/public_files.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/table_reader.h"

namespace lastbit::release_internal {

// parse_document: the release that a document says; `filename` is for errors.
// Fails  as parse_release.
ReleaseFile parse_document(const TomlValue& document, const std::string& filename,
                           const ReadPublicTable& read, const ReadSchema& schema);

// table_in: the table that an entry holds, or null and a problem; `example` says what to write.
const TomlTable* table_in(const TomlEntry& entry, std::string_view example, Problems& problems);

// require_one_file: notes a problem unless the path is of one file on this machine: no URL, and no
// pattern.
void require_one_file(const Located<std::string>& path, std::string_view key, Problems& problems);

// Each reads one part of the file into the release, and notes what is wrong.
void parse_source(TableReader& root, ReleaseFile& release);
// parse_server_source: whether the entry names a table on a server, which it then reads.
bool parse_server_source(const TomlEntry& entry, const std::string& name, Source& source,
                         Problems& problems);
void parse_unit(TableReader& root, ReleaseFile& release);
void parse_budget(TableReader& root, ReleaseFile& release);
void parse_columns(TableReader& root, const PublicFiles& files, ReleaseFile& release);
// parse_lookups: the columns that are looked up. Those that are looked up by a column in [derive]
// are returned, to be added after these.
std::vector<Derivation> parse_lookups(TableReader& root, const PublicFiles& files,
                                      ReleaseFile& release);
// parse_public_source: one file that an entry names as [source] does, in the usual notation.
std::optional<Source> parse_public_source(const TomlEntry& entry, Problems& problems);
// parse_derived: requires that the columns have been read.
void parse_derived(TableReader& root, ReleaseFile& release);
void parse_tables(TableReader& root, const PublicFiles& files, ReleaseFile& release);
// add_implied_keys: the values that a derived column can only have are its keys, unless the file
// lists others. `work` as in implied_keys.
void add_implied_keys(Derivation& derivation, ReleaseFile& release, std::size_t& work);
// keyed_columns: the columns whose public values the file says, and whose type, as far as it is
// declared, is that of these.
std::vector<KeyedColumn> keyed_columns(const ReleaseFile& release);
// parse_group_columns: what `by` names. Ranges and parts of dates are derived columns, which it
// adds to the release.
std::optional<std::vector<Located<std::string>>> parse_group_columns(const TomlValue& by,
                                                                     ReleaseFile& release,
                                                                     std::size_t& work,
                                                                     Problems& problems);
// StatisticDefaults: what the file says for all statistics, as far as they do not say it
// themselves.
struct StatisticDefaults {
  Located<Rational> confidence{Rational(19, 20)};
  std::optional<Located<Rational>> suppress_above = std::nullopt;
};
StatisticDefaults parse_defaults(TableReader& root);
// parse_statistics: requires that the other parts have been read.
void parse_statistics(TableReader& root, const StatisticDefaults& defaults, ReleaseFile& release);

// check_release: checks what concerns several parts: names, keys, the sum of the losses.
void check_release(const ReleaseFile& release, Problems& problems);
// fill_types: where the format declares no types, a column in use gets the type that the file
// declares, otherwise that of its keys, otherwise text; a column of numbers must have its type
// declared. Afterwards every column in use is in `columns`.
void fill_types(ReleaseFile& release, Problems& problems);
// check_types: whether columns can be used as the release uses them, where their types are known.
void check_types(const ReleaseFile& release, Problems& problems);

// parse_publication: the key `title` and the table [publication].
void parse_publication(TableReader& root, ReleaseFile& release);
// parse_noun: what one unit is called, and several: `noun` of the table [unit].
std::optional<Noun> parse_noun(TableReader& reader);
// parse_wording: the keys of a column and of a statistic that are for readers.
ColumnWording parse_column_wording(TableReader& reader);
StatisticWording parse_statistic_wording(TableReader& reader);
// date_wording: the words for groups of dates by this part, such as "month".
ColumnWording date_wording(std::string_view part, std::optional<TimePeriod> period);
// add_usual_words: those that the file does not give itself.
void add_usual_words(ColumnWording& wording, ColumnWording usual);
// check_labels: whether labels are those of public keys.
void check_labels(const ReleaseFile& release, Problems& problems);

// parse_condition: the key `where`.
std::optional<WrittenExpression> parse_condition(TableReader& reader);
// resolve_expressions: gives derived columns and conditions their expressions. `row` holds the
// columns of the data that expressions can use.
void resolve_expressions(ReleaseFile& release, std::vector<RowColumn> row,
                         std::vector<RefusedColumn> others, Problems& problems);

// check_zones: whether the rules of time zones are those whose digests [zones] lists.
void check_zones(TableReader& root);

// parse_confidence: the key `confidence`, a number between 0 and 1.
std::optional<Located<Rational>> parse_confidence(TableReader& reader);
// positive_number, probability: a key whose number is above 0; one strictly between 0 and 1.
std::optional<Located<Rational>> positive_number(TableReader& reader, std::string_view key);
std::optional<Located<Rational>> probability(TableReader& reader, std::string_view key);
// require_increasing: notes a problem and returns false unless lower < upper.
bool require_increasing(const Located<Rational>& lower, const Located<Rational>& upper,
                        Problems& problems);

// discovery_remedy: what to add so that keys are discovered, with what the budget lacks for it.
std::string discovery_remedy(const ReleaseBudget& budget);

// The most rows and groups of one unit that a file may ask for.
inline constexpr std::int64_t kMaxContribution = 1'000'000'000;

}  // namespace lastbit::release_internal
