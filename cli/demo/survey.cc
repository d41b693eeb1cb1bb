#include "cli/demo/survey.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "cli/terminal/progress.h"

namespace lastbit::cli {
namespace {

// Draws: numbers that depend only on the seed and a counter (the finaliser of SplitMix64).
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t household)
      : state_(mixed(seed + kStep) ^ mixed(household * kStep)) {}

  // below: 0, 1, …, n − 1, about equally often; n < 2^32.
  std::int64_t below(std::int64_t n) {
    state_ += kStep;
    return static_cast<std::int64_t>((mixed(state_) >> 32U) * static_cast<std::uint64_t>(n) >> 32U);
  }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool chance(std::int64_t per_mille) { return below(1000) < per_mille; }
  // bell: a number in [−spread, spread], more likely near 0; its standard deviation is spread/√12.
  std::int64_t bell(std::int64_t spread) {
    std::int64_t sum = 0;
    for (int i = 0; i < 4; ++i) sum += between(-spread, spread);
    return sum / 4;
  }
  // pick: an index, with probabilities given by the weights.
  std::size_t pick(std::span<const int> weights) {
    std::int64_t total = 0;
    for (const int weight : weights) total += weight;
    std::int64_t rest = below(total);
    std::size_t index = 0;
    while (rest >= weights[index]) rest -= weights[index++];
    return index;
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e37'79b9'7f4a'7c15;
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ (z >> 27U)) * 0x94d0'49bb'1331'11eb;
    return z ^ (z >> 31U);
  }
  std::uint64_t state_;
};

struct Region {
  std::string_view name;
  int weight;       // per thousand households
  int price_level;  // percent
};
constexpr std::array<Region, 12> kRegions = {{{"Aldermoor", 148, 112},
                                              {"Brackwater", 61, 92},
                                              {"Cindermere", 97, 101},
                                              {"Dunholt", 52, 88},
                                              {"Eastmarch", 118, 96},
                                              {"Fernvale", 74, 94},
                                              {"Greyhaven", 181, 124},
                                              {"Highfell", 23, 84},
                                              {"Ivory Shore", 66, 117},
                                              {"Kestrel Bay", 89, 106},
                                              {"Lowenstrand", 79, 99},
                                              {"Mirefield", 12, 81}}};

enum Education : std::size_t { kNoneYet, kPrimary, kLower, kUpper, kBachelor, kMaster, kDoctorate };
constexpr std::array<std::string_view, 7> kEducations = {
    "none yet", "primary", "lower secondary", "upper secondary", "bachelor", "master", "doctorate"};
// Yearly pay of full-time work, before region, age and luck.
constexpr std::array<std::int64_t, 7> kPay = {9'000,  19'000, 23'000, 30'000,
                                              41'000, 52'000, 63'000};

constexpr std::array<std::string_view, 3> kSexes = {"female", "male", "other"};

// How many adults without children at home there are at each age, from 18 to 100: straight lines
// between these points.
constexpr std::array<std::pair<int, int>, 7> kAdultAges = {
    {{18, 60}, {30, 72}, {45, 50}, {58, 105}, {70, 108}, {84, 50}, {100, 1}}};

std::vector<int> adult_age_weights() {
  std::vector<int> weights;
  for (std::size_t i = 0; i + 1 < kAdultAges.size(); ++i) {
    const auto [from, here] = kAdultAges[i];
    const auto [to, there] = kAdultAges[i + 1];
    for (int age = from; age < to; ++age) {
      weights.push_back(here + (there - here) * (age - from) / (to - from));
    }
  }
  weights.push_back(kAdultAges.back().second);
  return weights;
}

int adult_age(Draws& draws) {
  static const std::vector<int> kWeights = adult_age_weights();
  return kAdultAges.front().first + static_cast<int>(draws.pick(kWeights));
}

// times_power: amount · 2^(sixteenths/16), with 2^f ≈ 1 + f − 0.344·f·(1 − f) for 0 ≤ f < 1.
std::int64_t times_power(std::int64_t amount, std::int64_t sixteenths) {
  const std::int64_t whole = sixteenths >= 0 ? sixteenths / 16 : -((15 - sixteenths) / 16);
  const std::int64_t fraction = sixteenths - whole * 16;
  const std::int64_t mantissa = 65'536 + 4'096 * fraction - 88 * fraction * (16 - fraction);
  const std::int64_t scaled = amount * mantissa / 65'536;
  return whole >= 0 ? scaled << whole : scaled >> -whole;
}

// ages_of: the ages of a household, adults first. Children are 18 to 45 years younger.
std::vector<int> ages_of(Draws& draws, int size) {
  std::vector<int> ages;
  const bool family = size >= 3 || (size == 2 && draws.chance(160));
  const int first =
      family ? static_cast<int>(24 + draws.below(18) + draws.below(18)) : adult_age(draws);
  ages.push_back(first);
  const bool couple = size >= 2 && (!family || (size >= 3 && draws.chance(860)));
  if (couple) ages.push_back(std::clamp(first + static_cast<int>(draws.bell(10)), 18, 100));
  while (ages.size() < static_cast<std::size_t>(size)) {
    const int oldest_child = std::min(first - 18, 26);
    ages.push_back(
        static_cast<int>(draws.between(std::clamp(first - 45, 0, oldest_child), oldest_child)));
  }
  return ages;
}

std::string_view sex_of(Draws& draws, int age, std::string_view partner) {
  if (draws.chance(4)) return kSexes[2];
  if (!partner.empty() && draws.chance(970)) return partner == kSexes[0] ? kSexes[1] : kSexes[0];
  return draws.chance(age > 75 ? 610 : 503) ? kSexes[0] : kSexes[1];
}

// Each generation stayed at school longer than the one before.
Education education_of(Draws& draws, int age) {
  if (age < 6) return kNoneYet;
  if (age < 12) return kPrimary;
  if (age < 18) return kLower;
  constexpr std::array<int, 4> kYoung = {140, 610, 240, 10};
  constexpr std::array<int, 5> kMiddle = {130, 450, 230, 165, 25};
  constexpr std::array<int, 5> kOld = {330, 470, 110, 78, 12};
  if (age < 25) return static_cast<Education>(kLower + draws.pick(kYoung));
  if (age < 60) return static_cast<Education>(kLower + draws.pick(kMiddle));
  return static_cast<Education>(kLower + draws.pick(kOld));
}

bool is_employed(Draws& draws, int age, Education education) {
  std::int64_t per_mille = 800;
  if (age < 18) per_mille = 60;
  if (age >= 18 && age < 25) per_mille = 540;
  if (age >= 60) per_mille = 480;
  if (age >= 66) per_mille = 110;
  if (age >= 75) per_mille = 15;
  if (education >= kBachelor && age >= 25 && age < 66) per_mille += 90;
  return draws.chance(per_mille);
}

int half_hours_of(Draws& draws, int age) {
  const bool part_time = draws.chance(age < 25 || age >= 66 ? 550 : 230);
  if (part_time) return static_cast<int>(draws.between(12, 60));
  if (draws.chance(80)) return static_cast<int>(draws.between(86, 160));
  return static_cast<int>(78 + draws.bell(10));
}

// luck: what the other columns do not explain, in sixteenths of a doubling. One in forty belongs to
// the heavy tail.
std::int64_t luck(Draws& draws) {
  std::int64_t sixteenths = draws.bell(32);
  if (!draws.chance(25)) return sixteenths;
  for (int doublings = 0; doublings < 7; ++doublings) {
    sixteenths += draws.between(4, 20);
    if (draws.chance(500)) break;
  }
  return sixteenths;
}

std::int64_t income_cents_of(Draws& draws, const Person& person, Education education,
                             std::int64_t price_level, std::optional<int> half_hours) {
  std::int64_t yearly = person.age >= 66 ? 8'000 + kPay[education] * 35 / 100 : 7'500;
  if (person.age < 25 && !half_hours) yearly = 3'000;
  if (half_hours) {
    const std::int64_t experience = std::clamp(person.age - 20, 0, 30);
    yearly = kPay[education] * (80 + experience) / 100 * *half_hours / 78;
  }
  const std::int64_t here = yearly * price_level / 100;
  // Two statements, because the order in which arguments are evaluated differs between compilers.
  const std::int64_t cents = here * 100 + draws.below(100);
  return times_power(cents, luck(draws));
}

void fill_in(Draws& draws, Person& person, std::int64_t price_level) {
  const Education education = education_of(draws, person.age);
  person.education = kEducations[education];
  if (person.age < 15) return;
  person.employed = is_employed(draws, person.age, education);
  std::optional<int> half_hours;
  if (*person.employed) half_hours = half_hours_of(draws, person.age);
  const auto income = income_cents_of(draws, person, education, price_level, half_hours);
  if (!draws.chance(30)) person.half_hours = half_hours;
  if (!draws.chance(45)) person.income_cents = income;
}

// household_of: the people of one household, without their numbers.
std::vector<Person> household_of(std::uint64_t seed, std::uint64_t household) {
  Draws draws(seed, household);
  constexpr std::array<int, 6> kSizes = {372, 330, 135, 112, 36, 15};
  std::array<int, kRegions.size()> region_weights{};
  std::ranges::transform(kRegions, region_weights.begin(), &Region::weight);
  const Region& region = kRegions[draws.pick(region_weights)];
  Person shared;
  shared.household_id = household;
  shared.household_size = 1 + static_cast<int>(draws.pick(kSizes));
  shared.region = region.name;
  const std::int64_t rent = (310 + 170 * shared.household_size) * region.price_level / 100;
  const std::int64_t asked = times_power(rent, draws.bell(18));
  if (!draws.chance(460)) shared.rent = asked;

  std::vector<Person> people;
  for (const int age : ages_of(draws, shared.household_size)) {
    Person person = shared;
    person.age = age;
    const bool has_partner = people.size() == 1 && age >= 18;
    person.sex = sex_of(draws, age, has_partner ? people.front().sex : std::string_view());
    fill_in(draws, person, region.price_level);
    people.push_back(person);
  }
  return people;
}

std::string in_cents(const std::optional<std::int64_t>& amount) {
  return amount ? fmt::format("{}.{:02}", *amount / 100, *amount % 100) : "";
}

}  // namespace

Person Survey::next() {
  if (waiting_.empty()) {
    waiting_ = household_of(seed_, ++households_);
    std::ranges::reverse(waiting_);
  }
  Person person = waiting_.back();
  waiting_.pop_back();
  person.person_id = ++people_;
  return person;
}

std::vector<std::string> survey_regions() {
  std::vector<std::string> names;
  names.reserve(kRegions.size());
  for (const Region& region : kRegions) names.emplace_back(region.name);
  return names;
}

std::vector<std::string> survey_sexes() { return {kSexes.begin(), kSexes.end()}; }

std::vector<std::string> survey_educations() { return {kEducations.begin(), kEducations.end()}; }

std::string survey_header() {
  return "person_id,household_id,household_size,region,sex,age,education,employed,hours,income,"
         "rent\n";
}

std::string survey_line(const Person& p) {
  const std::string employed = p.employed ? (*p.employed ? "true" : "false") : "";
  const std::string hours =
      p.half_hours ? fmt::format("{}.{}", *p.half_hours / 2, *p.half_hours % 2 * 5) : "";
  const std::string rent = p.rent ? std::to_string(*p.rent) : "";
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", p.person_id, p.household_id,
                     p.household_size, p.region, p.sex, p.age, p.education, employed, hours,
                     in_cents(p.income_cents), rent);
}

void write_survey(Sink& sink, std::uint64_t rows, std::uint64_t seed) {
  constexpr std::uint64_t kRowsBetweenUpdates = 1024;
  Progress progress("writing the survey", rows);
  Survey survey(seed);
  sink.write(survey_header());
  for (std::uint64_t row = 0; row < rows && !sink.closed(); ++row) {
    if (row % kRowsBetweenUpdates == 0) progress.update(row);
    sink.write(survey_line(survey.next()));
  }
}

}  // namespace lastbit::cli
