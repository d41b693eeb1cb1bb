"""Proofs about mechanisms: found by a search, checked by a small kernel.

The verifier and its solver are an extension of their own, which is loaded when it is first used.
"""

from __future__ import annotations

import dataclasses
import decimal
import math
import os
from fractions import Fraction
from typing import Any, Mapping, Optional, Tuple, Union

from ._errors import Error
from ._numbers import Exact, fraction_of, optional_text_of, text_of

Source = Union[str, "os.PathLike[str]"]

_MOST_SECONDS = 86_400
_MOST_CANDIDATES = 100_000_000
_MOST_PRECISION = 4096


@dataclasses.dataclass(frozen=True)
class Witness:
    """A violation: parameters, two adjacent inputs, and an event that is too likely in the first run.

    Values are texts of exact numbers. Each float is rounded so that the violation stays one: `probability1`, `loss`
    and so on are at least as bad as they look.
    """

    parameters: Mapping[str, str]
    input1: Mapping[str, str]
    input2: Mapping[str, str]
    event: str
    probability1: float
    probability2: float
    loss: float
    epsilon: float
    delta: float
    explanation: str = dataclasses.field(repr=False)

    def __str__(self) -> str:
        return self.explanation


@dataclasses.dataclass(frozen=True, repr=False)
class Decision:
    """Whether a mechanism is as private as it claims; `prove` makes it.

    `verdict` is "proved", "refuted" or "unknown". A proof has a `theorem`, a `certificate` that `check` accepts and
    the `least_epsilon` of its couplings; a refutation has a `witness`; an unknown has a `reason`.
    """

    verdict: str
    mechanism: str
    claim: str
    theorem: Optional[str]
    least_epsilon: Optional[str]
    supported_epsilon: Optional[str]
    certificate: Optional[str]
    witness: Optional[Witness]
    reason: Optional[str]
    steps: int
    obligations: int
    seconds: float

    @property
    def proved(self) -> bool:
        return self.verdict == "proved"

    def derivation(self, form: str = "text") -> str:
        """The proof for people ("text", "html", "latex") or its side conditions for SMT solvers ("smtlib")."""
        forms = ("text", "html", "latex", "smtlib")
        if form not in forms:
            raise Error("bad parameter", "`form`", "is not known", "give one of " + ", ".join(forms))
        if self.certificate is None:
            raise Error("not supported", "derivation", f"{self.mechanism} was not proved", "look at verdict first")
        extension = _extension()
        write = extension.smtlib if form == "smtlib" else getattr(extension, f"derivation_{form}")
        return write(self.certificate)

    def __repr__(self) -> str:
        if self.verdict == "proved":
            lines = [f"proved: {self.theorem}"]
            if self.least_epsilon:
                lines.append(f"  least epsilon of this proof: {self.least_epsilon}")
            lines.append(f"  the kernel checked {self.steps:,} steps and {self.obligations:,} side conditions")
        elif self.witness is not None:
            lines = [f"refuted: {self.mechanism} is not {self.claim}"]
            lines += ["  " + line for line in self.witness.explanation.splitlines()]
        else:
            lines = [
                "unknown: neither a proof nor a violation was found for the claim that "
                f"{self.mechanism} is {self.claim}",
                f"  {self.reason}",
            ]
        if self.supported_epsilon:
            lines.append(f"  couplings were found for {self.supported_epsilon}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        import html

        if self.certificate is None:
            return f"<pre>{html.escape(repr(self))}</pre>"
        page = html.escape(self.derivation("html"), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:32rem;border:0"></iframe>'


@dataclasses.dataclass(frozen=True, repr=False)
class Theorem:
    """What a certificate proves, as the kernel found it."""

    statement: str
    mechanism: str
    claim: str
    program: str
    steps: int
    obligations: int

    def __repr__(self) -> str:
        return f"accepted: {self.steps:,} steps, {self.obligations:,} side conditions\ntheorem:  {self.statement}"


@dataclasses.dataclass(frozen=True, repr=False)
class FloatLoss:
    """What one output of the snapping mechanism reveals in floating point; `loss` makes it.

    Numbers that are Fractions are exact. The loss lies between `lower` and `upper`, which are infinite if one of the
    inputs never gives the output. `excess` is how much the loss is above `ideal`, that of real noise. `bound` is
    proved for all inputs this far apart; it is None where nothing is proved.
    """

    precision: int
    scale: Fraction
    x1: Fraction
    x2: Fraction
    output: Fraction
    probability1: Fraction
    probability2: Fraction
    lower: float
    upper: float
    ideal: Fraction
    excess: float
    bound: Optional[Fraction]
    pairs: int
    certificate: str

    def __repr__(self) -> str:
        ideal = f"{float(self.ideal):.12g}"
        found = "infinite"
        if math.isfinite(self.lower):
            found = f"{ideal} + {_shown(Fraction(self.excess), decimal.ROUND_FLOOR)}"
        lines = [
            f"Laplace noise in floats of {self.precision} bits, scale {float(self.scale):.12g}",
            f"  loss found    {found}, exact, for x = {float(self.x1)}, x' = {float(self.x2)}",
        ]
        if self.bound is not None:
            lines.append(f"  proved bound  {ideal} + {_shown(self.bound - self.ideal, decimal.ROUND_CEILING)}")
        return "\n".join(lines)


def prove(program: Source, *, seconds: float = 10) -> Decision:
    """Whether a mechanism is as private as it claims: a proof, a violation, or neither within the time.

    `program` is a text in the mechanism language, or the path of a file with one: a Path, or a text without line
    breaks that ends in ".dp". The search takes at most `seconds` seconds, or a little more. Other threads run
    meanwhile. "proved" means that the kernel accepted the certificate; no solver is trusted.

    >>> program = '''
    ... mechanism noisy(f: real, eps: real)
    ...   requires eps > 0
    ...   adjacent |f.1 - f.2| <= 1
    ... {
    ...   eta <- laplace(1 / eps);
    ...   return f + eta;
    ... }
    ... '''
    >>> import lastbit
    >>> decision = lastbit.prove(program)
    >>> decision
    proved: noisy is eps-DP for all eps > 0 and inputs with |f.1 - f.2| <= 1
      least epsilon of this proof: eps
      the kernel checked 3 steps and 2 side conditions
    >>> lastbit.prove(program.replace("1 / eps", "1 / (2 * eps)")).witness.loss > 1.99
    True
    """
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds <= _MOST_SECONDS:
        raise Error("bad parameter", "`seconds`", "is not a time", f"give a number above 0 and at most {_MOST_SECONDS}")
    text, name = _program(program)
    found = _extension().prove(text, name, float(seconds))
    if found["witness"] is not None:
        found["witness"] = Witness(**found["witness"])
    return Decision(**found)


def check(certificate: Source, *, program: Optional[Source] = None) -> Union[Theorem, FloatLoss]:
    """What a certificate proves, found by the kernel alone: no search, no solver, exact arithmetic.

    `certificate` is its text or the path of a file. With `program` it has to be about exactly this program. A
    certificate that proves nothing raises an Error that names the step and the reason. The certificate of a `loss`
    is checked by running the mechanism.

    >>> import lastbit
    >>> claim = "mechanism half(f: real, eps: real) requires eps > 0 adjacent |f.1 - f.2| <= 1 "
    >>> decision = lastbit.prove(claim + "claims eps / 2 { eta <- laplace(2 / eps); return f + eta; }")
    >>> lastbit.check(decision.certificate).statement
    'half is (eps / 2)-DP for all eps > 0 and inputs with |f.1 - f.2| <= 1'
    """
    extension = _extension()
    is_file = not isinstance(certificate, str) or not certificate.lstrip().startswith("{")
    text = _read(certificate, extension.most_certificate_bytes) if is_file else _encodable(certificate, "certificate")
    if extension.is_loss_certificate(text):
        if program is not None:
            raise Error("bad parameter", "`program`", "this is a certificate of an exact loss", "leave program out")
        return _float_loss(extension.check_loss(text), pairs=1, certificate=text)
    source, name = (None, "program") if program is None else _program(program)
    return Theorem(**extension.check(text, source, name))


def loss(
    *,
    epsilon: Exact,
    lower: Exact,
    upper: Exact,
    sensitivity: Exact = 1,
    precision: int = 53,
    x: Optional[Exact] = None,
    x2: Optional[Exact] = None,
    shipped: bool = False,
    search: int = 0,
    seed: int = 1,
) -> FloatLoss:
    """What Laplace noise snapped to a grid loses in floats of `precision` bits: a proved bound and an exact loss.

    The noise has the scale sensitivity/epsilon, rounded up; answers lie in [lower, upper]. With `x` and `x2` it is the
    worst output of these two inputs, otherwise the worst pair that a search finds, which tries `search` random pairs
    beyond the structured ones. Nothing is drawn and nothing is estimated. `shipped` takes the larger noise of
    `lastbit snap`, which pays for the rounding, so that the bound is at most epsilon.

    >>> import lastbit
    >>> worst = lastbit.loss(epsilon=1, lower=-64, upper=64, x="12.37", x2="13.37")
    >>> worst.output, worst.excess > 0, worst.upper <= worst.bound
    (Fraction(45, 1), True, True)
    """
    if (x is None) != (x2 is None):
        raise Error("bad parameter", "`x`", "one of x and x2 is missing", "give both, or neither for a search")
    found = _extension().loss(
        text_of(epsilon, "epsilon"), text_of(sensitivity, "sensitivity"), text_of(lower, "lower"),
        text_of(upper, "upper"), _whole(precision, "precision", 2, _MOST_PRECISION), bool(shipped),
        optional_text_of(x, "x"), optional_text_of(x2, "x2"), _whole(search, "search", 0, _MOST_CANDIDATES),
        _whole(seed, "seed", 0, 2**63 - 1),
    )
    return _float_loss(found, pairs=found.pop("pairs"), certificate=found.pop("certificate"))


def _extension() -> Any:
    from . import _proofs

    return _proofs


def _float_loss(found: dict, pairs: int, certificate: str) -> FloatLoss:
    exact_ones = ("scale", "x1", "x2", "output", "probability1", "probability2", "ideal")
    return FloatLoss(
        precision=found["precision"],
        lower=_or_infinite(found["loss_lower"]),
        upper=_or_infinite(found["loss_upper"]),
        excess=_or_infinite(found["excess"]),
        bound=None if found["bound"] is None else fraction_of(found["bound"]),
        pairs=pairs,
        certificate=certificate,
        **{name: fraction_of(found[name]) for name in exact_ones},
    )


def _or_infinite(number: Optional[float]) -> float:
    return math.inf if number is None else number


def _shown(number: Fraction, rounding: str) -> str:
    """Six digits of the number, on the side that keeps the statement true."""
    context = decimal.Context(prec=6, rounding=rounding)
    return f"{context.divide(decimal.Decimal(number.numerator), decimal.Decimal(number.denominator)):g}"


def _whole(value: Any, name: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Error("bad parameter", f"`{name}`", "is not possible", f"give a whole number from {least} to {most}")
    return value


def _program(source: Source) -> Tuple[str, str]:
    """The text of a program and what to call it in messages."""
    if isinstance(source, str) and ("\n" in source or not source.endswith(".dp")):
        return _encodable(source, "program"), "program"
    return _read(source, _extension().most_program_bytes), _name(source)


def _encodable(text: str, name: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Error("bad text", name, "has half of a surrogate pair", "give text that UTF-8 can hold") from None
    return text


def _name(path: Source) -> str:
    return os.fsdecode(path).encode("utf-8", "replace").decode()


def _read(path: Source, most: int) -> str:
    try:
        name = _name(path)
    except TypeError:
        raise Error("bad parameter", "file", f"is a {type(path).__name__}", "give a text or a path") from None
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
        text = data.decode("utf-8")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "is not UTF-8 text"
        raise Error("bad input", name, f"cannot read this file: {reason}", "check the name") from None
    if len(data) > most:
        raise Error("bad input", name, f"the file has more than {most >> 10} KiB", "check the name")
    return text
