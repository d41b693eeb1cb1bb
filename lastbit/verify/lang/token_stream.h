// TokenStream: the words of a program, read from left to right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lastbit/verify/lang/lexer.h"
#include "lastbit/verify/lang/source.h"

namespace lastbit::verify {

class TokenStream {
 public:
  // The source must outlive the stream.
  explicit TokenStream(const Source& source) : source_(source), tokens_(tokenize(source)) {}

  const Source& source() const { return source_; }
  // peek: the next token, or one after it; at the end always kEnd.
  const Token& peek(std::size_t ahead = 0) const;
  const Token& take();

  // is: whether the next token is this sign or word.
  bool is(std::string_view text) const;
  // accept: takes the next token if it is this sign or word.
  bool accept(std::string_view text);
  // expect: takes this sign or word; anything else is an error with the remedy.
  const Token& expect(std::string_view text, std::string_view remedy);
  // expect_new_name: takes a name that is not a word of the language. `what` is "a variable", ….
  const Token& expect_new_name(std::string_view what);

  // unexpected: the error "found … where … was expected" at the next token.
  Error unexpected(std::string_view expected, std::string_view remedy) const;
  Error error(Position at, std::string_view problem, std::string_view remedy) const {
    return source_.error(at, problem, remedy);
  }

 private:
  const Source& source_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

}  // namespace lastbit::verify
