// The style of the report's page.
#pragma once

#include "lastbit/base/html.h"

namespace lastbit::report {

// page_style: CSS for phones, desktops, dark mode and paper. It loads nothing and contains neither
// & nor <.
HtmlLiteral page_style();

}  // namespace lastbit::report
