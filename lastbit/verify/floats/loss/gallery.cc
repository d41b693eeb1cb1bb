#include "lastbit/verify/floats/loss/gallery.h"

#include <fmt/core.h>

#include "lastbit/verify/floats/bound.h"
#include "lastbit/verify/floats/loss/worst_pair.h"

namespace lastbit::verify {

namespace {

constexpr int kGalleryBits = 512;  // of the balls that decide
constexpr std::uint64_t kCandidates = 500;

// What ships, with λ and B as text; the caller changes one thing.
FloatModel shipped(std::string_view scale, std::string_view half_width, int precision = 53) {
  FloatModel model;
  model.scale = rational(scale);
  model.half_width = rational(half_width);
  model.precision = precision;
  return model;
}

// An entry whose claim is the published formula, whether or not its hypotheses hold.
FloatGalleryEntry against_formula(std::string name, std::string what, FloatModel model,
                                  bool refuted, const Rational& sensitivity = 1) {
  FloatGalleryEntry entry;
  entry.name = std::move(name);
  entry.what = std::move(what);
  entry.sensitivity = sensitivity;
  entry.claim = published_bound(bound_parameters(model, sensitivity)).total;
  entry.claim_text = "(Δ + 12·B·η)/λ + 2·η";
  entry.model = std::move(model);
  entry.refuted = refuted;
  return entry;
}

void add_without_grid(std::vector<FloatGalleryEntry>& list) {
  FloatModel model = shipped("1", "1");
  model.rounding = GridRounding::kNone;
  FloatGalleryEntry entry;
  entry.name = "naive";
  entry.what = "x + noise in floats, no grid: most outputs of one input are none of the other";
  entry.claim = 1;
  entry.claim_text = "Δ/λ";
  entry.model = model;
  list.push_back(std::move(entry));
}

void add_wrong_uniforms(std::vector<FloatGalleryEntry>& list) {
  FloatModel model = shipped("1", "64");
  model.uniform = UniformModel::kGrid;
  list.push_back(against_formula("grid-uniform-64",
                                 "u is a multiple of 2^-53: noise ends at 36.8 times the scale",
                                 model, true));
  list.back().pairs = {{0, 1}};
  model.scale = 10;
  model.half_width = 100;
  list.push_back(against_formula(
      "grid-uniform-10", "u is a multiple of 2^-53, which is too coarse near 0", model, true));
  model = shipped("1", "16", 118);
  model.uniform = UniformModel::kFewerBits;
  model.uniform_bits = 53;
  list.push_back(against_formula(
      "fewer-bits", "118 bits in the arithmetic, 53 in u: η is 2^-53, not 2^-118", model, true));
  for (const auto& [half_width, refuted] :
       {std::pair{"354", false}, std::pair{"360", true}, std::pair{"400", true}}) {
    model = shipped("1", half_width);
    model.uniform = UniformModel::kDouble;
    list.push_back(
        against_formula(fmt::format("double-{}", half_width),
                        refuted ? "u is a double, and noise of 2B needs smaller ones than there are"
                                : "u is a double, and 2B is within its range",
                        model, refuted));
    const Rational b = model.half_width;
    list.back().pairs = {
        {b - Rational(1), b}, {b - Rational(2), b - Rational(1)}, {-b, Rational(1) - b}};
  }
}

void add_fine_grids(std::vector<FloatGalleryEntry>& list) {
  for (const int exponent : {-4, -8, -12}) {
    FloatModel model = shipped("1", "16");
    model.grid = Grid(exponent);
    list.push_back(against_formula(
        fmt::format("fine-grid{}", exponent),
        fmt::format(
            "a grid of 2^{} where the scale is 1: cells too narrow for the thresholds' errors",
            exponent),
        model, true));
  }
}

void add_wrong_claims(std::vector<FloatGalleryEntry>& list) {
  FloatGalleryEntry exact = against_formula(
      "claims-exactly-1/scale", "the mechanism that ships, charged as if rounding were free",
      shipped("1", "16"), true);
  exact.claim = 1;
  exact.claim_text = "Δ/λ";
  list.push_back(std::move(exact));
  struct Published {
    const char* name;
    const char* what;
    int precision;
    const char *scale, *half_width, *x1, *x2;
    const char* sensitivity;
  };
  const char* const small = "B is below the scale, which the formula excludes";
  const char* const large = "B is above 0.27·2^p·λ: an output that only one of two inputs has";
  const char* const between = "inputs are not floats, and sums fall where floats cannot";
  const Published entries[] = {
      {"small-bound-5", small, 5, "144", "4", "3", "4", "1"},
      {"small-bound-6", small, 6, "220", "6", "5", "6", "1"},
      {"small-bound-9", small, 9, "3296", "447", "75", "76", "1"},
      {"large-bound-4", large, 4, "0.4375", "3.75", "2.75", "3.75", "1"},
      {"large-bound-6", large, 6, "0.453125", "8.25", "-8.25", "-8", "1"},
      {"large-bound-7", large, 7, "0.4609375", "16.25", "-16.25", "-16", "1"},
      {"integers-beyond-floats", "inputs are integers above 2^53, one apart, and no floats", 53,
       "1124800395213304.875", "144678147892890808", "144678147892890807", "144678147892890808",
       "1"},
      {"between-floats", between, 53, "17417898200546.7265625", "2260595906771398.875",
       "2260595906771299.874755859375", "2260595906771398.875", "99.000244140625"}};
  for (const Published& row : entries) {
    list.push_back(against_formula(row.name, row.what,
                                   shipped(row.scale, row.half_width, row.precision), true,
                                   rational(row.sensitivity)));
    list.back().pairs = {{rational(row.x1), rational(row.x2)}};
  }
}

void add_controls(std::vector<FloatGalleryEntry>& list) {
  const std::pair<GridRounding, const char*> roundings[] = {
      {GridRounding::kHalfUp, "what ships"},
      {GridRounding::kHalfEven, "ties to even multiples: harmless"},
      {GridRounding::kTowardZero, "truncation instead of rounding: harmless"},
      {GridRounding::kHalfAdded, "floor(w + 1/2) with a rounded sum: harmless"}};
  for (const auto& [rounding, what] : roundings) {
    FloatModel model = shipped("1", "64");
    model.rounding = rounding;
    list.push_back(
        against_formula(fmt::format("control-{}", name_of(rounding)), what, model, false));
  }
}

}  // namespace

std::vector<FloatGalleryEntry> gallery() {
  std::vector<FloatGalleryEntry> list;
  add_without_grid(list);
  add_wrong_uniforms(list);
  add_fine_grids(list);
  add_wrong_claims(list);
  add_controls(list);
  return list;
}

FloatGalleryRow judged(const FloatGalleryEntry& entry) {
  const FloatMechanism mechanism(entry.model);
  FloatGalleryRow row;
  row.entry = entry;
  if (entry.pairs.empty()) {
    SearchOptions options;
    options.sensitivity = entry.sensitivity;
    options.candidates = kCandidates;
    options.float_inputs = true;
    WorstPair found = worst_pair(mechanism, options);
    row.worst = std::move(found.pair);
    row.pairs = found.pairs;
  }
  for (const auto& [x1, x2] : entry.pairs) {
    PairLoss pair = pair_loss(mechanism, x1, x2);
    if (row.pairs == 0 || worse(pair.worst, row.worst.worst)) row.worst = std::move(pair);
    ++row.pairs;
  }
  if (row.worst.worst.infinite()) {
    row.refuted = true;
    return row;
  }
  const Ball loss = row.worst.worst.loss(kGalleryBits);
  row.refuted = certainly_greater(loss, Ball(entry.claim, kGalleryBits));
  const Ball ideal(entry.sensitivity / entry.model.scale, kGalleryBits);
  row.excess_in_eta = (loss - ideal) * Ball(Rational::two_to(entry.model.precision), kGalleryBits);
  return row;
}

std::vector<FloatGalleryRow> judged_gallery() {
  std::vector<FloatGalleryRow> rows;
  for (const FloatGalleryEntry& entry : gallery()) rows.push_back(judged(entry));
  return rows;
}

}  // namespace lastbit::verify
