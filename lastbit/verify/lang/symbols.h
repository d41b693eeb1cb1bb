// Symbols: the names of a program and what is known about each. Used by types.cc only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lastbit/verify/lang/source.h"
#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

enum class Kind { kNumber, kTruth };

struct NameInfo {
  std::string name;
  bool is_parameter = false;
  bool is_list = false;
  bool is_length = false;   // of a list
  bool is_private = false;  // named in an adjacency
  bool is_counter = false;
  bool is_typed = false;   // of a local: its first assignment has been seen
  Type type = Type::kInt;  // of a local: int until something real is assigned
  std::size_t local = 0;   // of a local: its number
  Kind kind() const { return type == Type::kBool ? Kind::kTruth : Kind::kNumber; }
};

class Symbols {
 public:
  // Enters the parameters, then the variables of the body in the order of their first appearance.
  Symbols(const Program& program, const Source& source);

  // find: the symbol of a name, or null.
  NameInfo* find(std::string_view name);
  const NameInfo* find(std::string_view name) const;
  std::size_t local_count() const { return locals_.size(); }
  const std::vector<NameInfo*>& locals() const { return locals_; }
  std::vector<std::string> names() const;

 private:
  void enter(const Block& block);
  void enter_local(const std::string& name, bool is_counter, Position at);

  const Source& source_;
  std::unordered_map<std::string_view, NameInfo> symbols_;  // the keys are names in the program
  std::vector<NameInfo*> locals_;
};

}  // namespace lastbit::verify
