// FieldBuffer: the fields of a text file as a FieldBatch.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lastbit/release/fields/field.h"
#include "lastbit/release/fields/field_batch.h"
#include "lastbit/release/fields/field_notation.h"
#include "lastbit/sources/records.h"

namespace lastbit::source {

class FieldBuffer {
 public:
  // read: the fields as values of the type: doubles for kReal, bytes for kText, wide whole numbers
  // for kDecimal and kUnsigned, whole numbers for the others. The batch is valid until the next one
  // is read. `notation` is how the file writes numbers, dates and booleans.
  FieldBatch read(std::span<const RawField> fields, FieldType type,
                  const FieldNotation& notation = {});

 private:
  FieldBatch read_noted(std::span<const RawField> fields, FieldType type,
                        const FieldNotation& notation);

  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
  std::vector<Int128> wides_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> validity_;
};

}  // namespace lastbit::source
