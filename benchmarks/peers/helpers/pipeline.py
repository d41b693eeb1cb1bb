"""PipelineDP without a cluster: its local backend."""

import pipeline_dp


def aggregates(rows, epsilon, keys, **parameters):
    """A function that aggregates the rows (unit, key, value) again, with fresh noise: metrics by key."""
    extractors = pipeline_dp.DataExtractors(privacy_id_extractor=lambda row: row[0], value_extractor=lambda row: row[2],
                                            partition_extractor=lambda row: row[1])
    settings = pipeline_dp.AggregateParams(noise_kind=pipeline_dp.NoiseKind.LAPLACE, max_partitions_contributed=1,
                                           **parameters)

    def release():
        accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=epsilon, total_delta=0)
        engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
        found = engine.aggregate(rows, settings, extractors, public_partitions=keys)
        accountant.compute_budgets()
        return dict(found)

    return release


MEAN = [pipeline_dp.Metrics.MEAN]
COUNT = [pipeline_dp.Metrics.COUNT]
