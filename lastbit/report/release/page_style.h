// The style of the report's page.
#pragma once

#include <string_view>

namespace lastbit::report {

// page_style: CSS for phones, desks, dark rooms and paper. It loads nothing and holds neither & nor <.
std::string_view page_style();

}  // namespace lastbit::report
