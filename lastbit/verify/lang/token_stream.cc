#include "lastbit/verify/lang/token_stream.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/text.h"
#include "lastbit/verify/lang/words.h"

namespace lastbit::verify {

const Token& TokenStream::peek(std::size_t ahead) const {
  return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

const Token& TokenStream::take() {
  const Token& token = peek();
  ++next_;
  return token;
}

bool TokenStream::is(std::string_view text) const {
  const Token& token = peek();
  return token.kind != TokenKind::kEnd && token.text == text;
}

bool TokenStream::accept(std::string_view text) {
  const bool found = is(text);
  if (found) ++next_;
  return found;
}

const Token& TokenStream::expect(std::string_view text, std::string_view remedy) {
  if (!is(text)) throw unexpected(fmt::format("'{}'", text), remedy);
  return take();
}

const Token& TokenStream::expect_new_name(std::string_view what) {
  const Token& token = peek();
  if (token.kind != TokenKind::kName) {
    throw unexpected(fmt::format("the name of {}", what), "give a name of letters, digits and '_'");
  }
  if (const std::string_view role = role_of_word(token.text); !role.empty()) {
    throw unexpected(fmt::format("the name of {}", what),
                     fmt::format("`{}` is {}; choose another name", token.text, role));
  }
  return take();
}

Error TokenStream::unexpected(std::string_view expected, std::string_view remedy) const {
  const Token& token = peek();
  const std::string found =
      token.kind == TokenKind::kEnd ? "the end of the file" : quote(token.text);
  return error(token.at, fmt::format("found {} where {} was expected", found, expected), remedy);
}

}  // namespace lastbit::verify
