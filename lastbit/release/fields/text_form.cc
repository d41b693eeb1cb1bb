#include "lastbit/release/fields/text_form.h"

#include <cstddef>
#include <string>

namespace lastbit {

std::string_view name_of(TextEncoding encoding) {
  constexpr std::string_view kNames[] = {"utf-8",  "latin-1",  "windows-1252",
                                         "utf-16", "utf-16le", "utf-16be"};
  return kNames[static_cast<std::size_t>(encoding)];
}

Compression compression_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (name.ends_with(".gz")) return Compression::kGzip;
  if (name.ends_with(".zst")) return Compression::kZstd;
  return Compression::kNone;
}

std::string_view uncompressed_name(std::string_view name) {
  for (const std::string_view end : {std::string_view(".gz"), std::string_view(".zst")}) {
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
  }
  return name;
}

}  // namespace lastbit
