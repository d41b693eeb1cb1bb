#include "lastbit/verify/refute/events.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace lastbit::verify::refutation {
namespace {

constexpr int kMostNoisyOutputs = 8;
constexpr std::size_t kMostEventLandmarks = 8;

Interval point(const Rational& value) { return {value, value}; }
Interval up_to(const Rational& value) { return {std::nullopt, value}; }
Interval from(const Rational& value) { return {value, std::nullopt}; }

// The outputs of a path with noise blanked out, and how it ends.
struct Skeleton {
  std::vector<std::pair<std::optional<Rational>, bool>> outputs;
  bool is_impossible = false;
  friend auto operator<=>(const Skeleton&, const Skeleton&) = default;
};

Skeleton skeleton_of(const Path& path) {
  Skeleton skeleton{{}, path.is_impossible};
  for (const OutputForm& output : path.outputs) {
    const bool constant = output.form.is_constant();
    skeleton.outputs.emplace_back(constant ? std::optional(output.form.constant) : std::nullopt,
                                  output.is_truth);
  }
  return skeleton;
}

// The form where all noise is 0, or 1 for uniform noise if `high`.
Rational landmark(const LinearForm& form, const std::vector<Noise>& noises, bool high) {
  Rational value = form.constant;
  for (const auto& [index, coefficient] : form.terms) {
    const Noise& noise = noises[static_cast<std::size_t>(index)];
    if (noise.law == Noise::Law::kStep) {
      value += coefficient * Rational(landmark(noise.under, noises, high).floor());
    } else if (noise.law == Noise::Law::kUniform && high) {
      value += coefficient;
    }
  }
  return value;
}

// A noisy output, or its difference to an earlier one where that has less noise.
struct Component {
  int output = 0;
  std::optional<int> minus;
  bool noiseless = false;
  bool whole = false;
  Rational spacing = 1;
  std::set<Rational> landmarks;
  int direction = 0;  // the sign of run 1 minus run 2
};

LinearForm form_of(int output, const std::optional<int>& minus, const Path& path) {
  const LinearForm& form = path.outputs[static_cast<std::size_t>(output)].form;
  if (!minus) return form;
  return form - path.outputs[static_cast<std::size_t>(*minus)].form;
}

std::optional<int> best_subtrahend(const Path& path, const std::vector<int>& noisy, int output) {
  std::optional<int> best;
  std::size_t fewest = form_of(output, best, path).terms.size();
  for (const int other : noisy) {
    if (other >= output) break;
    const std::size_t terms = form_of(output, other, path).terms.size();
    if (terms < fewest) {
      fewest = terms;
      best = other;
    }
  }
  return best;
}

// The paths of both runs that share a skeleton.
struct Group {
  std::vector<const Path*> first;
  std::vector<const Path*> second;
};

Component component_of(int output, const std::optional<int>& minus, const Group& group) {
  Component result;
  result.output = output;
  result.minus = minus;
  std::optional<Rational> centre1;
  std::optional<Rational> centre2;
  for (const auto* run : {&group.first, &group.second}) {
    for (const Path* path : *run) {
      const LinearForm form = form_of(output, minus, *path);
      const Rational centre = landmark(form, path->noises, false);
      auto& own_centre = run == &group.first ? centre1 : centre2;
      if (!own_centre) own_centre = centre;
      result.landmarks.insert(centre);
      result.landmarks.insert(landmark(form, path->noises, true));
      result.noiseless = form.is_constant();
      result.whole = is_whole(form.terms, path->noises);
      if (form.terms.size() == 1) result.spacing = abs(form.terms.front().second);
    }
  }
  if (centre1 && centre2) result.direction = (*centre1 - *centre2).sign();
  while (result.landmarks.size() > kMostEventLandmarks) {
    result.landmarks.erase(std::next(result.landmarks.begin(),
                                     static_cast<std::ptrdiff_t>(result.landmarks.size() / 2)));
  }
  return result;
}

// The intervals worth trying for one component.
std::vector<Interval> intervals_for(const Component& component) {
  std::vector<Interval> result;
  if (component.noiseless) {
    for (const Rational& value : component.landmarks) result.push_back(point(value));
    return result;
  }
  std::set<Rational> thresholds = component.landmarks;
  for (const int distance : {1, 3}) {
    thresholds.insert(*component.landmarks.begin() - Rational(distance) * component.spacing);
    thresholds.insert(*component.landmarks.rbegin() + Rational(distance) * component.spacing);
  }
  std::optional<Rational> last;
  for (const Rational& threshold : thresholds) {
    result.push_back(up_to(threshold));
    result.push_back(from(threshold));
    if (component.whole) result.push_back(point(threshold));
    if (last) result.push_back({last, threshold});
    last = threshold;
  }
  return result;
}

Condition condition_on(const Component& component, const Interval& interval) {
  return {component.output, component.minus, interval, false};
}

// All components at once: towards run 1 (towards = 1), towards run 2 (−1), all low or all high.
Cell joint_cell(Cell cell, const std::vector<Component>& components, int towards, bool one_way,
                const Rational& distance) {
  for (const Component& component : components) {
    const int direction = one_way ? towards : towards * component.direction;
    if (direction == 0 || component.noiseless) continue;
    const Rational step = distance * component.spacing;
    cell.conditions.push_back(
        condition_on(component, direction < 0 ? up_to(*component.landmarks.begin() - step)
                                              : from(*component.landmarks.rbegin() + step)));
  }
  return cell;
}

void propose(const Skeleton& skeleton, const Group& group, std::vector<Cell>& cells) {
  Cell cell{static_cast<int>(skeleton.outputs.size()), {}, skeleton.is_impossible};
  std::vector<int> noisy;
  for (int i = 0; i < cell.length; ++i) {
    const auto& [value, is_truth] = skeleton.outputs[static_cast<std::size_t>(i)];
    if (value) {
      cell.conditions.push_back({i, std::nullopt, point(*value), is_truth});
    } else {
      noisy.push_back(i);
    }
  }
  cells.push_back(cell);
  if (noisy.size() > kMostNoisyOutputs) noisy.resize(kMostNoisyOutputs);
  const Path& sample = *(group.first.empty() ? group.second : group.first).front();
  std::vector<Component> components;
  for (const int output : noisy) {
    components.push_back(component_of(output, best_subtrahend(sample, noisy, output), group));
  }
  for (const Component& component : components) {
    for (const Interval& interval : intervals_for(component)) {
      cells.push_back(cell);
      cells.back().conditions.push_back(condition_on(component, interval));
    }
  }
  if (components.size() < 2) return;
  for (const int distance : {0, 2}) {
    for (const int towards : {1, -1}) {
      cells.push_back(joint_cell(cell, components, towards, false, distance));
      cells.push_back(joint_cell(cell, components, towards, true, distance));
    }
  }
}

}  // namespace

std::optional<System> system_in(const Cell& cell, const Path& path) {
  if (static_cast<int>(path.outputs.size()) != cell.length) return std::nullopt;
  if (path.is_impossible != cell.is_impossible) return std::nullopt;
  // Constants first: they rule out most paths at no cost.
  for (const Condition& condition : cell.conditions) {
    const LinearForm& form = path.outputs[static_cast<std::size_t>(condition.output)].form;
    if (!condition.minus && form.is_constant() && !condition.interval.contains(form.constant)) {
      return std::nullopt;
    }
  }
  System system = path.system;
  for (const Condition& condition : cell.conditions) {
    const LinearForm form = form_of(condition.output, condition.minus, path);
    if (form.is_constant()) {
      if (!condition.interval.contains(form.constant)) return std::nullopt;
    } else if (!system.require_in(form, condition.interval, path.noises)) {
      return std::nullopt;
    }
  }
  return system;
}

bool are_disjoint(const Event& event) {
  const auto apart = [](const Cell& a, const Cell& b) {
    if (a.length != b.length || a.is_impossible != b.is_impossible) return true;
    return std::ranges::any_of(a.conditions, [&](const Condition& x) {
      return std::ranges::any_of(b.conditions, [&](const Condition& y) {
        return x.output == y.output && x.minus == y.minus &&
               intersection(x.interval, y.interval).is_empty();
      });
    });
  };
  for (std::size_t i = 0; i < event.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!apart(event[i], event[j])) return false;
    }
  }
  return true;
}

std::vector<Cell> proposed_cells(const std::vector<Path>& first, const std::vector<Path>& second) {
  std::map<Skeleton, Group> groups;
  for (const Path& path : first) groups[skeleton_of(path)].first.push_back(&path);
  for (const Path& path : second) groups[skeleton_of(path)].second.push_back(&path);
  std::vector<Cell> cells;
  for (const auto& [skeleton, group] : groups) propose(skeleton, group, cells);
  return cells;
}

}  // namespace lastbit::verify::refutation
