#include "lastbit/engines/kernel/bounded_kernel.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/held.h"
#include "lastbit/engines/kernel/part_counter.h"

namespace lastbit::engine {
namespace {

constexpr auto kHasUnits = "rows that are bounded have units";

// machine_memory: half of it, for rows that wait to be counted.
std::uint64_t machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size)
             : std::uint64_t{1} << 32;
}

// kept_bits: which of 64 rows have a value.
std::uint64_t kept_bits(const FieldBatch& batch, std::size_t word) {
  return batch.validity == nullptr ? ~std::uint64_t{0} : batch.validity[word];
}

bool is_text_batch(const FieldBatch& batch) {
  return std::holds_alternative<std::span<const std::string_view>>(batch.values);
}

}  // namespace

struct BoundedKernel::State {
  // WordColumn: the source of one word of packed rows.
  struct WordColumn {
    const std::int64_t* values = nullptr;
    Validity validity = nullptr;
  };

  // Lane: what one thread needs to add rows.
  struct Lane {
    explicit Lane(State& state)
        : texts(state.pool),
          tallies(state.aggregation, state.plan, state.layout, state.pool, state.key,
                  state.options.place) {}
    TextPool::Cache texts;
    Tallies tallies;  // where each row is a unit
    UnitPartitions::Writer writer;
    RowMapper::Room room;
    std::vector<FieldBatch> fields;
    std::vector<FieldBatch> keys;
    std::vector<FieldBatch> contents;
    std::vector<std::uint32_t> kept;
    std::vector<WordColumn> columns;
    std::vector<std::vector<std::int64_t>> codes;
    std::vector<std::uint64_t> row;
  };

  // SortedRows: where rows come sorted, those of the current unit.
  struct SortedRows {
    explicit SortedRows(State& state)
        : tallies(state.aggregation, state.plan, state.layout, state.pool, state.key,
                  state.options.place),
          counter(*state.unit, state.layout, state.pool, state.key, tallies),
          rows(*state.unit, state.layout, counter, state.memory / 2 / sizeof(std::uint64_t),
               state.options.place) {}
    Tallies tallies;
    UnitCounter counter;
    UnitRows rows;
    std::optional<UnitRange> range;
  };

  State(Aggregation asked, const SecretKey& secret, KernelOptions wanted)
      : aggregation(std::move(asked)),
        key(secret),
        options(std::move(wanted)),
        plan((check_aggregation(aggregation), plan_contents(aggregation))),
        layout(options.layout ? *options.layout : kernel_layout(aggregation, plan)),
        mapper(aggregation, plan),
        unit(std::get_if<UnitColumn>(&aggregation.unit)),
        hash(key),
        text_hash{key.words[3], key.words[0]},
        pool(key),
        memory(options.limits.memory_bytes.value_or(machine_memory())),
        threads(options.limits.threads.value_or(std::max(1U, std::thread::hardware_concurrency()))),
        store(memory / 2, options.limits.spill_directory, options.place),
        partitions(store, piece_words()) {
    if (unit != nullptr && options.order == RowOrder::kByUnit) {
      sorted = std::make_unique<SortedRows>(*this);
    }
    for (const TallyStep& step : plan.measures) {
      if (step.kind == TallyKind::kUnits) continue;
      only_units = false;
      counts_all = counts_all || step.kind == TallyKind::kRows;
    }
    counts_all = counts_all || only_units;
  }

  // piece_words: of all buffers of all threads together not more than an eighth of the memory.
  std::size_t piece_words() const {
    const std::uint64_t buffers = std::uint64_t{threads} * UnitPartitions::kParts;
    return std::clamp<std::uint64_t>(memory / 8 / sizeof(std::uint64_t) / buffers, 32, 4096);
  }

  std::unique_ptr<Lane> take_lane() {
    const std::lock_guard lock(mutex);
    if (lanes.empty()) return std::make_unique<Lane>(*this);
    std::unique_ptr<Lane> lane = std::move(lanes.back());
    lanes.pop_back();
    return lane;
  }
  void return_lane(std::unique_ptr<Lane> lane) {
    const std::lock_guard lock(mutex);
    lanes.push_back(std::move(lane));
  }

  KeyedRows map_block(std::span<const FieldBatch> fields, std::size_t first, std::size_t rows,
                      Lane& lane) const;
  void add_block(const KeyedRows& rows, Lane& lane);
  void add_merged_block(const KeyedRows& rows, std::span<const std::int64_t> times, Lane& lane);
  std::size_t pack_with_group(Lane& lane, std::size_t row) const;
  void keep_rows(const KeyedRows& rows, Lane& lane) const;
  std::uint64_t countable(const KeyedRows& rows, std::size_t word) const;
  bool in_ranges(const KeyedRows& rows, std::size_t row) const;
  void add_columns(const KeyedRows& rows, Lane& lane) const;
  void add_column(const FieldBatch& batch, Lane& lane) const;
  void pack(const Lane& lane, std::size_t row, std::uint64_t* out) const;
  void pack_unit_text(std::string_view text, std::vector<std::uint64_t>& words) const;
  void partition_rows(const KeyedRows& rows, Lane& lane);
  void sort_rows(const KeyedRows& rows, Lane& lane);
  void start_unit(PackedRow row);
  PlainValue unit_of(PackedRow row) const;

  void count_parts(PartialAnswer& part, const Progress& progress);

  Aggregation aggregation;
  SecretKey key;
  KernelOptions options;
  ContentPlan plan;
  RowLayout layout;
  RowMapper mapper;
  const UnitColumn* unit;  // null: each row is a unit
  WordHash hash;
  TextHasher text_hash;
  TextPool pool;
  std::uint64_t memory;
  unsigned threads;
  RowStore store;
  UnitPartitions partitions;
  std::unique_ptr<SortedRows> sorted;
  bool only_units = true;   // there are only tallies of units
  bool counts_all = false;  // there is something to count in every row
  std::mutex mutex;         // guards the lanes
  std::vector<std::unique_ptr<Lane>> lanes;
};

// Rows in which some tally has all its contents.
std::uint64_t BoundedKernel::State::countable(const KeyedRows& rows, std::size_t word) const {
  if (counts_all || unit == nullptr) return ~std::uint64_t{0};
  std::uint64_t some = 0;
  for (const TallyStep& step : plan.measures) {
    if (step.kind == TallyKind::kUnits) continue;
    std::uint64_t all = kept_bits(rows.contents[step.first], word);
    if (step.contents() == 2) all &= kept_bits(rows.contents[step.second], word);
    some |= all;
  }
  return some;
}

bool BoundedKernel::State::in_ranges(const KeyedRows& rows, std::size_t row) const {
  for (std::size_t i = 0; i < aggregation.groups.size(); ++i) {
    const auto* range = std::get_if<RangeKeys>(&aggregation.groups[i]);
    if (range == nullptr) continue;
    const std::int64_t number = rows.keys[i].value<std::int64_t>(row);
    if (number < range->first || number > range->last) return false;
  }
  return true;
}

// Chooses the rows that have a unit, a group and something to count.
void BoundedKernel::State::keep_rows(const KeyedRows& rows, Lane& lane) const {
  lane.kept.clear();
  for (std::size_t word = 0; word * 64 < rows.rows; ++word) {
    std::uint64_t bits = countable(rows, word);
    if (rows.condition) bits &= kept_bits(*rows.condition, word);
    if (rows.unit) bits &= kept_bits(*rows.unit, word);
    for (const FieldBatch& batch : rows.keys) bits &= kept_bits(batch, word);
    const std::size_t left = rows.rows - word * 64;
    if (left < 64) bits &= (std::uint64_t{1} << left) - 1;
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t row = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      if (rows.condition && rows.condition->value<std::int64_t>(row) != 1) continue;
      if (in_ranges(rows, row)) lane.kept.push_back(static_cast<std::uint32_t>(row));
    }
  }
}

// Whole numbers are used where they are, texts become numbers of the pool.
void BoundedKernel::State::add_column(const FieldBatch& batch, Lane& lane) const {
  if (!is_text_batch(batch)) {
    const auto values = std::get<std::span<const std::int64_t>>(batch.values);
    lane.columns.push_back({values.data(), batch.validity});
    return;
  }
  std::vector<std::int64_t>& codes = lane.codes.emplace_back(RowMapper::kBlock);
  for (const std::uint32_t row : lane.kept) {
    if (batch.is_missing(row)) continue;
    codes[row] = static_cast<std::int64_t>(lane.texts.code(batch.value<std::string_view>(row)));
  }
  lane.columns.push_back({codes.data(), batch.validity});
}

void BoundedKernel::State::add_columns(const KeyedRows& rows, Lane& lane) const {
  invariant(
      rows.keys.size() == layout.keys.size() && rows.contents.size() == layout.contents.size(),
      "there is a batch for each key and content");
  const auto fits = [](const FieldBatch& batch, Carrier carrier) {
    return is_text_batch(batch) == (carrier == Carrier::kBytes);
  };
  lane.columns.clear();
  lane.codes.clear();
  for (std::size_t i = 0; i < rows.keys.size(); ++i) {
    invariant(fits(rows.keys[i], layout.keys[i]), "keys come as their carriers");
    add_column(rows.keys[i], lane);
  }
  for (std::size_t i = 0; i < rows.contents.size(); ++i) {
    invariant(fits(rows.contents[i], layout.contents[i]), "contents come as their carriers");
    add_column(rows.contents[i], lane);
  }
}

// All words but the first.
void BoundedKernel::State::pack(const Lane& lane, std::size_t row, std::uint64_t* out) const {
  const std::size_t keys = layout.keys.size();
  for (std::size_t i = 0; i < keys; ++i) {
    out[1 + i] = static_cast<std::uint64_t>(lane.columns[i].values[row]);
  }
  std::uint64_t* nulls = out + layout.first_null();
  std::fill_n(nulls, layout.null_words(), 0);
  std::uint64_t* contents = out + layout.first_content();
  for (std::size_t i = 0; i < layout.contents.size(); ++i) {
    const WordColumn& column = lane.columns[keys + i];
    const bool there =
        column.validity == nullptr || (column.validity[row / 64] >> (row % 64) & 1) != 0;
    contents[i] = there ? static_cast<std::uint64_t>(column.values[row]) : 0;
    nulls[i / 64] |= std::uint64_t{!there} << (i % 64);
  }
}

void BoundedKernel::State::pack_unit_text(std::string_view text,
                                          std::vector<std::uint64_t>& words) const {
  words.push_back(text.size());
  const std::size_t begin = words.size();
  words.resize(begin + (text.size() + 7) / 8);
  if (!text.empty()) std::memcpy(words.data() + begin, text.data(), text.size());
}

void BoundedKernel::State::partition_rows(const KeyedRows& rows, Lane& lane) {
  constexpr std::size_t kShift = 64 - UnitPartitions::kBits;
  const FieldBatch& units = held(rows.unit, kHasUnits);
  const std::size_t plain = layout.words();
  for (const std::uint32_t row : lane.kept) {
    std::uint64_t first = 0;
    std::uint64_t hashed = 0;
    std::string_view text;
    if (layout.unit == Carrier::kInteger) {
      first = static_cast<std::uint64_t>(units.value<std::int64_t>(row));
      hashed = hash(first);
    } else {
      text = units.value<std::string_view>(row);
      first = hashed = text_hash(text);
    }
    const std::size_t part = hashed >> kShift;
    std::vector<std::uint64_t>& words = lane.writer.open(part);
    const std::size_t begin = words.size();
    words.resize(begin + plain);
    words[begin] = first;
    pack(lane, row, words.data() + begin);
    if (layout.unit == Carrier::kBytes) pack_unit_text(text, words);
    lane.writer.close(part, partitions);
  }
}

PlainValue BoundedKernel::State::unit_of(PackedRow row) const {
  if (layout.unit == Carrier::kInteger) return static_cast<std::int64_t>(row[0]);
  return std::string(unit_text(layout, row));
}

// start_unit: a row of another unit than the current one.
void BoundedKernel::State::start_unit(PackedRow row) {
  PlainValue next = unit_of(row);
  auto& range = sorted->range;
  if (range && next <= range->second) {
    throw Error(ErrorCode::kBadInput, options.place, "is not sorted by its units",
                "sort the rows by unit, texts by their bytes, or say that they are not sorted");
  }
  sorted->rows.count();
  if (!range) {
    range.emplace(next, next);
  } else {
    range->second = std::move(next);
  }
}

void BoundedKernel::State::sort_rows(const KeyedRows& rows, Lane& lane) {
  const FieldBatch& units = held(rows.unit, kHasUnits);
  const std::size_t plain = layout.words();
  for (const std::uint32_t row : lane.kept) {
    lane.row.resize(plain);
    if (layout.unit == Carrier::kInteger) {
      lane.row[0] = static_cast<std::uint64_t>(units.value<std::int64_t>(row));
    } else {
      const auto text = units.value<std::string_view>(row);
      lane.row[0] = text_hash(text);
      pack_unit_text(text, lane.row);
    }
    pack(lane, row, lane.row.data());
    const bool same =
        !sorted->rows.empty() && same_unit(layout, sorted->rows.first(), lane.row.data());
    if (!same) start_unit(lane.row.data());
    sorted->rows.add(lane.row.data());
  }
}

// pack_with_group: a row of no unit, and the number of its group.
std::size_t BoundedKernel::State::pack_with_group(Lane& lane, std::size_t row) const {
  lane.row.resize(layout.words());
  pack(lane, row, lane.row.data());
  return lane.tallies.group(lane.row.data() + 1);
}

KeyedRows BoundedKernel::State::map_block(std::span<const FieldBatch> fields, std::size_t first,
                                          std::size_t rows, Lane& lane) const {
  lane.fields.clear();
  for (const FieldBatch& field : fields) lane.fields.push_back(slice(field, first, rows));
  return mapper.map(lane.fields, rows, lane.room);
}

void BoundedKernel::State::add_block(const KeyedRows& rows, Lane& lane) {
  keep_rows(rows, lane);
  add_columns(rows, lane);
  if (unit != nullptr && pool.bytes() > memory / 4) {
    throw Error(ErrorCode::kBadInput, options.place, "has more different texts than fit in memory",
                "raise the memory limit");
  }
  if (sorted) return sort_rows(rows, lane);
  if (unit != nullptr) return partition_rows(rows, lane);
  for (const std::uint32_t row : lane.kept) {
    const std::size_t group = pack_with_group(lane, row);
    lane.tallies.add_row(group, lane.row.data());
    lane.tallies.add_unit(group);
  }
}

void BoundedKernel::State::add_merged_block(const KeyedRows& rows,
                                            std::span<const std::int64_t> times, Lane& lane) {
  keep_rows(rows, lane);
  add_columns(rows, lane);
  for (const std::uint32_t row : lane.kept) {
    if (times[row] == 0) continue;
    const std::size_t group = pack_with_group(lane, row);
    lane.tallies.add_equal_units(group, lane.row.data(), times[row]);
  }
}

BoundedKernel::BoundedKernel(Aggregation aggregation, const SecretKey& key, KernelOptions options)
    : state_(std::make_unique<State>(std::move(aggregation), key, std::move(options))) {}

BoundedKernel::~BoundedKernel() = default;

const std::vector<RowColumn>& BoundedKernel::columns() const { return state_->mapper.columns(); }

void BoundedKernel::add(std::span<const FieldBatch> fields, std::size_t rows) {
  std::unique_ptr<State::Lane> lane = state_->take_lane();
  for (std::size_t first = 0; first < rows; first += RowMapper::kBlock) {
    const std::size_t size = std::min(rows - first, RowMapper::kBlock);
    state_->add_block(state_->map_block(fields, first, size, *lane), *lane);
  }
  state_->return_lane(std::move(lane));
}

void BoundedKernel::add_merged(std::span<const FieldBatch> fields,
                               std::span<const std::int64_t> times) {
  invariant(state_->unit == nullptr, "rows that are merged are units");
  if (std::ranges::any_of(times, [](std::int64_t number) { return number < 0; })) {
    throw Error(ErrorCode::kBadInput, state_->options.place, "has a negative number of equal rows",
                "look at what merges them");
  }
  std::unique_ptr<State::Lane> lane = state_->take_lane();
  for (std::size_t first = 0; first < times.size(); first += RowMapper::kBlock) {
    const std::size_t size = std::min(times.size() - first, RowMapper::kBlock);
    state_->add_merged_block(state_->map_block(fields, first, size, *lane),
                             times.subspan(first, size), *lane);
  }
  state_->return_lane(std::move(lane));
}

void BoundedKernel::add_keyed(const KeyedRows& rows) {
  std::unique_ptr<State::Lane> lane = state_->take_lane();
  for (std::size_t first = 0; first < rows.rows; first += RowMapper::kBlock) {
    KeyedRows block;
    block.rows = std::min(rows.rows - first, RowMapper::kBlock);
    if (rows.condition) block.condition = slice(*rows.condition, first, block.rows);
    if (rows.unit) block.unit = slice(*rows.unit, first, block.rows);
    lane->keys.clear();
    lane->contents.clear();
    for (const FieldBatch& key : rows.keys) lane->keys.push_back(slice(key, first, block.rows));
    for (const FieldBatch& content : rows.contents) {
      lane->contents.push_back(slice(content, first, block.rows));
    }
    block.keys = lane->keys;
    block.contents = lane->contents;
    state_->add_block(block, *lane);
  }
  state_->return_lane(std::move(lane));
}

// Parts are counted by several threads, each with tallies of its own. Small parts are counted
// together.
void BoundedKernel::State::count_parts(PartialAnswer& part, const Progress& progress) {
  for (const std::unique_ptr<Lane>& lane : lanes) partitions.finish(lane->writer);
  lanes.clear();
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 15;
  std::vector<UnitPartitions::Part> jobs;
  for (UnitPartitions::Part& one : partitions.parts()) {
    if (one.empty()) continue;
    if (jobs.empty() || UnitPartitions::size(jobs.back()) > kSmall) jobs.emplace_back();
    for (RowStore::Piece& piece : one) jobs.back().push_back(std::move(piece));
  }
  std::atomic<std::size_t> next = 0;
  std::mutex results;  // guards the part and the problem
  std::exception_ptr problem;
  const std::uint64_t most_words =
      std::max<std::uint64_t>(memory / 8 / threads / sizeof(std::uint64_t), 1024);
  const auto work = [&](bool tells) {
    Tallies tallies(aggregation, plan, layout, pool, key, options.place);
    UnitCounter counter(*unit, layout, pool, key, tallies);
    PartCounter parts(*unit, layout, counter, store, hash, most_words, options.place);
    if (options.mergeable) parts.collect(key);
    for (std::size_t job = next++; job < jobs.size(); job = next++) {
      if (tells && progress) progress(static_cast<double>(job) / static_cast<double>(jobs.size()));
      parts.count(jobs[job]);
    }
    const std::vector<UnitDigest> digests = parts.take_digests();
    const std::lock_guard lock(results);
    tallies.add_to(part);
    part.units.digests.insert(part.units.digests.end(), digests.begin(), digests.end());
  };
  const auto try_work = [&](bool tells) {
    try {
      work(tells);
    } catch (...) {
      next = jobs.size();  // the others need not go on
      const std::lock_guard lock(results);
      if (!problem) problem = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> workers;
    const std::size_t wanted = std::min<std::size_t>(threads, jobs.size());
    for (std::size_t i = 1; i < wanted; ++i) workers.emplace_back(try_work, false);
    try_work(true);
  }
  if (problem) std::rethrow_exception(problem);
  std::ranges::sort(part.units.digests);
}

PartialAnswer BoundedKernel::finish(const Progress& progress) {
  PartialAnswer part;
  part.question = question_digest(state_->aggregation, state_->key);
  if (state_->sorted) {
    state_->sorted->rows.count();
    state_->sorted->tallies.add_to(part);
    auto& range = state_->sorted->range;
    if (range) part.units.ranges.push_back(std::move(*range));
  } else if (state_->unit != nullptr) {
    part.units.known = state_->options.mergeable;
    state_->count_parts(part, progress);
  } else {
    for (const auto& lane : state_->lanes) lane->tallies.add_to(part);
  }
  tidy(part);
  if (progress) progress(1);
  return part;
}

}  // namespace lastbit::engine
