// Certificates for attacks on the kernel: steps are chosen by a test, reasons are looked for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/verify/certificate/certificate.h"

namespace lastbit::verify::testing {

// Strategy: the step to take at a goal.
using Strategy = std::function<Step(const Goal&)>;

struct Forgery {
  std::optional<Certificate> certificate;
  std::string problem;  // why there is none: a refused step, or what nobody can show
};

// forge: the certificate in which the strategy's steps prove the program's claim, in as many
// directions as it needs.
Forgery forge(const Program& program, const Strategy& strategy);

// problem_of: what the kernel says of a certificate; "accepted" when it is a proof. The Error must be
// kBadInput.
std::string problem_of(const Certificate& certificate);

// walk: the strategy that goes on in the only way there is, and couples draws by `shift`.
Strategy walk(const std::function<Shift(const Goal&)>& shift);
// keep: both runs draw the same.
inline Shift keep(const Goal&) { return {}; }
// align: the second run's draw makes up for the distance of `name`, at the cost of the claim.
std::function<Shift(const Goal&)> align(const std::string& name);

// Mechanism: a file of the corpus with the certificate that the prover finds for it.
struct Mechanism {
  std::string name;
  Certificate certificate;
};
// proved: the mechanisms of the folders correct and controls whose names do not start with one of
// `without`, in the order of their names. Those that are not proved fail the test.
std::vector<Mechanism> proved(const std::vector<std::string_view>& without = {});

}  // namespace lastbit::verify::testing
