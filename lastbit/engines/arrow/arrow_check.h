// Whether what a stream hands over has the form that its schema promises. For this module only.
// Fails     kBadInput, as read_arrow_stream (arrow_rows.h) says.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lastbit/engines/arrow/arrow_type.h"

namespace lastbit::engine {

// check_schema: the columns of a stream.
std::vector<ArrowColumn> check_schema(const ArrowSchema& schema, const std::string& source);

// check_batch: a struct of these columns. Everything in it that can be checked is.
void check_batch(const ArrowArray& batch, std::span<const ArrowColumn> columns,
                 const std::string& source);

}  // namespace lastbit::engine
