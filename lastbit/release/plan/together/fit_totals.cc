#include "lastbit/release/plan/together/fit_totals.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::release_internal {
namespace {

std::vector<Rational> whole_as_rationals(const std::vector<Integer>& numbers) {
  return {numbers.begin(), numbers.end()};
}

// water_level: the amount by which all numbers are lowered, so that what is left above 0 adds up to
// the total. With the k largest numbers it would be (their sum − total)/k; the right k is the
// largest for which the k-th number is still above that.
Rational water_level(std::vector<Rational> numbers, const Integer& total) {
  std::ranges::sort(numbers, std::ranges::greater());
  Rational sum = 0;
  Rational level = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    sum += numbers[k];
    Rational next = (sum - Rational(total)) / Rational(k + 1);
    if (k > 0 && numbers[k] <= next) break;
    level = std::move(next);
  }
  return level;
}

// round_to_total: numbers ≥ 0 that add up to the total, rounded down, and up where most was cut
// off.
std::vector<Integer> round_to_total(const std::vector<Rational>& numbers, const Integer& total) {
  std::vector<Integer> whole;
  whole.reserve(numbers.size());
  std::vector<std::pair<Rational, std::size_t>> cut_off;
  Integer missing = total;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    whole.push_back(numbers[i].floor());
    missing -= whole.back();
    if (!numbers[i].is_integer()) cut_off.emplace_back(Rational(whole.back()) - numbers[i], i);
  }
  std::ranges::sort(cut_off);
  for (const auto& [size, i] : cut_off) {
    if (missing.sign() <= 0) break;
    whole[i] += 1;
    missing -= 1;
  }
  invariant(missing.sign() == 0, "rounded numbers add up");
  return whole;
}

std::vector<std::vector<std::size_t>> members_of(const Partition& partition) {
  std::vector<std::vector<std::size_t>> members(partition.blocks);
  for (std::size_t i = 0; i < partition.block_of.size(); ++i) {
    members[partition.block_of[i]].push_back(i);
  }
  return members;
}

// move_within_rows: moves amounts from columns that have too much to others in the same row.
void move_within_rows(std::vector<Integer>& numbers, const Partition& rows,
                      const Partition& columns, const std::vector<Integer>& column_totals) {
  std::vector<Integer> too_much(columns.blocks, Integer(0));
  for (std::size_t i = 0; i < numbers.size(); ++i) too_much[columns.block_of[i]] += numbers[i];
  for (std::size_t column = 0; column < columns.blocks; ++column) {
    too_much[column] -= column_totals[column];
  }
  for (const std::vector<std::size_t>& row : members_of(rows)) {
    std::size_t taker = 0;
    for (const std::size_t giver : row) {
      Integer& excess = too_much[columns.block_of[giver]];
      while (excess.sign() > 0 && numbers[giver].sign() > 0 && taker < row.size()) {
        Integer& lack = too_much[columns.block_of[row[taker]]];
        if (lack.sign() >= 0) {
          ++taker;
          continue;
        }
        const Integer amount = std::min({excess, numbers[giver], -lack});
        numbers[giver] -= amount;
        numbers[row[taker]] += amount;
        excess -= amount;
        lack += amount;
      }
    }
  }
}

// JointPartition: the blocks in which two partitions meet, with the block of each that they are in.
struct JointPartition {
  Partition blocks;
  Partition rows;
  Partition columns;
};
JointPartition joint(const Partition& rows, const Partition& columns) {
  JointPartition all{{}, {{}, rows.blocks}, {{}, columns.blocks}};
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> places;
  all.blocks.block_of.reserve(rows.block_of.size());
  for (std::size_t i = 0; i < rows.block_of.size(); ++i) {
    const std::pair at(rows.block_of[i], columns.block_of[i]);
    const auto [place, added] = places.emplace(at, places.size());
    if (added) {
      all.rows.block_of.push_back(at.first);
      all.columns.block_of.push_back(at.second);
    }
    all.blocks.block_of.push_back(place->second);
  }
  all.blocks.blocks = places.size();
  return all;
}

}  // namespace

std::vector<Rational> Partition::sums(const std::vector<Rational>& numbers) const {
  std::vector<Rational> sums(blocks, Rational(0));
  for (std::size_t i = 0; i < numbers.size(); ++i) sums[block_of[i]] += numbers[i];
  return sums;
}

Integer nearest_possible(const Rational& number) {
  return std::max(Integer(0), (number + Rational(1, 2)).floor());
}

std::vector<Integer> fit_to_total(const std::vector<Rational>& numbers, const Integer& total) {
  invariant(!numbers.empty() && total.sign() >= 0, "numbers can have this total");
  const Rational level = water_level(numbers, total);
  std::vector<Rational> left;
  left.reserve(numbers.size());
  for (const Rational& number : numbers) left.push_back(std::max(Rational(0), number - level));
  return round_to_total(left, total);
}

std::vector<Integer> fit_to_rows(const std::vector<Rational>& numbers, const Partition& rows,
                                 const std::vector<Integer>& totals) {
  std::vector<Integer> fitted(numbers.size());
  const auto members = members_of(rows);
  for (std::size_t row = 0; row < members.size(); ++row) {
    std::vector<Rational> own;
    for (const std::size_t i : members[row]) own.push_back(numbers[i]);
    const std::vector<Integer> fit = fit_to_total(own, totals[row]);
    for (std::size_t k = 0; k < fit.size(); ++k) fitted[members[row][k]] = fit[k];
  }
  return fitted;
}

std::vector<Integer> fit_to_both(const std::vector<Rational>& numbers, const Partition& rows,
                                 const std::vector<Integer>& row_totals, const Partition& columns,
                                 const std::vector<Integer>& column_totals) {
  // Going back and forth spreads what has to be moved over many numbers; the last step moves the
  // little that is left.
  constexpr int kRounds = 3;
  std::vector<Integer> fitted = fit_to_rows(numbers, rows, row_totals);
  for (int round = 0; round < kRounds; ++round) {
    fitted = fit_to_rows(whole_as_rationals(fitted), columns, column_totals);
    fitted = fit_to_rows(whole_as_rationals(fitted), rows, row_totals);
  }
  move_within_rows(fitted, rows, columns, column_totals);
  return fitted;
}

std::vector<Integer> fit_table(const std::vector<Rational>& numbers,
                               const std::vector<Partition>& dimensions) {
  if (numbers.empty()) return {};
  const Rational sum = std::accumulate(numbers.begin(), numbers.end(), Rational(0));
  const Integer total = nearest_possible(sum);
  Partition fitted{std::vector<std::size_t>(numbers.size(), 0), 1};
  std::vector<Integer> totals = {total};
  for (const Partition& dimension : dimensions) {
    const std::vector<Integer> single = fit_to_total(dimension.sums(numbers), total);
    JointPartition next = joint(fitted, dimension);
    totals = fit_to_both(next.blocks.sums(numbers), next.rows, totals, next.columns, single);
    fitted = std::move(next.blocks);
  }
  std::vector<Integer> all;
  all.reserve(numbers.size());
  for (const std::size_t block : fitted.block_of) all.push_back(totals[block]);
  return all;
}

}  // namespace lastbit::release_internal
