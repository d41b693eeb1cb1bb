"""OpenDP on Polars frames, through its context, as its manual recommends."""

import opendp.prelude as dp
import polars

dp.enable_features("contrib")

LONGEST = 2_000_000  # a public guess: no table of rows is longer


def answers(frame, make_query, epsilon, by=(), unit=None, longest=LONGEST):
    """A function that answers the query again, with fresh noise, as a table. The measurement behind it is made once."""
    unit = unit or dp.unit_of(contributions=1)
    margins = [dp.polars.Margin(max_length=longest)]
    if by:
        margins.append(dp.polars.Margin(by=list(by), max_length=longest))
    context = dp.Context.compositor(data=frame, privacy_unit=unit, privacy_loss=dp.loss_of(epsilon=epsilon),
                                    split_evenly_over=1, margins=margins)
    measurement = make_query(context.query()).resolve()
    return lambda: measurement(frame).collect()


def keys(**columns):
    return polars.LazyFrame(columns)
