#include "lastbit/verify/lang/symbols.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/text.h"
#include "lastbit/verify/lang/types.h"

namespace lastbit::verify {

Symbols::Symbols(const Program& program, const Source& source) : source_(source) {
  for (const Parameter& parameter : program.parameters) {
    NameInfo& symbol = symbols_[parameter.name];
    symbol.name = parameter.name;
    symbol.is_parameter = true;
    symbol.is_list = !parameter.length.empty();
    symbol.is_typed = true;
    symbol.type = parameter.type;
  }
  for (const Parameter& list : program.parameters) {
    if (NameInfo* length = find(list.length); length != nullptr) length->is_length = true;
  }
  enter(program.body);
}

NameInfo* Symbols::find(std::string_view name) {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : &found->second;
}

const NameInfo* Symbols::find(std::string_view name) const {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : &found->second;
}

std::vector<std::string> Symbols::names() const {
  std::vector<std::string> names;
  for (const auto& [name, symbol] : symbols_) names.emplace_back(name);
  std::ranges::sort(names);
  return names;
}

void Symbols::enter(const Block& block) {
  for (const Statement& statement : block) {
    if (const auto* assign = std::get_if<Assign>(&statement.what)) {
      enter_local(assign->name, false, statement.at);
    } else if (const auto* sample = std::get_if<Sample>(&statement.what)) {
      enter_local(sample->name, false, statement.at);
    } else if (const auto* branch = std::get_if<If>(&statement.what)) {
      enter(branch->then_block);
      enter(branch->else_block);
    } else if (const auto* loop = std::get_if<Loop>(&statement.what)) {
      enter_local(loop->counter, true, statement.at);
      enter(loop->body);
    }
  }
}

void Symbols::enter_local(const std::string& name, bool is_counter, Position at) {
  const auto [place, is_new] = symbols_.try_emplace(name);
  NameInfo& symbol = place->second;
  if (symbol.is_parameter) {
    throw source_.error(at, fmt::format("the parameter {} is assigned", quote(name)),
                        "assign to a variable of another name; parameters keep their values");
  }
  if (!is_new && symbol.is_counter != is_counter) {
    throw source_.error(at,
                        fmt::format("{} is the counter of a loop and also assigned", quote(name)),
                        "give the counter a name of its own");
  }
  if (!is_new) return;
  if (locals_.size() == kMaxLocals) {
    throw source_.error(at, fmt::format("there are more than {} variables", kMaxLocals),
                        "use fewer variables");
  }
  symbol.name = name;
  symbol.is_counter = is_counter;
  symbol.is_typed = is_counter;
  symbol.local = locals_.size();
  locals_.push_back(&symbol);
}

}  // namespace lastbit::verify
