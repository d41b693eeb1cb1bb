// Any bytes as a JSON file. The input is the file; what follows the last record separator (0x1E) is
// a record to put into it.
//
// Checked        the same is found for two sizes of blocks; nlohmann's reader, which others wrote,
//                accepts the same files and finds the same keys and texts; a record put in behind
//                another, or taken out, changes the list of records by just that record. The first
//                record is left in its place, since its keys are the columns.
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "lastbit/sources/json_file.h"
#include "tests/reading/fuzz_support.h"

namespace lastbit::source_testing {
namespace {

// OutsideReader: the records as nlohmann's reader sees them.
class OutsideReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  // Verdict: kNone where that reader is known to differ from the standard.
  enum class Verdict { kAccepted, kRefused, kNone };
  // A field's text; of a number, which it does not give as written, kNumber.
  using Fields = std::map<std::string, std::optional<std::string>>;
  static constexpr const char* kNumber = "(a number)";

  Verdict read(std::string_view file) {
    if (file.starts_with("\xef\xbb\xbf")) file.remove_prefix(3);
    // It takes a zero byte for the end.
    if (file.find('\0') != std::string_view::npos) return Verdict::kNone;
    const std::size_t first = file.find_first_not_of(" \t\r\n");
    in_array_ = first != std::string_view::npos && file[first] == '[';
    if (in_array_) return judge(read_text(file));
    bool accepted = true;
    while (!file.empty() && accepted) {
      const std::size_t size = std::min(file.find('\n'), file.size());
      const std::string_view line = file.substr(0, size);
      if (line.find_first_not_of(" \t\r") != std::string_view::npos) accepted = read_text(line);
      file.remove_prefix(std::min(size + 1, file.size()));
    }
    return judge(accepted);
  }
  const std::vector<Fields>& records() const { return records_; }

  bool null() override { return add(std::nullopt); }
  bool boolean(bool value) override { return add(value ? "true" : "false"); }
  bool number_integer(number_integer_t) override { return add(kNumber); }
  bool number_unsigned(number_unsigned_t) override { return add(kNumber); }
  bool number_float(number_float_t, const string_t&) override { return add(kNumber); }
  bool string(string_t& value) override { return add(value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    if (depth_ == record_depth()) {
      records_.emplace_back();
    } else if (!add(std::nullopt)) {
      return false;
    }
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ != record_depth() + 1) return true;
    key_ = name;
    return records_.back().emplace(name, std::nullopt).second;
  }
  bool end_object() override { return --depth_, true; }
  bool start_array(std::size_t) override {
    if (depth_ == record_depth() || (depth_ > 0 && !add(std::nullopt))) return false;
    ++depth_;
    return true;
  }
  bool end_array() override { return --depth_, true; }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberOverflow = 406;
    overflowed_ = error.id == kNumberOverflow;
    return false;
  }

 private:
  std::size_t record_depth() const { return in_array_ ? 1 : 0; }

  bool read_text(std::string_view text) {
    depth_ = 0;
    // It passes over a byte order mark in front of any text.
    return !text.starts_with("\xef\xbb\xbf") && nlohmann::json::sax_parse(text, this);
  }
  Verdict judge(bool accepted) const {
    // It refuses numbers that no double can hold.
    if (overflowed_) return Verdict::kNone;
    return accepted ? Verdict::kAccepted : Verdict::kRefused;
  }
  bool add(std::optional<std::string> text) {
    if (depth_ <= record_depth()) return false;
    if (depth_ == record_depth() + 1) records_.back()[key_] = std::move(text);
    return true;
  }

  bool in_array_ = false;
  bool overflowed_ = false;
  std::size_t depth_ = 0;
  std::string key_;
  std::vector<Fields> records_;
};

void compare_with_outside(std::string_view file, const std::optional<Found>& found) {
  OutsideReader outside;
  const OutsideReader::Verdict verdict = outside.read(file);
  if (verdict == OutsideReader::Verdict::kNone) return;
  require(found.has_value() == (verdict == OutsideReader::Verdict::kAccepted),
          "nlohmann's reader accepts the same files");
  if (!found) return;
  require(found->records.size() == outside.records().size(), "it finds as many records");
  for (std::size_t row = 0; row < found->records.size(); ++row) {
    const OutsideReader::Fields& fields = outside.records()[row];
    for (std::size_t i = 0; i < found->columns.size(); ++i) {
      const std::optional<std::string>& ours = found->records[row][i];
      const auto field = fields.find(found->columns[i]);
      if (field == fields.end() || !field->second) {
        require(!ours, "what is missing is missing");
      } else if (*field->second == OutsideReader::kNumber) {
        require(ours.has_value(), "a number is not missing");
      } else {
        require(ours == field->second, "texts are the same");
      }
    }
  }
}

class JsonFuzz {
 public:
  explicit JsonFuzz(std::string_view input) : choices_(input) {}

  void check(std::string_view file, std::optional<std::string_view> piece) {
    std::vector<Cut> cuts;
    const auto found = read(file, 1, &cuts);
    require(found == read(file, 2 + choices_.below(100)), "cuts change nothing");
    compare_with_outside(file, found);
    if (!found || cuts.empty()) return;
    // With blocks of one byte, a chunk is one line, or one element and what is before it; the end
    // of an array belongs to the last.
    in_array_ = file[cuts.front().offset] == '[';
    if (!in_array_ && file.ends_with('\n')) cuts.push_back({file.size(), found->records.size()});
    std::erase_if(cuts, [](const Cut& cut) { return cut.records == 0; });
    if (cuts.size() > 1) check_removal(file, *found, cuts);
    if (!cuts.empty() && piece) check_insertion(file, *found, cuts, *piece);
  }

 private:
  std::optional<Found> read(std::string_view file, std::size_t block_bytes,
                            std::vector<Cut>* cuts = nullptr) {
    static MemoryFile memory;
    const std::filesystem::path& path = memory.write(file);
    return read_records([&] { return std::make_unique<source::JsonFile>(path, block_bytes); },
                        cuts);
  }

  void check_removal(std::string_view file, const Found& found, const std::vector<Cut>& cuts) {
    const std::size_t i = choices_.below(cuts.size() - 1);
    const auto without =
        read(replace_part(file, cuts[i].offset, cuts[i + 1].offset, ""), 1 + choices_.below(100));
    require(without.has_value(), "a file without one of its records is valid");
    if (cuts[i].records == cuts[i + 1].records) {
      require(*without == found, "a blank line is no record");
    } else {
      const Record& removed = found.records[cuts[i].records];
      require(insert_record(*without, removed, cuts[i].records) == found,
              "a record can be removed");
    }
  }

  void check_insertion(std::string_view file, const Found& found, const std::vector<Cut>& cuts,
                       std::string_view piece) {
    std::string element = in_array_ ? "," : "";
    element.append(piece).append(in_array_ ? "" : "\n");
    // Its fields are those that it has behind the first record alone.
    const std::string behind_first = std::string(file.substr(0, cuts.front().offset)) + element;
    const auto alone = read(behind_first + (in_array_ ? "]" : ""), 1000);
    if (!alone || alone->records.size() != 2) return;
    const Cut cut = cuts[choices_.below(cuts.size())];
    const auto with =
        read(replace_part(file, cut.offset, cut.offset, element), 1 + choices_.below(100));
    require(with == insert_record(found, alone->records.back(), cut.records),
            "a record can be inserted");
  }

  bool in_array_ = false;
  Choices choices_;
};

}  // namespace
}  // namespace lastbit::source_testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto [file, piece] = lastbit::source_testing::split_last(input, '\x1e');
  lastbit::source_testing::JsonFuzz(input).check(file, piece);
  return 0;
}
