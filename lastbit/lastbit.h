// Everything needed to make releases: chains, noise, accuracy, statistics, ledgers and release
// files. Include single headers where compile time matters; this one includes them all.
//
// Not included: what only some programs need (lastbit/sources, lastbit/report, lastbit/verify,
// engines) and headers that are internal to a module.
#pragma once

// Exact numbers, and random bits.
#include "lastbit/base/error.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"

// Chains: domains, metrics, measures, and what is made of them.
#include "lastbit/core/chain.h"
#include "lastbit/core/compose.h"
#include "lastbit/core/divergence.h"
#include "lastbit/core/domain.h"
#include "lastbit/core/measure.h"
#include "lastbit/core/measurement.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/relation.h"
#include "lastbit/core/transformation.h"

// Functions of private data.
#include "lastbit/transformations/aggregates/count.h"
#include "lastbit/transformations/aggregates/covariance.h"
#include "lastbit/transformations/aggregates/histogram.h"
#include "lastbit/transformations/aggregates/mean.h"
#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/aggregates/variance.h"
#include "lastbit/transformations/change_metric.h"
#include "lastbit/transformations/rows/bins.h"
#include "lastbit/transformations/rows/cast.h"
#include "lastbit/transformations/rows/clamp.h"
#include "lastbit/transformations/rows/impute.h"
#include "lastbit/transformations/rows/is_equal.h"
#include "lastbit/transformations/rows/resize.h"

// Noise.
#include "lastbit/mechanisms/discrete_gaussian.h"
#include "lastbit/mechanisms/discrete_laplace.h"
#include "lastbit/mechanisms/exponential_mechanism.h"
#include "lastbit/mechanisms/gaussian_threshold_histogram.h"
#include "lastbit/mechanisms/noisy_max.h"
#include "lastbit/mechanisms/noisy_max_each.h"
#include "lastbit/mechanisms/randomized_response.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/mechanisms/threshold_histogram.h"
#include "lastbit/mechanisms/top_k.h"

// How accurate answers will be.
#include "lastbit/accuracy/accuracy.h"
#include "lastbit/accuracy/bias.h"
#include "lastbit/accuracy/gaussian_accuracy.h"
#include "lastbit/accuracy/ideal_snapping.h"
#include "lastbit/accuracy/planned_noise.h"
#include "lastbit/accuracy/ranges.h"
#include "lastbit/accuracy/selection_accuracy.h"

// Statistics of a column, in one call each.
#include "lastbit/statistics/count.h"
#include "lastbit/statistics/covariance.h"
#include "lastbit/statistics/estimate.h"
#include "lastbit/statistics/histogram.h"
#include "lastbit/statistics/mean.h"
#include "lastbit/statistics/pivot.h"
#include "lastbit/statistics/plan.h"
#include "lastbit/statistics/quotients.h"
#include "lastbit/statistics/request.h"
#include "lastbit/statistics/sum.h"
#include "lastbit/statistics/variance.h"

// Budgets that outlive the process.
#include "lastbit/accounting/book.h"
#include "lastbit/accounting/cost.h"
#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/ledger_address.h"
#include "lastbit/accounting/ledger_move.h"
#include "lastbit/accounting/total_loss.h"
#include "lastbit/accounting/while_waiting.h"

// Releases that a file describes.
#include "lastbit/release/engine.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/plan/reliability.h"
#include "lastbit/release/plan_ledger.h"
#include "lastbit/release/run.h"
