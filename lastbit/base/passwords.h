// What may be a password is kept out of messages.
#pragma once

#include <string>
#include <string_view>

namespace lastbit {

// without_passwords: the text, where each URL that may hold a password ends after its ://, and goes
// on with an ellipsis. Only addresses of PostgreSQL databases are known to hold none, if they have
// no colon before an @ and no word `password`. It changes nothing the second time.
// Limits   A URL ends at a space or a quotation mark, unless an @ comes after it: then some words
//          that follow the URL may be left out too. A URL without its ://, or one that was cut off
//          in a password with a space, is not noticed.
std::string without_passwords(std::string_view text);

// scheme_of: what stands before the first :// of a text, as in `jdbc:postgresql`; empty if there is
// no ://, or if more than a scheme stands there.
std::string_view scheme_of(std::string_view text);

}  // namespace lastbit
