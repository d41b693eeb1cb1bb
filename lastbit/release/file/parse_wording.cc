// What a release file says for its readers.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit::release_internal {
namespace {

std::string text_or_nothing(TableReader& reader, std::string_view key) {
  const auto text = reader.text(key);
  return text ? text->value : "";
}

// A note: one line, which may be longer than a name.
std::optional<std::string> read_note(const TomlValue& value, Problems& problems) {
  const auto* text = std::get_if<std::string>(&value.content);
  if (text == nullptr) {
    wrong_kind(value, "`notes`", "a text, or a list of texts", problems);
    return std::nullopt;
  }
  bool plain = !text->empty() && text->size() <= Publication::kMaxNoteBytes;
  for (std::size_t at = 0; plain && at < text->size();) {
    const TextCharacter next = first_character(std::string_view(*text).substr(at));
    plain = next.printable || next.joins;
    at += next.bytes;
  }
  if (plain) return *text;
  problems.add(value.position,
               fmt::format("a note is empty, longer than {} bytes or has control characters",
                           Publication::kMaxNoteBytes),
               "write one paragraph per text, in a list");
  return std::nullopt;
}

std::vector<std::string> parse_notes(TableReader& reader) {
  const TomlEntry* entry = reader.find("notes");
  if (entry == nullptr) return {};
  const auto* list = std::get_if<TomlArray>(&entry->value.content);
  if (list != nullptr && (list->empty() || list->size() > Publication::kMaxNotes)) {
    reader.problems().add(entry->value.position,
                          fmt::format("`notes` has {} entries", list->size()),
                          fmt::format("write 1 to {} texts", Publication::kMaxNotes));
    return {};
  }
  std::vector<std::string> notes;
  for (const TomlValue& value : list != nullptr ? *list : TomlArray{entry->value}) {
    auto note = read_note(value, reader.problems());
    if (!note) return {};
    notes.push_back(*std::move(note));
  }
  return notes;
}

// Whether a text has the form of a language tag (BCP 47): letters, then parts of letters and
// digits.
bool is_language(std::string_view tag) {
  constexpr std::size_t kMostBytes = 35;
  constexpr std::size_t kMostPart = 8;
  if (tag.size() > kMostBytes) return false;
  for (bool first = true;; first = false) {
    const std::string_view part = tag.substr(0, tag.find('-'));
    const bool fits = std::ranges::all_of(part, [&](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (!first && is_digit(c));
    });
    const std::size_t least = first ? 2 : 1;
    if (!fits || part.size() < least || part.size() > kMostPart) return false;
    if (part.size() == tag.size()) return true;
    tag.remove_prefix(part.size() + 1);
  }
}

std::string parse_language(TableReader& reader) {
  const auto tag = reader.text("language");
  if (!tag || is_language(tag->value)) return tag ? tag->value : "";
  reader.problems().add(
      tag->position, fmt::format("`language` is {}, which is no language tag", quote(tag->value)),
      "write a tag such as \"en\", \"de\" or \"pt-BR\"");
  return "";
}

NumberFormat parse_number_format(TableReader& reader) {
  constexpr std::array kNumberFormats = {NumberFormat::kCommas, NumberFormat::kSpaces,
                                         NumberFormat::kDots, NumberFormat::kApostrophes};
  const auto text = reader.text("number_format");
  if (!text) return NumberFormat::kCommas;
  const auto* const format = std::ranges::find(
      kNumberFormats, text->value, [](NumberFormat one) { return std::string(name_of(one)); });
  if (format != kNumberFormats.end()) return *format;
  reader.problems().add(text->position,
                        fmt::format("`number_format` cannot be {}", quote(text->value)),
                        "write one of \"1,234.5\", \"1 234,5\", \"1.234,5\" and \"1'234.5\"");
  return NumberFormat::kCommas;
}

// KnownKeys: the public keys of a column, by their texts.
class KnownKeys {
 public:
  KnownKeys(const ReleaseFile& release, const ColumnDeclaration& column) {
    if (column.keys) std::visit([&](const auto& keys) { add(keys); }, column.keys->value);
    for (const KeyTable& table : release.tables) {
      const auto place =
          std::ranges::find(table.columns, column.name.value, &Located<std::string>::value);
      if (place == table.columns.end()) continue;
      for (const auto& row : table.rows) {
        keys_.insert(text_of(row[static_cast<std::size_t>(place - table.columns.begin())]));
      }
    }
    for (const Statistic& statistic : release.statistics) {
      const Categories* categories = categories_of(statistic.kind);
      const bool grouped = std::ranges::find(statistic.by, column.name.value,
                                             &Located<std::string>::value) != statistic.by.end();
      discovered_ |= grouped && statistic.discover.has_value();
      if (categories == nullptr) continue;
      if (roles_of(statistic.kind).front().column.value != column.name.value) continue;
      std::visit([&](const auto& keys) { add(keys); }, *categories);
    }
  }

  // Where all keys are discovered, any label may turn out to be needed.
  bool any() const { return discovered_ && keys_.empty() && ranges_.empty(); }
  bool none() const { return keys_.empty() && ranges_.empty(); }
  bool holds(const std::string& text) const {
    if (keys_.contains(text)) return true;
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || std::to_string(number) != text) return false;
    return std::ranges::any_of(ranges_, [&](const KeyRange& range) {
      return range.first <= number && number <= range.last;
    });
  }
  // remedy: which keys there are, or the one that `text` was probably meant to be. Codes differ by
  // a digit from many others, so short ones are listed.
  std::string remedy(const std::string& text) const {
    constexpr std::size_t kShort = 3;
    constexpr std::size_t kMost = 12;
    constexpr std::size_t kMostCompared = 1000;
    if (none()) return "list the `keys` of the column, or remove the label";
    std::vector<std::string> texts;
    for (const KeyRange& range : ranges_) {
      texts.push_back(fmt::format("{} to {}", range.first, range.last));
    }
    std::vector<std::string> names;
    for (const std::string& key : keys_) {
      if (names.size() == kMostCompared) break;
      names.push_back(key);
      texts.push_back(in_code(key));
    }
    if (text.size() > kShort) {
      if (const auto meant = nearest_name(text, names)) {
        return fmt::format("did you mean {}?", in_code(*meant));
      }
    }
    const bool more = texts.size() > kMost;
    if (more) texts.resize(kMost);
    return fmt::format("its keys are {}{}", joined(texts, ", "), more ? ", …" : "");
  }

 private:
  void add(const KeyList& keys) {
    for (const KeyValue& key : keys) keys_.insert(text_of(key));
  }
  void add(const KeyRange& range) { ranges_.push_back(range); }
  void add(const DiscoveredKeys&) { discovered_ = true; }

  std::set<std::string> keys_;
  std::vector<KeyRange> ranges_;
  bool discovered_ = false;
};

}  // namespace

void parse_publication(TableReader& root, ReleaseFile& release) {
  release.title = text_or_nothing(root, "title");
  const TomlEntry* entry = root.find("publication");
  if (entry == nullptr) return;
  const auto* table = std::get_if<TomlTable>(&entry->value.content);
  if (table == nullptr) {
    return wrong_kind(entry->value, "`publication`", "a table [publication]", root.problems());
  }
  TableReader reader(*table, entry->position, "`publication`", root.problems());
  Publication& publication = release.publication;
  publication.publisher = text_or_nothing(reader, "publisher");
  publication.period = text_or_nothing(reader, "period");
  publication.licence = text_or_nothing(reader, "licence");
  publication.contact = text_or_nothing(reader, "contact");
  publication.notes = parse_notes(reader);
  publication.language = parse_language(reader);
  publication.number_format = parse_number_format(reader);
  reader.finish();
}

std::optional<Noun> parse_noun(TableReader& reader) {
  const TomlEntry* entry = reader.find("noun");
  if (entry == nullptr) return std::nullopt;
  // Some nouns have one form for both, which a list would call a repetition.
  TomlValue value = entry->value;
  auto* list = std::get_if<TomlArray>(&value.content);
  const auto form = [&](std::size_t i) { return std::get_if<std::string>(&(*list)[i].content); };
  const bool one_form = list != nullptr && list->size() == 2 && form(0) != nullptr &&
                        form(1) != nullptr && *form(0) == *form(1);
  if (one_form) list->pop_back();
  const auto texts = read_texts(value, "`noun`", reader.problems());
  if (!texts) return std::nullopt;
  if (one_form) return Noun{texts->front().value, texts->front().value};
  if (texts->size() > 2) {
    reader.problems().add(entry->value.position, "`noun` has more than two forms",
                          "write noun = \"household\", or both forms: [\"person\", \"people\"]");
    return std::nullopt;
  }
  const std::string& one = texts->front().value;
  return Noun{one, texts->size() == 2 ? texts->back().value : one + "s"};
}

ColumnWording parse_column_wording(TableReader& reader) {
  ColumnWording wording;
  wording.label = text_or_nothing(reader, "label");
  wording.unit = text_or_nothing(reader, "unit");
  const TomlEntry* entry = reader.find("labels");
  if (entry == nullptr) return wording;
  const auto* table = std::get_if<TomlTable>(&entry->value.content);
  if (table == nullptr || table->entries.empty()) {
    wrong_kind(entry->value, "`labels`", "labels = { 0 = \"men\", 1 = \"women\" }",
               reader.problems());
    return wording;
  }
  std::set<std::string> seen;
  for (const TomlEntry& label : table->entries) {
    if (reader.problems().full()) return wording;
    const auto text = read_text(label.value, in_code(label.key), reader.problems());
    if (!text) continue;
    if (!seen.insert(*text).second) {
      reader.problems().add(label.value.position,
                            fmt::format("two keys are called {}", quote(*text)),
                            "give each key a label of its own");
    }
    wording.labels.emplace(label.key, Located<std::string>{*text, label.position});
  }
  return wording;
}

StatisticWording parse_statistic_wording(TableReader& reader) {
  StatisticWording wording;
  wording.title = text_or_nothing(reader, "title");
  wording.notes = parse_notes(reader);
  return wording;
}

ColumnWording date_wording(std::string_view part, std::optional<TimePeriod> period) {
  ColumnWording wording;
  wording.label = part;
  wording.period = period;
  if (part != "weekday") return wording;
  constexpr std::array kDays = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                "Friday", "Saturday", "Sunday"};
  for (std::size_t i = 0; i < kDays.size(); ++i) {
    wording.labels.emplace(std::to_string(i + 1), Located<std::string>{kDays[i]});
  }
  return wording;
}

void add_usual_words(ColumnWording& wording, ColumnWording usual) {
  if (wording.label.empty()) wording.label = std::move(usual.label);
  if (wording.unit.empty()) wording.unit = std::move(usual.unit);
  if (wording.labels.empty()) wording.labels = std::move(usual.labels);
  wording.period = usual.period;
  wording.ranges = usual.ranges;
}

void check_labels(const ReleaseFile& release, Problems& problems) {
  for (const ColumnDeclaration& column : release.columns) {
    if (column.wording.labels.empty()) continue;
    const KnownKeys known(release, column);
    if (known.any()) continue;
    for (const auto& [key, label] : column.wording.labels) {
      if (problems.full()) return;
      if (known.holds(key)) continue;
      problems.add(
          label.position,
          fmt::format("{} is not a public key of {}", quote(key), quote(column.name.value)),
          known.remedy(key));
    }
  }
}

}  // namespace lastbit::release_internal
