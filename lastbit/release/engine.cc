#include "lastbit/release/engine.h"

#include "lastbit/base/error.h"

namespace lastbit {

PublicTable Engine::read_public(const Source& source,
                                const std::vector<std::string>& /*columns*/) const {
  throw Error(ErrorCode::kNotSupported, source.path.value, "this engine reads no public files",
              "list the keys in the release file");
}

ReadPublicTable public_reader(const Engine& engine) {
  return [&engine](const Source& source, const std::vector<std::string>& columns) {
    return engine.read_public(source, columns);
  };
}

}  // namespace lastbit
