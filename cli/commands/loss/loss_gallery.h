// `lastbit loss --gallery`: mechanisms whose claims exact losses refute, and harmless variants.
#pragma once

#include "cli/terminal/output.h"

namespace lastbit::cli {

// show_gallery: judges every entry and prints a table or a JSON document. The exit code is 1 if an
// entry does not turn out as it must.
int show_gallery(bool json, Sink& out);

}  // namespace lastbit::cli
