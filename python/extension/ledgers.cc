// Ledgers. Nothing here spends; releases do. Each call opens the file and closes it, so that a
// ledger can be used by several threads, and after a fork.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/ledger_move.h"
#include "lastbit/accounting/while_waiting.h"
#include "lastbit/report/document.h"
#include "lastbit/report/ledger_report.h"
#include "lastbit/report/table.h"
#include "python/extension/bindings.h"
#include "python/extension/interpreter.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

using Text = std::optional<std::string>;

Budget budget_of(const Text& epsilon, const Text& delta, const Text& rho) {
  const Rational deltas = number_of(delta).value_or(Rational(0));
  if (rho) return Budget(Cost::concentrated(number_of(*rho), deltas));
  if (!delta) return Budget(Cost::pure(number_of(*epsilon)));
  return Budget(Cost::approximate(number_of(*epsilon), deltas));
}

}  // namespace

void define_ledgers(nb::module_& module) {
  module.def(
      "create_ledger",
      [](const std::string& path, const Text& epsilon, const Text& delta, const Text& rho,
         const std::string& description) {
        const OthersRun others_run;
        const WhileWaiting interruptible(let_signals_through);
        Ledger::create(LedgerAddress::parse(path), budget_of(epsilon, delta, rho), description);
      },
      nb::arg("path"), nb::arg("epsilon").none(), nb::arg("delta").none(), nb::arg("rho").none(),
      nb::arg("description"));
  module.def(
      "move_ledger",
      [](const std::string& file, const std::string& address) {
        const OthersRun others_run;
        const WhileWaiting interruptible(let_signals_through);
        move_ledger(file, LedgerAddress::parse(address));
      },
      nb::arg("file"), nb::arg("address"));
  module.def(
      "read_ledger",
      [](const std::string& path, const Text& head, const std::string& delta) {
        std::string json;
        std::string text;
        {
          const OthersRun others_run;
          const WhileWaiting interruptible(let_signals_through);
          const LedgerContents contents =
              Ledger::open(LedgerAddress::parse(path), Ledger::Access::kRead).verify(head);
          json = report::dumped(report::contents_json(path, contents));
          text = report::ledger_text(path, contents, number_of(delta), report::Paint(false), 120);
        }
        nb::dict made;
        made["json"] = json;
        made["text"] = text;
        return made;
      },
      nb::arg("path"), nb::arg("head").none(), nb::arg("delta"));
}

}  // namespace lastbit::python
