"""Proofs, violations, certificates and the loss of floats."""

import concurrent.futures
import json
import math
import pathlib
import resource
import subprocess
import sys
import time
from fractions import Fraction

import pytest

import lastbit
from support import turns_during

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"


def expect_code(code, function, *arguments, **named):
    with pytest.raises(lastbit.Error) as caught:
        function(*arguments, **named)
    assert caught.value.code == code, str(caught.value)
    return caught.value


def test_a_proof_from_a_file():
    decision = lastbit.prove(CORPUS / "correct" / "laplace.dp")
    assert decision.verdict == "proved" and decision.proved
    assert decision.theorem == "laplace is eps-DP for all eps > 0 and inputs with |f.1 - f.2| <= 1"
    assert decision.least_epsilon == "eps"
    assert decision.witness is None and decision.reason is None
    assert repr(decision).startswith("proved: laplace is eps-DP")
    assert "srcdoc" in decision._repr_html_() and "<script" not in decision.derivation("html")
    assert "\\documentclass" in decision.derivation("latex")
    assert "(check-sat)" in decision.derivation("smtlib")
    assert decision.mechanism in decision.derivation()
    assert lastbit.prove(str(CORPUS / "correct" / "laplace.dp")).proved
    expect_code("bad parameter", decision.derivation, "pdf")


def test_a_violation_has_a_witness():
    decision = lastbit.prove(CORPUS / "broken" / "laplace_half_noise.dp")
    assert decision.verdict == "refuted" and decision.certificate is None
    witness = decision.witness
    assert witness.parameters == {"eps": "1"} and {witness.input1["f"], witness.input2["f"]} == {"0", "1"}
    assert witness.probability1 > math.exp(witness.epsilon) * witness.probability2
    assert 1.999 < witness.loss <= 2
    assert "event" in repr(decision) and repr(decision).endswith("couplings were found for 2*eps")
    assert decision._repr_html_().startswith("<pre>refuted")
    expect_code("not supported", decision.derivation)


def test_neither_within_the_time():
    start = time.monotonic()
    decision = lastbit.prove(CORPUS / "correct" / "svt.dp", seconds=1e-6)
    assert decision.verdict == "unknown" and decision.reason
    assert repr(decision).startswith("unknown:") and time.monotonic() - start < 5


def test_programs_that_are_wrong():
    error = expect_code("bad text", lastbit.prove, "mechanism broken(")
    assert error.place.startswith("program:1:")
    expect_code("bad input", lastbit.prove, CORPUS / "correct" / "nowhere.dp")
    expect_code("bad input", lastbit.prove, CORPUS)
    expect_code("bad parameter", lastbit.prove, 7)
    expect_code("bad text", lastbit.prove, "mechanism \ud800")
    expect_code("bad text", lastbit.check, '{"\ud800')
    expect_code("bad text", lastbit.prove, "#" * (2 << 20))
    expect_code("bad input", lastbit.check, "no such file")
    expect_code("bad input", lastbit.check, "a name \0 that no file has")
    for seconds in (0, -1, math.nan, math.inf, True, "1"):
        expect_code("bad parameter", lastbit.prove, CORPUS / "correct" / "laplace.dp", seconds=seconds)


def test_the_kernel_judges_certificates(tmp_path):
    path = CORPUS / "correct" / "laplace.dp"
    decision = lastbit.prove(path)
    theorem = lastbit.check(decision.certificate, program=path)
    assert theorem.statement == decision.theorem and theorem.steps == decision.steps
    assert "mechanism laplace" in theorem.program
    assert repr(theorem).startswith("accepted: 3 steps")
    (tmp_path / "laplace.cert").write_text(decision.certificate)
    assert lastbit.check(tmp_path / "laplace.cert") == theorem
    expect_code("bad input", lastbit.check, decision.certificate, program=CORPUS / "broken" / "laplace_half_noise.dp")
    expect_code("bad input", lastbit.check, "{}")
    # The kernel computes every cost itself.
    forged = decision.certificate.replace('"cost":[["1",', '"cost":[["1/2",', 1)
    assert forged != decision.certificate
    expect_code("bad input", lastbit.check, forged)


def test_proofs_in_several_threads():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        files = [CORPUS / "correct" / "laplace.dp", CORPUS / "correct" / "svt.dp"] * 4
        decisions = list(pool.map(lastbit.prove, files))
    assert all(decision.proved for decision in decisions)
    assert len({decision.certificate for decision in decisions}) == 2


def test_others_run_during_a_proof():
    assert turns_during(lambda: lastbit.prove(CORPUS / "correct" / "svt.dp", seconds=1)) > 5


def test_the_loss_of_floats():
    found = lastbit.loss(epsilon=1, lower=-64, upper=64)
    assert found.lower <= found.upper <= found.bound
    assert found.ideal < found.bound and found.scale == 1 and found.pairs > 1000
    assert 1e-14 < found.excess < 2.3e-14
    ratio = math.log(found.probability1 / found.probability2)
    assert abs(abs(ratio) - found.lower) < 1e-9
    checked = lastbit.check(found.certificate)
    assert (checked.x1, checked.output, checked.lower) == (found.x1, found.output, found.lower)
    assert checked.ideal == abs(found.x1 - found.x2) <= found.ideal == 1
    assert checked.lower <= checked.bound <= found.bound
    assert "proved bound" in repr(found)
    forged = json.loads(found.certificate)
    forged["probability"] = forged["probability2"]
    expect_code("bad input", lastbit.check, json.dumps(forged, indent=2) + "\n")
    assert json.dumps(json.loads(found.certificate), indent=2) + "\n" == found.certificate
    expect_code("bad parameter", lastbit.check, found.certificate, program="x")


def test_shipped_noise_pays_for_rounding():
    assert lastbit.loss(epsilon=1, lower=0, upper=100, x=1, x2=2).bound > 1
    assert lastbit.loss(epsilon=1, lower=0, upper=100, x=1, x2=2, shipped=True).bound <= 1
    assert lastbit.loss(epsilon=1, lower=0, upper=4, x=1, x2=2, precision=12).bound > 1


@pytest.mark.parametrize(
    "wrong",
    [{"epsilon": 0}, {"epsilon": -1}, {"sensitivity": 0}, {"lower": 64}, {"precision": 3}, {"precision": 10**6},
     {"precision": 53.0}, {"x": 1}, {"search": -1}, {"epsilon": "a"}, {"upper": 2**60}],
    ids=str,
)
def test_losses_that_make_no_sense(wrong):
    expect_code("bad parameter", lastbit.loss, **{"epsilon": 1, "lower": -64, "upper": 64, **wrong})


def test_importing_is_quick_and_leaves_the_solver_out():
    code = "import sys, lastbit; assert 'lastbit._proofs' not in sys.modules"
    best = min(_processor_seconds(code) for _ in range(7))
    assert best < 0.1, best


def _processor_seconds(code):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_messages_that_quote_half_a_character_are_errors_too():
    for start in range(12):
        with pytest.raises(lastbit.Error):
            lastbit.check('{"format": ' + "é" * 40 + " " * start + "\u2028" * 40)
        with pytest.raises(lastbit.Error):
            lastbit.check('{"' + "x" * start + "\u2028" * 60 + '" x}')


def test_a_tiny_bound_is_not_shown_as_none():
    found = lastbit.loss(epsilon=1, lower=-64, upper=64, precision=1200, x=1, x2=2)
    shown = repr(found).splitlines()[-1]
    assert found.bound > found.ideal and shown.startswith("  proved bound  1 + ") and "e-3" in shown
