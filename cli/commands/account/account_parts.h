// The losses that lastbit account is given: on the command line, or in a ledger.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/terminal/arguments.h"
#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/total_loss.h"

namespace lastbit::cli {

// LossOptions: the options that name losses, each as VALUE or VALUExTIMES.
class LossOptions {
 public:
  explicit LossOptions(Arguments& parser);

  // parts: the losses as given; values that make no sense are usage Failures.
  std::vector<LossPart> parts() const;

 private:
  void require_one_count() const;

  const Arguments& parser_;
  std::vector<std::string> pure_;
  std::vector<std::string> approximate_;
  std::vector<std::string> laplace_;
  std::vector<std::string> gaussian_;
  std::vector<std::string> rho_;
  std::string times_;
};

// parts_of: the costs of all entries, equal ones together, in the order of first entries.
std::vector<LossPart> parts_of(const LedgerContents& contents);

// loss_text: as in "epsilon 0.1" or "Gaussian noise, sigma 50".
std::string loss_text(const KnownLoss& loss);
nlohmann::ordered_json part_json(const LossPart& part);

}  // namespace lastbit::cli
