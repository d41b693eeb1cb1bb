#include "lastbit/accounting/loss_elements.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lastbit/base/work_limit.h"

namespace lastbit::accounting_internal {
namespace {

Integer units(const Ball& value, End end, int bits) {
  return end == End::kUpper ? units_up(value, bits) : units_down(value, bits);
}

// Moments: ∫ y^n dP over a cell from g to g + step, for n = 0, 1, 2, where y = e^(g−l).
struct Moments {
  Ball zeroth;
  Ball first;
  Ball second;
};

// How much longer than a step of a sum it takes to compute what lies in one cell, and one bound of
// a loss in rho.
constexpr std::size_t kCellWork = 20;
constexpr std::size_t kBoundWork = 50;

// Density: puts mass that lies within cells onto their ends.
class Density {
 public:
  Density(const Rational& step, std::int64_t first, std::size_t cells, End end, int bits)
      : end_(end),
        bits_(bits),
        precision_(density_precision(bits)),
        step_(step),
        narrow_(exp(Ball(-step, precision_))),
        part_(-expm1(Ball(-step, precision_))),
        shares_(first, cells + 1) {}

  static int density_precision(int bits) { return 2 * bits + 128; }

  void add_cell(std::size_t cell, const Moments& m) {
    WorkLimit::spend(kCellWork);
    const Ball far = (m.zeroth - m.first) / part_;
    const Ball near = (m.first - narrow_ * m.zeroth) / part_;
    const Integer most = units_up(m.zeroth, bits_);
    if (end_ == End::kUpper) {
      shares_.far[cell + 1] += std::min(units_up(far, bits_), most);
      shares_.near[cell] += std::min(units_up(near, bits_), most);
      return;
    }
    const Ball pull =
        (m.first * (Ball(1, precision_) + narrow_) - m.second - narrow_ * m.zeroth) / part_;
    const Integer kept = units_down(near, bits_);
    shares_.near[cell] += kept;
    shares_.far[cell + 1] += units_down(far, bits_);
    // What rounding left out of the near part took at most its own mass with it.
    const Integer left_out = (units_up(near, bits_) - kept) * unit();
    shares_.gain[cell] += std::max(units_down(pull, 2 * bits_) - left_out, Integer(0));
    shares_.lack[cell + 1] += units_up(pull / narrow_, 2 * bits_);
  }

  // add_atom: mass at the place itself.
  void add_atom(std::size_t place, const Ball& mass) {
    shares_.near[place] += units(mass, end_, bits_);
  }

  LossDistribution finish(const Ball& infinity) const {
    LossDistribution losses{end_, bits_, step_, shares_.first, {}, units(infinity, end_, bits_)};
    if (end_ == End::kLower) {
      losses.masses = settled(shares_);
      --losses.first;
      return losses;
    }
    for (std::size_t i = 0; i < shares_.near.size(); ++i) {
      losses.masses.push_back(shares_.near[i] + shares_.far[i]);
    }
    return losses;
  }

 private:
  Integer unit() const { return Integer::two_to(static_cast<std::uint64_t>(bits_)); }

  End end_;
  int bits_;
  int precision_;
  Rational step_;
  Ball narrow_;  // e^−step
  Ball part_;    // 1 − e^−step
  Shares shares_;
};

// Normal: the law N(mean, variance), with variance = square.
class Normal {
 public:
  Normal(const Rational& mean, const Rational& square, int precision)
      : mean_(mean), precision_(precision), scale_(sqrt(Ball(Rational(2) * square, precision))) {}

  // above: the mass above x if x is above the mean, otherwise minus the mass below it. Differences
  // on one side are masses, without a loss of digits.
  Ball above(const Rational& x) const {
    const Ball z = Ball(x - mean_, precision_) / scale_;
    const Ball half(Rational(1, 2), precision_);
    return x >= mean_ ? half * erfc(z) : -(half * erfc(-z));
  }
  bool is_above(const Rational& x) const { return x >= mean_; }

 private:
  Rational mean_;
  int precision_;
  Ball scale_;
};

// NormalCells: the masses of consecutive cells.
class NormalCells {
 public:
  NormalCells(const Rational& mean, const Rational& square, int precision)
      : normal_(mean, square, precision), precision_(precision), last_(0, precision) {}

  void start(const Rational& x) {
    last_ = normal_.above(x);
    was_above_ = normal_.is_above(x);
  }
  Ball next(const Rational& x) {
    const Ball here = normal_.above(x);
    const bool is_above = normal_.is_above(x);
    // The mass between is 1 − above − below for a cell with the mean in it.
    const Ball mass = was_above_ == is_above ? last_ - here : Ball(1, precision_) + last_ - here;
    last_ = here;
    was_above_ = is_above;
    return mass;
  }
  // tail: the mass below the first or above the last place.
  Ball tail() const { return abs(last_); }

 private:
  Normal normal_;
  int precision_;
  Ball last_;
  bool was_above_ = false;
};

// The functions below are for guesses, on which only depends how tight a bound is. This module does
// without the C library's mathematics, whose errors nobody has bounded.
constexpr double kLn2 = 0.693147180559945309;

double guess_exp(double exponent) {
  const double x = std::clamp(exponent, -2000.0, 2000.0);  // beyond, doubles are 0 or infinite
  const double power = std::floor(x / kLn2 + 0.5);
  const double rest = x - power * kLn2;  // at most 0.35 in magnitude
  double sum = 1;
  for (int i = 14; i > 0; --i) sum = 1 + sum * rest / i;
  return std::ldexp(sum, static_cast<int>(power));
}

double guess_expm1(double x) {
  if (std::abs(x) > 1e-3) return guess_exp(x) - 1;
  return x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5))));
}

// guess_log: x > 0.
double guess_log(double x) {
  int power = 0;
  const double part = std::frexp(x, &power);  // at least ½
  const double t = (part - 0.75) / (part + 0.75);
  double sum = 0;
  for (int i = 21; i > 0; i -= 2) sum = 1.0 / i + sum * t * t;
  constexpr double kLn075 = -0.287682072451780927;
  return 2 * t * sum + kLn075 + power * kLn2;
}

// guess_log1p: x ≥ 0.
double guess_log1p(double x) { return x < 1e-5 ? x - x * x / 2 : guess_log(1 + x); }

// concentrated_log_delta: the logarithm of the bound for the order 1 + u, as a double for choosing
// u.
double concentrated_log_delta(double rho, double epsilon, double u) {
  return u * (rho * (u + 1) - epsilon) - u * guess_log1p(1 / u) - guess_log1p(u);
}

// concentrated_delta: a bound for the delta of rho at epsilon ≥ 0; which order it takes is a guess.
Ball concentrated_delta(const Rational& rho, const Rational& epsilon, int precision) {
  const double r = rho.up();
  const double e = epsilon.up();
  double low = -60;
  double high = 60;
  for (int i = 0; i < 80; ++i) {  // the logarithm of u, by golden section
    const double a = low + (high - low) * 0.382;
    const double b = low + (high - low) * 0.618;
    const bool left =
        concentrated_log_delta(r, e, guess_exp(a)) < concentrated_log_delta(r, e, guess_exp(b));
    (left ? high : low) = left ? b : a;
  }
  const Rational order = Rational::exactly(guess_exp((low + high) / 2));
  const Ball u(order, precision);
  const Ball log_delta = Ball(order * (rho * (order + Rational(1)) - epsilon), precision) -
                         u * log1p(Ball(1, precision) / u) - log1p(u);
  return exp(log_delta);
}

// Point: what a profile may not exceed at one loss.
struct Point {
  std::int64_t place;
  Rational delta;  // as a multiple of 2^−precision
  double guess;
};

// mass_guess: the mass that a chain of chords puts on the middle one of three points; negative if
// the chain would not be convex there.
double mass_guess(const Point& a, const Point& b, const Point& c, double step) {
  return (c.guess - b.guess) / guess_expm1(step * static_cast<double>(c.place - b.place)) -
         (a.guess - b.guess) / guess_expm1(-step * static_cast<double>(b.place - a.place));
}

Rational concentrated_bound(const Rational& rho, const Rational& epsilon, int precision) {
  WorkLimit::spend(kBoundWork);
  const Rational at = abs(epsilon);
  Ball delta = concentrated_delta(rho, at, precision);
  if (epsilon.sign() < 0) {
    // h(−ε) = 1 − e^−ε + e^−ε·h(ε), for pairs and for what bounds both orders of them.
    const Ball factor = exp(Ball(epsilon, precision));
    delta = Ball(1, precision) - factor + factor * delta;
  }
  const Integer up = units_up(delta, precision);
  return std::min(Rational(up) * Rational::two_to(-precision), Rational(1));
}

// convex_chain: the points that chords should join; any choice is sound.
std::vector<Point> convex_chain(const std::vector<Point>& points, double step) {
  std::vector<Point> chain;
  for (const Point& point : points) {
    while (chain.size() >= 2 &&
           mass_guess(chain[chain.size() - 2], chain.back(), point, step) < 0) {
      chain.pop_back();
    }
    chain.push_back(point);
  }
  return chain;
}

}  // namespace

LossDistribution approximate_losses(const Rational& epsilon, const Rational& delta, End end,
                                    int bits) {
  const int precision = bits + 64;
  const Ball one(1, precision);
  const Ball rest(Rational(1) - delta, precision);
  const Ball odds = exp(Ball(-epsilon, precision));
  return {end,
          bits,
          epsilon,
          -1,
          {units(rest * odds / (one + odds), end, bits), 0, units(rest / (one + odds), end, bits)},
          units(Ball(delta, precision), end, bits)};
}

LossDistribution laplace_losses(const Rational& epsilon, std::int64_t parts, End end, int bits) {
  const Rational step = epsilon / Rational(parts);
  const auto cells = static_cast<std::size_t>(2 * parts);
  Density density(step, -parts, cells, end, bits);
  const int precision = Density::density_precision(bits);
  const Ball half(Rational(1, 2), precision);
  density.add_atom(cells, half);
  density.add_atom(0, half * exp(Ball(-epsilon, precision)));
  // The density is e^((l − ε)/2)/4, so all cells are alike but for a factor.
  const auto integral = [&](int twice) {  // ∫ e^(twice·r/2)/4 dr over a cell
    const Rational exponent(twice, 2);
    return expm1(Ball(exponent * step, precision)) / Ball(Rational(4) * exponent, precision);
  };
  const Moments shape{integral(1), integral(-1), integral(-3)};
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const Rational from = step * Rational(static_cast<std::int64_t>(cell) - parts);
    const Ball factor = exp(Ball((from - epsilon) / Rational(2), precision));
    density.add_cell(cell, {shape.zeroth * factor, shape.first * factor, shape.second * factor});
  }
  return density.finish(Ball(0, precision));
}

Reach gaussian_reach(double square, double tail) {
  const double z = std::sqrt(2 * -guess_log(tail)) + 1;
  return {square / 2 - z * std::sqrt(square), square / 2 + z * std::sqrt(square)};
}

LossDistribution gaussian_losses(const Rational& square, const Rational& step, const Rational& tail,
                                 End end, int bits) {
  const Reach reach = gaussian_reach(square.up(), tail.up());
  const std::int64_t low = (Rational::exactly(reach.low) / step).floor().to_int64();
  const std::int64_t high = (Rational::exactly(reach.high) / step).ceil().to_int64();
  const auto cells = static_cast<std::size_t>(high - low);
  const int precision = Density::density_precision(bits);
  // e^(−n·l) times the density of N(s/2, s) is e^(n(n−1)s/2) times that of N(s/2 − n·s, s).
  NormalCells zeroth(square / Rational(2), square, precision);
  NormalCells first(-square / Rational(2), square, precision);
  NormalCells second(square * Rational(-3, 2), square, precision);
  const Rational start = step * Rational(low);
  for (NormalCells* normal : {&zeroth, &first, &second}) normal->start(start);
  Density density(step, low, cells, end, bits);
  if (end == End::kUpper) density.add_atom(0, zeroth.tail());
  Ball factor = exp(Ball(start, precision));
  const Ball ratio = exp(Ball(step, precision));
  const Ball curvature = exp(Ball(square, precision));
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const Rational to = step * Rational(low + static_cast<std::int64_t>(cell) + 1);
    const Ball mass = zeroth.next(to);
    const Ball mass_first = first.next(to);
    const Ball mass_second = end == End::kUpper ? Ball(0, precision) : second.next(to);
    density.add_cell(cell, {mass, factor * mass_first, factor * factor * curvature * mass_second});
    factor = factor * ratio;
  }
  if (end == End::kLower) {
    density.add_atom(cells, zeroth.tail());
    return density.finish(Ball(0, precision));
  }
  return density.finish(zeroth.tail());
}

LossDistribution concentrated_losses(const Rational& rho, const Rational& step,
                                     const Rational& tail, int bits) {
  const int precision = bits + 64;
  // Gaussian noise of this rho reaches nearly as far as the bound; a few steps more do no harm.
  const Reach reach = gaussian_reach(2 * rho.up(), tail.up());
  const std::int64_t high = (Rational::exactly(reach.high) / step).ceil().to_int64() + 1;
  const std::int64_t low = (Rational::exactly(reach.low) / step).floor().to_int64() - 1;
  std::vector<Point> points;
  for (std::int64_t place = low; place <= high; ++place) {
    const Rational delta = concentrated_bound(rho, step * Rational(place), precision);
    points.push_back({place, delta, delta.up()});
  }
  const std::vector<Point> chain = convex_chain(points, step.up());
  LossDistribution losses{End::kUpper, bits, step, low, {}, 0};
  losses.masses.resize(points.size());
  const auto ball = [&](const Rational& value) { return Ball(value, precision); };
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const Point& here = chain[i];
    Ball mass = ball(Rational(1) - here.delta);  // from the profile's 1 at −∞
    if (i > 0) {
      const Rational gap = step * Rational(here.place - chain[i - 1].place);
      mass = ball(chain[i - 1].delta - here.delta) / -expm1(ball(-gap));
    }
    if (i + 1 < chain.size()) {
      const Rational gap = step * Rational(chain[i + 1].place - here.place);
      mass = mass - ball(here.delta - chain[i + 1].delta) / expm1(ball(gap));
    }
    losses.masses[static_cast<std::size_t>(here.place - low)] = units_up(mass, bits);
  }
  losses.infinity = (chain.back().delta * Rational::two_to(bits)).ceil();
  return losses;
}

}  // namespace lastbit::accounting_internal
