"""PipelineDP without a cluster: its local backend."""

import pipeline_dp

METRICS = pipeline_dp.Metrics
STAGE = "Compute DP metrics"  # where noise is added to the aggregates of each key


class RepeatingBackend(pipeline_dp.LocalBackend):
    """Adds noise to the same aggregates several times: each key has a list of metrics."""

    def __init__(self, count):
        super().__init__()
        self.count = count

    def map_values(self, col, fn, stage_name=None, resource_hints=None):
        repeated = (lambda value: [fn(value) for _ in range(self.count)]) if stage_name == STAGE else fn
        return super().map_values(col, repeated, stage_name, resource_hints)


class Aggregates:
    """Aggregates rows (unit, key, value) again at every call, with fresh noise. `read` makes an answer of the metrics by
    key."""

    def __init__(self, rows, epsilon, keys, read, **parameters):
        self.rows, self.epsilon, self.keys, self.read = rows, epsilon, keys, read
        self.settings = pipeline_dp.AggregateParams(noise_kind=pipeline_dp.NoiseKind.LAPLACE,
                                                    max_partitions_contributed=1, **parameters)

    def aggregate(self, backend):
        extractors = pipeline_dp.DataExtractors(privacy_id_extractor=lambda row: row[0],
                                                partition_extractor=lambda row: row[1],
                                                value_extractor=lambda row: row[2])
        accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=self.epsilon, total_delta=0)
        engine = pipeline_dp.DPEngine(accountant, backend)
        found = engine.aggregate(self.rows, self.settings, extractors, public_partitions=self.keys)
        accountant.compute_budgets()
        return dict(found)

    def __call__(self):
        return self.read(self.aggregate(pipeline_dp.LocalBackend()))

    def many(self, count, _seconds):
        found = self.aggregate(RepeatingBackend(count))
        return [self.read({key: metrics[place] for key, metrics in found.items()}) for place in range(count)]


def aggregates(rows, epsilon, keys, read, most=1, **parameters):
    return Aggregates(rows, epsilon, keys, read, max_contributions_per_partition=most, **parameters)


def one_per_row(values, keys=None):
    """Rows of which each is a unit of its own."""
    return list(zip(range(len(values)), keys if keys is not None else [0] * len(values), values))
