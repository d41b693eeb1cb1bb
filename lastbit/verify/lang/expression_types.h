// The kind of an expression, and whether it may occur where it does. Used by types.cc only.
#pragma once

#include <string_view>
#include <vector>

#include "lastbit/verify/lang/source.h"
#include "lastbit/verify/lang/symbols.h"
#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

// Where an expression occurs, which decides the names it may use.
enum class Place {
  kBody,       // parameters, and variables that have been assigned
  kAdjacency,  // public scalars, and name.1 and name.2; truth values count as 0 and 1
  kPublic,     // public scalars
};

class ExpressionTypes {
 public:
  // All arguments must outlive this; `assigned` says for each local whether it is assigned by now.
  ExpressionTypes(const Symbols& symbols, const Source& source, const std::vector<bool>& assigned)
      : symbols_(symbols), source_(source), assigned_(assigned) {}

  // check: the kind of the expression; a kBadText Error for everything that types.h refuses.
  Kind check(const Expression& expression, Place place);
  // expect: the same, and the kind must be this one.
  void expect(Kind kind, const Expression& expression, Place place);
  // expect_whole: the same for a number that must prove to be whole; check_whole decides.
  void expect_whole(const Expression& expression, Place place, std::string_view what);

  // depends: whether the expression is real whatever the types of locals are; the locals that make
  // it real if they are real are appended to `on`.
  bool depends(const Expression& expression, std::vector<std::size_t>& on) const;
  // check_whole: refuses what was passed to expect_whole and is real; the types of locals must be
  // known.
  void check_whole() const;

 private:
  struct WholeDemand {
    const Expression* expression;
    std::string_view what;  // a literal
  };

  Kind variable(const Expression& expression, Place place) const;
  void entry(const Expression& expression, Place place);
  void check_possible(const Expression& expression) const;
  const NameInfo& known(const Expression& expression) const;

  const Symbols& symbols_;
  const Source& source_;
  const std::vector<bool>& assigned_;
  std::vector<WholeDemand> demands_;
};

}  // namespace lastbit::verify
