// The style of the report's page.
#pragma once

#include "lastbit/base/html.h"

namespace lastbit::report {

// page_style: CSS for phones, desks, dark modules and paper. It loads nothing and holds neither & nor <.
HtmlLiteral page_style();

}  // namespace lastbit::report
