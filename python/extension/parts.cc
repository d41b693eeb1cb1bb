// Rows that lie elsewhere: the engine that asks a function of Python for parts of answers, and what
// makes these parts in another process.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/engines/engines.h"
#include "lastbit/engines/parts/part_maker.h"
#include "lastbit/engines/parts/parts_engine.h"
#include "lastbit/engines/parts/unit_keys.h"
#include "python/extension/bindings.h"
#include "python/extension/held_rows.h"
#include "python/extension/interpreter.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

// FarEngine: public tables are files, and read as such.
class FarEngine final : public PartsEngine {
 public:
  using PartsEngine::PartsEngine;
  PublicTable read_public(const Source& source,
                          const std::vector<std::string>& columns) const override {
    return engine_for_files().read_public(source, columns);
  }
};

nb::bytes bytes_of(std::string_view text) { return nb::bytes(text.data(), text.size()); }
std::string text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

std::vector<std::string> texts_of(nb::handle parts) {
  std::vector<std::string> texts;
  for (const nb::handle part : parts) texts.push_back(text_of(nb::cast<nb::bytes>(part)));
  return texts;
}

// sums_of: for each column its name, its bounds, and in how many parts a whole is cut, as whole
// numbers or floats. Nothing is rounded.
nb::list sums_of(std::span<const engine::SummedField> fields) {
  nb::list sums;
  for (const engine::SummedField& field : fields) {
    const nb::str name(field.column.name.c_str());
    if (field.column.type == FieldType::kInteger) {
      sums.append(nb::make_tuple(name, field.lowest, field.highest, 1));
    } else {
      sums.append(nb::make_tuple(name, field.lower, field.upper, std::ldexp(1.0, -field.exponent)));
    }
  }
  return sums;
}

// asking: what calls the function, in the thread that asks.
AskParts asking(const nb::object& ask) {
  return [ask](const std::string& question, const RowsNeeded& needed) {
    const PythonRuns python_runs;
    nb::list columns;
    for (const std::string& column : needed.columns) columns.append(nb::str(column.c_str()));
    nb::object merged = nb::none();
    if (needed.merged) merged = sums_of(needed.sums);
    const nb::object given =
        ask(bytes_of(question), columns, needed.by_unit, nb::str(needed.unit.c_str()), merged);
    PartTexts parts;
    for (const nb::handle of_one : given) parts.push_back(texts_of(of_one));
    return parts;
  };
}

HeldRows far_rows(nb::handle capsule, const std::string& name, const nb::object& ask) {
  return {std::make_shared<const FarEngine>(read_stream(capsule, name)->schema(), asking(ask))};
}

// FarPartMaker: the streams that it is given lie in this process.
class FarPartMaker {
 public:
  FarPartMaker(const std::string& question, std::string place)
      : place_(std::move(place)), maker_(engine::decode_question(question), place_) {}
  FarPartMaker(const FarPartMaker&) = delete;
  FarPartMaker& operator=(const FarPartMaker&) = delete;

  void add(nb::handle capsule) {
    const auto rows = read_stream(capsule, place_);
    const OthersRun others_run;
    maker_.add(*rows);
  }
  using Sum = std::tuple<std::string, std::string, std::string>;
  void add_merged(nb::handle capsule, const std::string& times, const std::vector<Sum>& sums) {
    const auto rows = read_stream(capsule, place_);
    const OthersRun others_run;
    engine::PartMaker::MergedNames names{times, {}};
    for (const auto& [column, present, total] : sums) {
      names.sums.push_back({column, present, total});
    }
    maker_.add_merged(*rows, names);
  }
  nb::list finish() {
    nb::list parts;
    for (const std::string& part : finished()) parts.append(bytes_of(part));
    return parts;
  }

 private:
  std::vector<std::string> finished() {
    const OthersRun others_run;
    return maker_.finish();
  }

  std::string place_;
  engine::PartMaker maker_;
};

// KeyBuffers: keys as the buffers of an array of Arrow.
class KeyBuffers {
 public:
  void take(const FieldBatch& keys, std::size_t rows) {
    const bool texts = std::holds_alternative<std::span<const std::string_view>>(keys.values);
    for (std::size_t row = 0; row < rows; ++row) {
      const bool there = !keys.is_missing(row);
      if (rows_ % 8 == 0) validity_ += '\0';
      if (there) validity_.back() = static_cast<char>(validity_.back() | 1 << (rows_ % 8));
      ++rows_;
      if (!texts) {
        add_number(values_, there ? keys.value<std::int64_t>(row) : 0);
        continue;
      }
      if (there) values_ += keys.value<std::string_view>(row);
      if (values_.size() > INT32_MAX) throw std::bad_alloc();
      add_number(offsets_, static_cast<std::int32_t>(values_.size()));
    }
  }
  std::tuple<nb::bytes, nb::bytes, nb::bytes> buffers() const {
    return {bytes_of(values_), bytes_of(offsets_), bytes_of(validity_)};
  }

 private:
  template <class Number>
  static void add_number(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  std::size_t rows_ = 0;
  std::string values_;
  std::string offsets_ = std::string(sizeof(std::int32_t), '\0');
  std::string validity_;
};

class FarUnitKeys {
 public:
  FarUnitKeys(const std::string& question, std::string place)
      : place_(std::move(place)), keys_(engine::decode_question(question).aggregations.at(0)) {}
  FarUnitKeys(const FarUnitKeys&) = delete;
  FarUnitKeys& operator=(const FarUnitKeys&) = delete;
  bool is_text() const { return keys_.is_text(); }
  std::tuple<nb::bytes, nb::bytes, nb::bytes> of(nb::handle capsule) {
    KeyBuffers buffers;
    keys_.give(*read_stream(capsule, place_),
               [&](const FieldBatch& keys, std::size_t rows) { buffers.take(keys, rows); });
    return buffers.buffers();
  }

 private:
  std::string place_;
  engine::UnitKeys keys_;
};

nb::bytes merged_parts(const nb::bytes& question, std::size_t number, nb::handle parts) {
  const engine::PartQuestion asked = engine::decode_question(text_of(question));
  const std::vector<std::string> texts = texts_of(parts);
  const OthersRun others_run;
  const std::string merged =
      engine::encode_partial(engine::merge_parts(asked.aggregations.at(number), asked.key, texts));
  const PythonRuns python_runs;
  return bytes_of(merged);
}

}  // namespace

void define_parts(nb::module_& module) {
  module.def("far_rows", far_rows, nb::arg("capsule").none(), nb::arg("name"), nb::arg("ask"));
  nb::class_<FarPartMaker>(module, "PartMaker")
      .def(
          "__init__",
          [](FarPartMaker* made, const nb::bytes& question, std::string place) {
            new (made) FarPartMaker(text_of(question), std::move(place));
          },
          nb::arg("question"), nb::arg("place"))
      .def("add", &FarPartMaker::add, nb::arg("capsule").none())
      .def("add_merged", &FarPartMaker::add_merged, nb::arg("capsule").none(), nb::arg("times"),
           nb::arg("sums"))
      .def("finish", &FarPartMaker::finish);
  nb::class_<FarUnitKeys>(module, "UnitKeys")
      .def(
          "__init__",
          [](FarUnitKeys* made, const nb::bytes& question, std::string place) {
            new (made) FarUnitKeys(text_of(question), std::move(place));
          },
          nb::arg("question"), nb::arg("place"))
      .def("is_text", &FarUnitKeys::is_text)
      .def("of", &FarUnitKeys::of, nb::arg("capsule").none());
  module.def("merge_parts", merged_parts, nb::arg("question"), nb::arg("number"), nb::arg("parts"));
}

}  // namespace lastbit::python
