#include "lastbit/release/engine.h"

#include <memory>
#include <optional>
#include <vector>

#include "lastbit/base/error.h"

namespace lastbit {

PublicTable Engine::read_public(const Source& source,
                                const std::vector<std::string>& /*columns*/) const {
  throw Error(ErrorCode::kNotSupported, source.path.value, "this engine reads no public files",
              "list the keys in the release file");
}

RowFacts Engine::examine(const ReleaseFile& release, const RowQuestions& /*questions*/,
                         const engine::EngineLimits& /*limits*/,
                         const engine::Progress& /*progress*/) const {
  throw Error(ErrorCode::kNotSupported, release.filename, "this engine does not show rows",
              "inspect the data before it is given to the engine");
}

ReadPublicTable public_reader(const Engine& engine) {
  return [&engine](const Source& source, const std::vector<std::string>& columns) {
    return engine.read_public(source, columns);
  };
}

ReadSchema schema_reader(const Engine& engine) {
  auto known = std::make_shared<std::optional<std::vector<SchemaColumn>>>();
  return [&engine, known](const ReleaseFile& release) {
    if (!*known) *known = engine.read_schema(release);
    return **known;
  };
}

}  // namespace lastbit
