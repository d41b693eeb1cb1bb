#include "lastbit/sources/parquet_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"

namespace lastbit::source::parquet_internal {
namespace {

// Deeper than any real table; code that recurses over the schema later can afford it.
constexpr std::size_t kMaxDepth = 64;
constexpr std::int32_t kRequired = 0;
constexpr std::int32_t kOptional = 1;
constexpr std::int32_t kRepeated = 2;

constexpr std::string_view kSchemaProblem = "its schema does not add up";

SchemaElement read_element(ThriftReader& reader) {
  SchemaElement element;
  std::optional<std::string_view> name;
  reader.read_struct([&](ThriftField field) {
    switch (field.id) {
      case 1:
        element.physical = reader.read_i32(field);
        return true;
      case 2:
        element.length = reader.read_i32(field);
        return true;
      case 3:
        element.repetition = reader.read_i32(field);
        return true;
      case 4:
        name = reader.read_binary(field);
        return true;
      case 5:
        element.children = reader.read_i32(field);
        return true;
      case 6:
        element.converted = reader.read_i32(field);
        return true;
      case 7:
        element.scale = reader.read_i32(field);
        return true;
      case 8:
        element.precision = reader.read_i32(field);
        return true;
      case 10:
        if (field.type != ThriftType::kStruct) throw ThriftError::kMalformed;
        element.logical = read_logical_type(reader);
        return true;
      default:
        return false;
    }
  });
  if (!name) refuse_damaged(kSchemaProblem);
  element.name = *name;
  return element;
}

void check_name(std::string_view name) {
  if (first_invalid_utf8(name) != name.size() || name.find('\0') != std::string_view::npos) {
    throw Refusal{fmt::format("names a column {}, which is not UTF-8 text", lastbit::quote(name)),
                  "rename the column and write the file again"};
  }
}

// An element other than the root.
void check_element(const SchemaElement& element) {
  check_name(element.name);
  if (!element.repetition || *element.repetition < kRequired || *element.repetition > kRepeated) {
    refuse_damaged(kSchemaProblem);
  }
  if (!element.physical) {
    if (element.children.value_or(0) < 1) refuse_damaged(kSchemaProblem);
    return;
  }
  if (element.children.value_or(0) != 0) refuse_damaged(kSchemaProblem);
  if (*element.physical < 0 || *element.physical > static_cast<int>(Physical::kFixedBytes)) {
    throw Refusal{
        fmt::format("has a column {} of an unknown physical type", lastbit::quote(element.name)),
        "write the file again with a current writer"};
  }
  if (*element.physical == static_cast<int>(Physical::kFixedBytes) &&
      element.length.value_or(0) < 1) {
    refuse_damaged(kSchemaProblem);
  }
}

// Finds the parent of each element: children follow their group, depth first.
void make_tree(Schema& schema) {
  struct Open {
    std::size_t group;
    std::int32_t children_left;
  };
  auto& elements = schema.elements;
  if (elements.empty() || elements[0].physical || elements[0].children.value_or(0) < 0) {
    refuse_damaged(kSchemaProblem);
  }
  std::vector<Open> open = {{0, elements[0].children.value_or(0)}};
  for (std::size_t i = 1; i < elements.size(); ++i) {
    while (!open.empty() && open.back().children_left == 0) open.pop_back();
    if (open.empty()) refuse_damaged(kSchemaProblem);
    SchemaElement& element = elements[i];
    check_element(element);
    --open.back().children_left;
    element.parent = open.back().group;
    element.within_repeated =
        element.repetition == kRepeated || elements[element.parent].within_repeated;
    if (element.physical) {
      schema.leaves.push_back(i);
    } else {
      open.push_back({i, element.children.value_or(0)});
      if (open.size() > kMaxDepth) refuse_damaged(kSchemaProblem);
    }
  }
  if (std::ranges::any_of(open, [](const Open& group) { return group.children_left != 0; })) {
    refuse_damaged(kSchemaProblem);
  }
}

std::string without_case(std::string_view name) {
  std::string folded(name);
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

// DuckDB would invent names for columns without a name, and for all but the first of those that it
// cannot tell apart.
void check_top_names(const std::vector<ParquetColumn>& columns) {
  const std::string remedy = "rename the columns and write the file again";
  std::map<std::string, std::string> seen;
  for (const ParquetColumn& column : columns) {
    if (column.name.empty()) throw Refusal{"has a column whose name is empty", remedy};
    const auto [other, fresh] = seen.emplace(without_case(column.name), column.name);
    if (!fresh) {
      throw Refusal{fmt::format("has two columns that cannot be told apart by name, {} and {}",
                                lastbit::quote(other->second), lastbit::quote(column.name)),
                    remedy};
    }
  }
}

}  // namespace

Schema read_schema(ThriftReader& reader, ThriftField field) {
  Schema schema;
  reader.read_list(field, ThriftType::kStruct, [&] {
    if (schema.elements.size() == kMaxSchemaElements) {
      throw Refusal{fmt::format("has more than {} columns", kMaxSchemaElements - 1),
                    "write a file with the columns that are needed"};
    }
    schema.elements.push_back(read_element(reader));
  });
  make_tree(schema);
  if (schema.leaves.empty()) {
    throw Refusal{"has no columns", "write the file again, with at least one column"};
  }
  return schema;
}

std::vector<ParquetColumn> top_columns(const Schema& schema) {
  std::vector<ParquetColumn> columns;
  std::size_t leaf = 0;
  for (std::size_t i = 1; i < schema.elements.size(); ++i) {
    const SchemaElement& element = schema.elements[i];
    if (element.parent == 0) {
      const bool flat = element.physical && element.repetition != kRepeated;
      columns.push_back({.name = std::string(element.name),
                         .type = flat               ? leaf_type(element)
                                 : element.physical ? "LIST"
                                                    : group_type(element),
                         .flat_leaf = flat ? std::optional(leaf) : std::nullopt,
                         .optional = element.repetition == kOptional});
    }
    if (element.physical) ++leaf;
  }
  check_top_names(columns);
  return columns;
}

}  // namespace lastbit::source::parquet_internal
