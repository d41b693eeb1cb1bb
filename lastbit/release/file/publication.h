// What a release file says for its readers: titles, labels, notes and how numbers are written.
//
// None of it is part of what the file means: it changes no answer, no price and no digest. All of
// it is published.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/file/columns.h"

namespace lastbit {

// NumberFormat: how a page writes numbers. name_of: as the file writes it, which is an example.
enum class NumberFormat : std::uint8_t {
  kCommas,       // 1,234.5
  kSpaces,       // 1 234,5
  kDots,         // 1.234,5
  kApostrophes,  // 1'234.5
};
std::string_view name_of(NumberFormat format);

// Noun: what a unit is called, one of them and several.
struct Noun {
  std::string one;
  std::string many;
  friend bool operator==(const Noun&, const Noun&) = default;
};

// Publication: about the whole release. Texts may be empty.
struct Publication {
  // Notes are longer than names.
  static constexpr std::size_t kMaxNoteBytes = 2000;
  static constexpr std::size_t kMaxNotes = 20;

  std::string publisher;
  std::string period;
  std::string licence;
  std::string contact;
  std::vector<std::string> notes;
  std::string language;  // a BCP 47 tag: that of the texts here, of titles and labels
  NumberFormat number_format = NumberFormat::kCommas;
  std::optional<Noun> noun;  // of the unit
  friend bool operator==(const Publication&, const Publication&) = default;
};

// TimePeriod: what the keys of a column stand for, each named by its first day, or a year by its
// number.
enum class TimePeriod : std::uint8_t { kDay, kWeek, kMonth, kQuarter, kYear };

// ColumnWording: how people read a column and its keys.
struct ColumnWording {
  std::string label;  // may be empty
  std::string unit;   // may be empty
  // Labels by the text of their keys (text_of).
  std::map<std::string, Located<std::string>, std::less<>> labels;
  std::optional<TimePeriod> period = std::nullopt;  // if the keys are times
  bool ranges = false;                              // whether the keys are ranges, in order
  friend bool operator==(const ColumnWording&, const ColumnWording&) = default;
};

// StatisticWording: how people read a statistic.
struct StatisticWording {
  std::string title;  // may be empty
  std::vector<std::string> notes;
  bool named = false;  // whether the file gives its name
  bool total = false;  // whether it adds up the groups of another statistic, which has these words
  friend bool operator==(const StatisticWording&, const StatisticWording&) = default;
};

}  // namespace lastbit
