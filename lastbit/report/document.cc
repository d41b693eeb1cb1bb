#include "lastbit/report/document.h"

#include <nlohmann/json.hpp>

namespace lastbit::report {

std::string dumped(const nlohmann::ordered_json& document) {
  using Handler = nlohmann::ordered_json::error_handler_t;
  return document.dump(2, ' ', false, Handler::replace) + "\n";
}

}  // namespace lastbit::report
