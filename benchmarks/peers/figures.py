"""From the answers of one file to its figures."""

import math
import statistics

Z = 2.5758  # for 99 %: of the many pairs of ranges on a page, hardly any misses by chance
FEWEST = 20
ALARM = 1e-6  # how often two samples of one law may be said to differ


def quantile(ordered, fraction):
    """The smallest of the ordered numbers that at least this fraction of them do not exceed."""
    return ordered[min(len(ordered) - 1, max(0, math.ceil(fraction * len(ordered)) - 1))]


def figures_of_errors(errors):
    """RMSE and the 95 % quantile of the absolute errors, each with the range that chance leaves it (99 %)."""
    count, ordered = len(errors), sorted(abs(error) for error in errors)
    squares = [error * error for error in errors]
    mean = statistics.fmean(squares)
    rmse = math.sqrt(mean)
    spread = Z * statistics.pstdev(squares) / (2 * mean * math.sqrt(count)) if mean > 0 else 0.0
    step = Z * math.sqrt(0.95 * 0.05 / count)
    return {
        "rmse": rmse,
        "rmse_range": [rmse * math.exp(-spread), rmse * math.exp(spread)],
        "q95": quantile(ordered, 0.95),
        "q95_range": [quantile(ordered, 0.95 - step), quantile(ordered, min(1.0, 0.95 + step))],
    }


def wrong_answers(part, answers, truth, epsilon, rows):
    """What is wrong with the answers: none of them may be off by more than any right answer could be."""
    most = part.most(truth, epsilon, rows)
    for answer in answers:
        for error in part.errors(answer, truth):
            if not abs(error) <= most:
                return f"an answer is off by {error:.6g}, where at most {most:.6g} can be right"
    return ""


def at_least(successes, trials, chance):
    """The probability of so many successes or more."""
    return sum(math.comb(trials, k) * chance ** k * (1 - chance) ** (trials - k) for k in range(successes, trials + 1))


def different_laws(some, others):
    """Whether the sizes of two lists of errors are of different laws, but for a probability of about ALARM: too many of
    the first list are above, or below, what half or one in twenty of the second exceeds."""
    ordered, sizes = sorted(abs(error) for error in others), [abs(error) for error in some]
    for fraction in (0.05, 0.5, 0.95):
        limit = quantile(ordered, fraction)
        above, below = sum(size > limit for size in sizes), sum(size < limit for size in sizes)
        slack = Z * math.sqrt(fraction * (1 - fraction) / len(ordered))  # the limit is known that well
        if at_least(above, len(sizes), min(1.0, 1 - fraction + slack)) < ALARM / 6:
            return True
        if at_least(below, len(sizes), min(1.0, fraction + slack)) < ALARM / 6:
            return True
    return False


def errors_of(part, answers, truth):
    return [error for answer in answers for error in part.errors(answer, truth)]


def figures_of_part(part, answers, truth):
    """Without RMSE and quantile if there are too few errors for them to mean anything."""
    errors = errors_of(part, answers, truth)
    counts = {"runs": len(answers), "errors": len(errors)}
    return counts if part.random and len(errors) < FEWEST else figures_of_errors(errors) | counts
