// Plans, releases, queries and inspections. Each ends as texts, which the package makes objects of.
//
// Guarantee      Ctrl-C ends the work, and waiting for a ledger, before anything is booked. What
//                was answered after that is put into the module's list `paid` before Python code
//                runs again, so that an interrupt that comes too late loses nothing.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/while_waiting.h"
#include "lastbit/base/error.h"
#include "lastbit/engines/engines.h"
#include "lastbit/release/inspect/inspect.h"
#include "lastbit/release/plan_ledger.h"
#include "lastbit/release/run.h"
#include "lastbit/release/sql/query.h"
#include "lastbit/report/document.h"
#include "lastbit/report/inspection/inspection_report.h"
#include "lastbit/report/release/plan_position.h"
#include "lastbit/report/release/plan_report.h"
#include "lastbit/report/release/query_report.h"
#include "lastbit/report/release/release_report.h"
#include "lastbit/report/table.h"
#include "python/extension/bindings.h"
#include "python/extension/held_rows.h"
#include "python/extension/interpreter.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

using Text = std::optional<std::string>;

const report::Paint kPlain(false);
// A notebook has no terminal to ask.
constexpr std::size_t kWidth = 100;

// Terms: which ledger pays, what the caller intends, and what the engine may use.
struct Terms {
  Text ledger;
  SpendingIntent intent;
  engine::EngineLimits limits;
};

engine::Progress watching() {
  return [](double) { let_signals_through(); };
}

ReleasePlan redirected(ReleasePlan plan, const Terms& terms) {
  return redirect_to_ledger(std::move(plan), terms.ledger);
}

std::string cap_arguments(const Cost& cap) {
  const bool rho = cap.kind() == LossKind::kConcentrated;
  std::string text =
      rho ? "rho=\"" + cap.rho().to_string() : "epsilon=\"" + cap.epsilon().to_string();
  if (cap.delta().sign() > 0) text += "\", delta=\"" + cap.delta().to_string();
  return text + "\"";
}

Ledger open_ledger(const ReleasePlan& plan) {
  auto ledger = find_ledger(plan, Ledger::Access::kSpend);
  if (ledger) return std::move(*ledger);
  throw Error(ErrorCode::kBadInput, ledger_address(plan).text(), "there is no ledger yet",
              "create one for all releases about these people, with the most that they may spend "
              "together: lastbit.ledger.create(path, " +
                  cap_arguments(plan.release.budget.cap.value) + ")");
}

// Paid: an answer that is booked, as texts.
struct Paid {
  std::string kind;
  std::string json = {};
  std::string text = {};
  std::string csv = {};
  std::string html = {};
  bool completed = false;
};

// paid_answer: plan → ledger opened and payable → prepare → book → answer.
template <class Describe>
Paid paid_answer(const ReleasePlan& plan, const Engine& engine, const Terms& terms,
                 const Describe& describe) {
  Ledger ledger = open_ledger(plan);
  require_payable(plan, ledger);
  PreparedRelease prepared =
      prepare_release(plan, engine, ledger, thread_bit_source(),
                      {.limits = terms.limits, .progress = watching(), .intent = terms.intent});
  let_signals_through();  // the last chance to stop
  const Release release = BookedRelease(std::move(prepared), ledger).answer(thread_bit_source());
  Paid paid = describe(release);
  paid.csv = report::answers_csv(plan, release);
  paid.html = report::release_html(plan, release);
  paid.completed = release.completed;
  return paid;
}

nb::dict as_dict(const Paid& paid) {
  nb::dict made;
  made["kind"] = paid.kind;
  made["json"] = paid.json;
  made["text"] = paid.text;
  made["csv"] = paid.csv;
  made["html"] = paid.html;
  made["completed"] = paid.completed;
  return made;
}

// planned_file: a release whose rows are handed over must say so, since the ledger knows them by
// the name that the file gives.
ReleasePlan planned_file(const std::string& file, const HeldRows* rows, const Engine& engine,
                         const Terms& terms) {
  ReleasePlan plan = plan_file(file, engine);
  const Source& source = plan.release.source;
  if (rows != nullptr && source.format.value != SourceFormat::kArrow) {
    throw Error(
        ErrorCode::kBadInput, file, "names a file, and the rows are handed over",
        "write source = { format = \"arrow\", name = \"NAME\" }, with the name by which the "
        "ledger shall know them");
  }
  return redirected(std::move(plan), terms);
}

Paid released(const std::string& file, const HeldRows* rows, const Engine& engine,
              const Terms& terms) {
  const ReleasePlan plan = planned_file(file, rows, engine, terms);
  return paid_answer(plan, engine, terms, [&](const Release& release) -> Paid {
    return {.kind = "release",
            .json = report::dumped(report::release_json(plan, release)),
            .text = report::release_table(plan, release, kPlain, kWidth)};
  });
}

// Question: a statement about a dataset on disk, or about one that a session wrote.
struct Question {
  DatasetText dataset;
  std::string statement;
  QueryTerms price;
};

Question question_of(const Text& dataset, const std::string& file, const std::string& statement,
                     const Text& epsilon, const Text& rho, const Text& delta) {
  const bool by_rho = rho.has_value();
  return {dataset ? DatasetText{*dataset, file} : read_dataset_text(file),
          statement,
          {by_rho ? ShareKind::kRho : ShareKind::kEpsilon, number_of(by_rho ? *rho : *epsilon),
           number_of(delta)}};
}

PlannedQuery planned(const Question& question, const Engine& engine, const Terms& terms) {
  PlannedQuery query = plan_query(question.dataset, question.statement, question.price, engine);
  query.plan = redirected(std::move(query.plan), terms);
  return query;
}

Paid answered(const Question& question, const Engine& engine, const Terms& terms) {
  const PlannedQuery query = planned(question, engine, terms);
  return paid_answer(query.plan, engine, terms, [&](const Release& release) -> Paid {
    return {.kind = "answer",
            .json = report::dumped(
                report::query_json(query.plan, query.shape, release, question.statement)),
            .text = report::query_table(query.plan, query.shape, release, kPlain, kWidth)};
  });
}

struct Planned {
  std::string json;
  std::string text;
  bool pays = false;
};

nb::dict as_dict(const Planned& plan) {
  nb::dict made;
  made["json"] = plan.json;
  made["text"] = plan.text;
  made["pays"] = plan.pays;
  return made;
}

Planned as_planned(const report::PlanReport& report, const Text& statement) {
  auto document = report::plan_json(report);
  if (statement) document["statement"] = *statement;
  return {report::dumped(document),
          statement ? report::plan_summary(report, kPlain, kWidth)
                    : report::plan_table(report, kPlain, kWidth),
          report::would_pay(report)};
}

// with_engine: what `action` gives for the engine that reads these rows, or files, while other
// Python threads run.
template <class Action>
auto with_engine(const HeldRows* rows, const Action& action) {
  const OthersRun others_run;
  const WhileWaiting interruptible(let_signals_through);
  if (rows == nullptr) return action(engine_for_files());
  return action(*rows->engine);
}

// dataset_facts: the columns of the source and the path of the ledger, as JSON, after all checks of
// the dataset.
std::string dataset_facts(const Text& text, const std::string& file, const HeldRows* rows) {
  const Dataset dataset = with_engine(rows, [&](const Engine& engine) {
    return open_dataset(text ? DatasetText{*text, file} : read_dataset_text(file), engine);
  });
  auto columns = nlohmann::ordered_json::object();
  for (const SchemaColumn& column : dataset.columns) columns[column.name] = column.type_name;
  return report::dumped(
      {{"columns", std::move(columns)}, {"ledger", ledger_address(dataset.plan).text()}});
}

std::pair<std::string, std::string> inspected(const std::string& file, const Terms& terms) {
  const OthersRun others_run;
  const Engine& engine = engine_for_files();
  const Inspection inspection =
      inspect_release(plan_file(file, engine), engine, terms.limits, watching());
  return {report::dumped(report::inspection_json(inspection)),
          report::inspection_text(inspection, kPlain, kWidth)};
}

void define_terms(nb::module_& module) {
  nb::class_<Terms>(module, "Terms")
      .def(
          "__init__",
          [](Terms* made, Text ledger, bool same_people, bool again,
             std::optional<std::uint64_t> memory, const Text& spill,
             std::optional<unsigned> threads) {
            new (made)
                Terms{std::move(ledger),
                      {.same_people = same_people, .again = again},
                      {.spill_directory = spill, .memory_bytes = memory, .threads = threads}};
          },
          nb::kw_only(), nb::arg("ledger").none() = nb::none(), nb::arg("same_people") = false,
          nb::arg("again") = false, nb::arg("memory").none() = nb::none(),
          nb::arg("spill").none() = nb::none(), nb::arg("threads").none() = nb::none());
}

}  // namespace

void define_releases(nb::module_& module) {
  define_terms(module);
  // The answers that were paid for most recently. Appending to a deque runs no Python code.
  const nb::object paid = nb::module_::import_("collections").attr("deque")(nb::arg("maxlen") = 4);
  module.attr("paid") = paid;
  const auto kept = [paid](const Paid& answer) {
    nb::dict made = as_dict(answer);
    paid.attr("append")(made);
    return made;
  };
  module.def(
      "plan",
      [](const std::string& file, const std::string& rows, const HeldRows* held,
         const Terms& terms) {
        return as_dict(with_engine(held, [&](const Engine& engine) {
          const Integer guess = number_of(rows).numerator();
          return as_planned(
              report::report_plan(planned_file(file, held, engine, terms), terms.intent, guess),
              std::nullopt);
        }));
      },
      nb::arg("file"), nb::arg("rows"), nb::arg("held").none(), nb::arg("terms"));
  module.def(
      "release",
      [kept](const std::string& file, const HeldRows* held, const Terms& terms) {
        return kept(with_engine(
            held, [&](const Engine& engine) { return released(file, held, engine, terms); }));
      },
      nb::arg("file"), nb::arg("held").none(), nb::arg("terms"));
  module.def(
      "plan_query",
      [](const Text& dataset, const std::string& file, const std::string& statement,
         const Text& epsilon, const Text& rho, const Text& delta, const std::string& rows,
         const HeldRows* held, const Terms& terms) {
        return as_dict(with_engine(held, [&](const Engine& engine) {
          const Question question = question_of(dataset, file, statement, epsilon, rho, delta);
          return as_planned(report::report_plan(planned(question, engine, terms).plan, terms.intent,
                                                number_of(rows).numerator()),
                            statement);
        }));
      },
      nb::arg("dataset").none(), nb::arg("file"), nb::arg("statement"), nb::arg("epsilon").none(),
      nb::arg("rho").none(), nb::arg("delta").none(), nb::arg("rows"), nb::arg("held").none(),
      nb::arg("terms"));
  module.def(
      "query",
      [kept](const Text& dataset, const std::string& file, const std::string& statement,
             const Text& epsilon, const Text& rho, const Text& delta, const HeldRows* held,
             const Terms& terms) {
        return kept(with_engine(held, [&](const Engine& engine) {
          return answered(question_of(dataset, file, statement, epsilon, rho, delta), engine,
                          terms);
        }));
      },
      nb::arg("dataset").none(), nb::arg("file"), nb::arg("statement"), nb::arg("epsilon").none(),
      nb::arg("rho").none(), nb::arg("delta").none(), nb::arg("held").none(), nb::arg("terms"));
  module.def("dataset_facts", dataset_facts, nb::arg("dataset").none(), nb::arg("file"),
             nb::arg("held").none());
  module.def(
      "inspect",
      [](const std::string& file, const Terms& terms) {
        const auto [json, text] = inspected(file, terms);
        nb::dict made;
        made["json"] = json;
        made["text"] = text;
        return made;
      },
      nb::arg("file"), nb::arg("terms"));
}

}  // namespace lastbit::python
