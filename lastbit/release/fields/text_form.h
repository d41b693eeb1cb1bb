// TextForm: how the characters of a text file are stored as bytes.
#pragma once

#include <array>
#include <filesystem>
#include <string_view>

namespace lastbit {

enum class TextEncoding { kUtf8, kLatin1, kWindows1252, kUtf16, kUtf16Le, kUtf16Be };
inline constexpr std::array kTextEncodings = {TextEncoding::kUtf8,        TextEncoding::kLatin1,
                                              TextEncoding::kWindows1252, TextEncoding::kUtf16,
                                              TextEncoding::kUtf16Le,     TextEncoding::kUtf16Be};
// name_of: as the file writes it.
std::string_view name_of(TextEncoding encoding);

enum class Compression { kNone, kGzip, kZstd };
// compression_of: as the end of the name says, .gz or .zst.
Compression compression_of(const std::filesystem::path& path);
// uncompressed_name: the name without that end.
std::string_view uncompressed_name(std::string_view name);

struct TextForm {
  TextEncoding encoding = TextEncoding::kUtf8;
  Compression compression = Compression::kNone;
  friend bool operator==(const TextForm&, const TextForm&) = default;
};

}  // namespace lastbit
