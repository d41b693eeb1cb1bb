// Programs as JSON, for certificates. For this module only.
#pragma once

#include "lastbit/verify/certificate/fields.h"
#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

Json to_json(const Program& program);
Program program_from(const Field& field);

}  // namespace lastbit::verify
