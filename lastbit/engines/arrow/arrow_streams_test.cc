// The streams of arrow_test_support.h.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "lastbit/engines/arrow/arrow_test_support.h"
#include "lastbit/engines/memory/memory_engine.h"

namespace lastbit::engine {
namespace arrow_streams_test {

// Made: what a struct of the interface points to.
template <class Struct>
struct Made {
  HandedOut* out = nullptr;
  std::string format;
  std::string name;
  std::string metadata;
  std::vector<std::unique_ptr<char[]>> bytes;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<Struct>> owned;
  std::vector<Struct*> children;
  std::unique_ptr<Struct> dictionary;
};

template <class Struct>
void release_made(Struct* given) {
  auto* made = static_cast<Made<Struct>*>(given->private_data);
  for (const auto& child : made->owned) {
    if (child->release != nullptr) child->release(child.get());
  }
  if (made->dictionary != nullptr && made->dictionary->release != nullptr) {
    made->dictionary->release(made->dictionary.get());
  }
  if (made->out->held.erase(made) != 1) ++made->out->wrong_releases;
  given->release = nullptr;
  delete made;
}

template <class Struct, class Parts, class Make>
Made<Struct>* make_part(const Parts& parts, HandedOut& out, Make make) {
  auto* made = new Made<Struct>;
  made->out = &out;
  out.held.insert(made);
  ++out.made;
  for (const Parts& child : parts.children) {
    made->owned.push_back(std::make_unique<Struct>(make(child, out)));
    made->children.push_back(made->owned.back().get());
  }
  if (!parts.dictionary.empty()) {
    made->dictionary = std::make_unique<Struct>(make(parts.dictionary.front(), out));
  }
  return made;
}

ArrowSchema make_schema(const SchemaParts& parts, HandedOut& out) {
  auto* made = make_part<ArrowSchema>(parts, out, make_schema);
  made->format = parts.format;
  made->name = parts.name;
  made->metadata = parts.metadata.value_or("");
  ArrowSchema schema = {};
  schema.format = made->format.c_str();
  schema.name = made->name.c_str();
  schema.metadata = parts.metadata ? made->metadata.data() : nullptr;
  schema.flags = ARROW_FLAG_NULLABLE;
  schema.n_children = std::ssize(made->children);
  schema.children = made->children.data();
  schema.dictionary = made->dictionary.get();
  schema.release = release_made<ArrowSchema>;
  schema.private_data = made;
  return schema;
}

ArrowArray make_array(const ArrayParts& parts, HandedOut& out) {
  auto* made = make_part<ArrowArray>(parts, out, make_array);
  for (const auto& buffer : parts.buffers) {
    made->buffers.push_back(nullptr);
    if (!buffer) continue;
    made->bytes.emplace_back(new char[buffer->size()]);
    if (!buffer->empty()) std::memcpy(made->bytes.back().get(), buffer->data(), buffer->size());
    made->buffers.back() = made->bytes.back().get();
  }
  ArrowArray array = {};
  array.length = parts.length;
  array.null_count = parts.null_count;
  array.offset = parts.offset;
  array.n_buffers = std::ssize(made->buffers);
  array.n_children = std::ssize(made->children);
  array.buffers = made->buffers.data();
  array.children = made->children.data();
  array.dictionary = made->dictionary.get();
  array.release = release_made<ArrowArray>;
  array.private_data = made;
  if (parts.is_released) array.release(&array);
  return array;
}

struct MadeStream {
  StreamParts parts;
  HandedOut* out;
  std::size_t next = 0;
};

int give_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
  const auto* made = static_cast<MadeStream*>(stream->private_data);
  if (made->parts.schema_error != 0) return made->parts.schema_error;
  *schema = make_schema(made->parts.schema, *made->out);
  return 0;
}

int give_next(ArrowArrayStream* stream, ArrowArray* array) {
  auto* made = static_cast<MadeStream*>(stream->private_data);
  if (made->next < made->parts.batches.size()) {
    *array = make_array(made->parts.batches[made->next++], *made->out);
    return 0;
  }
  array->release = nullptr;
  return made->parts.end_error;
}

void release_stream(ArrowArrayStream* stream) {
  auto* made = static_cast<MadeStream*>(stream->private_data);
  if (made->out->held.erase(made) != 1) ++made->out->wrong_releases;
  stream->release = nullptr;
  delete made;
}

using Field = std::optional<MemoryValue>;

std::string noise(TableDice& dice, std::size_t size) {
  std::string bytes;
  while (bytes.size() < size) bytes += static_cast<char>(dice.word());
  return bytes;
}

// The number that a fixed-width layout holds for a value.
Int128 stored_number(const MemoryValue& value, const std::string& format) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* decimal = std::get_if<Decimal>(&value)) return decimal->number;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  if (const auto* date = std::get_if<Date>(&value)) {
    const Int128 day = std::chrono::sys_days(*date).time_since_epoch().count();
    return format == "tdm" ? day * 86'400'000 : day;
  }
  const double real = std::get<double>(value);
  if (format == "f") return std::bit_cast<std::uint32_t>(static_cast<float>(real));
  return std::bit_cast<std::int64_t>(real);
}

std::size_t width_of(const std::string& format) {
  static const std::map<std::string, std::size_t> kWidths = {
      {"c", 1},        {"C", 1},        {"s", 2},       {"S", 2},       {"i", 4},
      {"I", 4},        {"f", 4},        {"l", 8},       {"L", 8},       {"g", 8},
      {"tdD", 4},      {"tdm", 8},      {"d:18,0", 16}, {"d:38,2", 16}, {"d:38,2,256", 32},
      {"d:9,2,32", 4}, {"d:18,2,64", 8}};
  return kWidths.at(format);
}

std::string stored_bytes(Int128 number, std::size_t width) {
  std::string bytes = bytes_of(std::vector<Int128>{number, number < 0 ? -1 : 0});
  return bytes.substr(0, width);
}

// Formats that hold all of these fields.
std::vector<std::string> formats_for(FieldType type, const std::vector<Field>& fields) {
  if (type == FieldType::kText) return {"u", "U", "vu"};
  if (type == FieldType::kBoolean) return {"b"};
  if (type == FieldType::kDate) return {"tdD", "tdm"};
  if (type == FieldType::kDecimal) return {"d:38,2", "d:38,2,256", "d:9,2,32", "d:18,2,64"};
  if (type == FieldType::kUnsigned) return {"L"};
  if (type == FieldType::kReal) {
    const bool narrow = std::ranges::all_of(fields, [](const Field& field) {
      if (!field) return true;
      const double real = std::get<double>(*field);
      return std::abs(real) < 1e30 && static_cast<double>(static_cast<float>(real)) == real;
    });
    return narrow ? std::vector<std::string>{"f"} : std::vector<std::string>{"g"};
  }
  std::vector<std::string> formats = {"l", "d:18,0"};
  const auto add = [&]<class T>(const char* format, T /*like*/) {
    const bool fits = std::ranges::all_of(fields, [](const Field& field) {
      if (!field) return true;
      const std::int64_t number = std::get<std::int64_t>(*field);
      return number >= std::numeric_limits<T>::min() && number <= std::numeric_limits<T>::max();
    });
    if (fits) formats.emplace_back(format);
  };
  add("c", std::int8_t{});
  add("C", std::uint8_t{});
  add("s", std::int16_t{});
  add("S", std::uint16_t{});
  add("i", std::int32_t{});
  add("I", std::uint32_t{});
  return formats;
}

// The bitmap of which fields there are; nothing if all are and the dice say so.
std::optional<std::string> validity_of(TableDice& dice, const std::vector<Field>& fields) {
  const bool all = std::ranges::all_of(fields, [](const Field& f) { return f.has_value(); });
  if (all && dice.below(2) == 0) return std::nullopt;
  std::string digits;
  for (const Field& field : fields) digits += field ? '1' : '0';
  while (digits.size() % 8 != 0) digits += dice.below(2) == 0 ? '0' : '1';
  return bits_of(digits);
}

// What lies where a text is missing.
std::string text_of_field(TableDice& dice, const Field& field) {
  return field ? std::get<std::string>(*field) : noise(dice, dice.word() % 3);
}

template <class Offset>
void add_texts(TableDice& dice, const std::vector<Field>& fields, ArrayParts& array) {
  std::string texts = noise(dice, dice.word() % 5);
  std::vector<Offset> offsets = {static_cast<Offset>(texts.size())};
  for (const Field& field : fields) {
    texts += text_of_field(dice, field);
    offsets.push_back(static_cast<Offset>(texts.size()));
  }
  array.buffers.emplace_back(bytes_of(offsets));
  array.buffers.emplace_back(texts);
}

void add_views(TableDice& dice, const std::vector<Field>& fields, ArrayParts& array) {
  std::vector<std::string> buffers(1 + dice.word() % 3);
  std::string views;
  for (const Field& field : fields) {
    if (!field) {
      views += noise(dice, 16);
      continue;
    }
    const auto& text = std::get<std::string>(*field);
    std::string view = bytes_of(std::vector<std::int32_t>{static_cast<std::int32_t>(text.size())});
    if (text.size() <= 12) {
      view += text + noise(dice, 12 - text.size());
    } else {
      const auto place = dice.word() % buffers.size();
      view += text.substr(0, 4);
      view += bytes_of(std::vector<std::int32_t>{static_cast<std::int32_t>(place),
                                                 static_cast<std::int32_t>(buffers[place].size())});
      buffers[place] += text;
    }
    views += view;
  }
  array.buffers.emplace_back(views);
  std::vector<std::int64_t> sizes;
  for (const std::string& buffer : buffers) {
    array.buffers.emplace_back(buffer);
    sizes.push_back(std::ssize(buffer));
  }
  array.buffers.emplace_back(bytes_of(sizes));
}

ArrayParts plain_array(TableDice& dice, const std::vector<Field>& fields,
                       const std::string& format) {
  ArrayParts array;
  array.length = std::ssize(fields);
  array.buffers.push_back(validity_of(dice, fields));
  if (format == "u") {
    add_texts<std::int32_t>(dice, fields, array);
  } else if (format == "U") {
    add_texts<std::int64_t>(dice, fields, array);
  } else if (format == "vu") {
    add_views(dice, fields, array);
  } else if (format == "b") {
    std::string digits;
    for (const Field& field : fields) {
      const bool digit = field ? std::get<bool>(*field) : dice.below(2) == 0;
      digits += digit ? '1' : '0';
    }
    array.buffers.emplace_back(bits_of(digits));
  } else {
    const std::size_t width = width_of(format);
    std::string bytes;
    for (const Field& field : fields) {
      bytes += field ? stored_bytes(stored_number(*field, format), width) : noise(dice, width);
    }
    array.buffers.emplace_back(bytes);
  }
  return array;
}

// Each field as a code of a dictionary, in which some entries are missing, twice there or unused.
ArrayParts coded_array(TableDice& dice, const std::vector<Field>& fields, const std::string& format,
                       const std::string& codes_format) {
  std::vector<Field> entries = {std::nullopt};
  std::vector<Field> codes;
  for (const Field& field : fields) {
    if (!field && dice.below(2) == 0) {
      codes.emplace_back();
      continue;
    }
    const auto known = std::ranges::find(entries, field);
    const bool again = known == entries.end() || (entries.size() < 40 && dice.below(4) == 0);
    const std::ptrdiff_t place = again ? std::ssize(entries) : known - entries.begin();
    if (again) entries.push_back(field);
    codes.emplace_back(MemoryValue(std::int64_t{place}));
  }
  ArrayParts array = plain_array(dice, codes, codes_format);
  array.dictionary = {plain_array(dice, entries, format)};
  return array;
}

}  // namespace arrow_streams_test

using namespace arrow_streams_test;

ArrowArrayStream stream_of(const StreamParts& parts, HandedOut& out) {
  ArrowArrayStream stream = {};
  auto* made = new MadeStream{parts, &out};
  out.held.insert(made);
  ++out.made;
  stream.get_schema = give_schema;
  stream.get_next = give_next;
  stream.get_last_error = [](ArrowArrayStream*) { return "the salary is 12345"; };
  stream.release = release_stream;
  stream.private_data = made;
  return stream;
}

std::string bits_of(const std::string& digits) {
  std::string bytes((digits.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const unsigned bit = digits[i] == '1' ? 1U << (i % 8) : 0;
    bytes[i / 8] = static_cast<char>(static_cast<unsigned char>(bytes[i / 8]) | bit);
  }
  return bytes;
}

StreamParts random_stream(TableDice& dice, const MemoryTable& table) {
  StreamParts stream;
  stream.schema.format = "+s";
  std::vector<std::string> formats;
  std::vector<std::string> codes;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::vector<Field> all;
    for (const MemoryTable::Row& row : table.rows) all.push_back(row[column]);
    const auto& [name, type] = table.columns[column];
    formats.push_back(dice.one_of(formats_for(type, all)));
    codes.push_back(dice.below(3) > 0
                        ? ""
                        : dice.one_of<std::string>({"c", "s", "i", "l", "C", "S", "I", "L"}));
    SchemaParts plain{formats.back(), name};
    if (codes.back().empty()) {
      stream.schema.children.push_back(plain);
    } else {
      stream.schema.children.push_back({codes.back(), name, {}, {plain}});
    }
  }
  std::size_t first = 0;
  while (first < table.rows.size() || dice.below(3) > 0) {
    const std::size_t rows = std::min<std::size_t>(dice.word() % 20, table.rows.size() - first);
    ArrayParts& batch = stream.batches.emplace_back();
    batch.length = static_cast<std::int64_t>(rows);
    batch.buffers = {std::nullopt};
    batch.offset = dice.below(3) == 0 ? dice.below(12) : 0;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const std::int64_t offset = dice.below(2) == 0 ? dice.below(20) : 0;
      // Rows before the first one, which nobody may look at, hold what others do.
      std::vector<Field> fields;
      const auto before = static_cast<std::size_t>(offset + batch.offset);
      for (std::size_t i = 0; i < before; ++i) {
        fields.push_back(table.rows.empty() ? Field() : dice.one_of(table.rows)[column]);
      }
      for (std::size_t i = 0; i < rows; ++i) fields.push_back(table.rows[first + i][column]);
      ArrayParts array = codes[column].empty()
                             ? plain_array(dice, fields, formats[column])
                             : coded_array(dice, fields, formats[column], codes[column]);
      array.offset = offset;
      array.length -= offset;
      batch.children.push_back(std::move(array));
    }
    first += rows;
  }
  return stream;
}

}  // namespace lastbit::engine
