// Which engines this build has.
#pragma once

#include "lastbit/release/engine.h"

namespace lastbit {

// engine_for_files: the engine that reads the sources of release files, which may be tables on
// servers.
// Fails  kNotSupported when it is used in a build without one; planning a release needs an engine
//        too, for the schema.
const Engine& engine_for_files();

}  // namespace lastbit
