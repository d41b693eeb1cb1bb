"""What lastbit loss writes for tools that we did not write: loss_outside_test.py BINARY PROOFS, where PROOFS is
proofs/coq. Ends with 77, which ctest calls skipped, where a tool is missing."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

BINARY = sys.argv[1]
PROOFS = pathlib.Path(sys.argv[2])
PAIR = ["--epsilon", "1", "--bound", "64", "--x", "12.37", "--x2", "13.37"]
SMALL = ["--epsilon", "1/144", "--bound", "4", "--precision", "5", "--x", "3", "--x2", "4", "--anyway"]
SEARCHED = ["--epsilon", "1/3", "--lower", "0", "--upper", "40", "--precision", "24"]
# Inputs that are closer than a cell is wide, so that none lies between them, and inputs that are not.
NARROW = ["--epsilon", "1/3", "--bound", "20", "--precision", "24", "--x", "1", "--x2", "2"]
WIDE = ["--epsilon", "1/3", "--bound", "20", "--precision", "24", "--x", "1", "--x2", "9"]

# The table that is printed, with its numbers, is the table that proofs/coq/SharpTable.v proves.
TABLE = """
From Lastbit Require Import UnitFloat Rounding Steps SharpLoss SharpCells SharpTable.

Theorem printed_table_is_the_proved_one p c1 X H2 :
  eta p = bound_eta -> half_gap p Above X / bound_scale = bound_H -> H2 = bound_Hlog ->
  safe_width p bound_scale bound_c X H2 = bound_g ->
  spread_error p bound_scale c1 bound_spread = bound_between ->
  near_error p bound_scale c1 X H2 bound_spread = bound_near ->
  table_excess p bound_scale bound_c c1 X H2 bound_nearparts bound_farparts bound_spread
  <= bound_excess.
Proof.
  intros He HH -> Hg Hb Hn.
  assert (Hpositive : 0 < exp bound_g - 1).
  { assert (0 < bound_g) by (unfold bound_g; lra). pose proof (exp_ineq1 bound_g ltac:(lra)). lra. }
  assert (Hv : near_weight bound_g = bound_v) by reflexivity.
  assert (Hw : far_weight bound_g = bound_w).
  { unfold far_weight, near_weight, bound_w. rewrite exp_Ropp. pose proof (exp_pos bound_g).
    field. lra. }
  assert (Hf : far_cost p bound_scale bound_c X bound_Hlog = bound_fargap)
    by (unfold far_cost; rewrite Hg, Hw, He; reflexivity).
  assert (Hi : inside_cost p bound_c = bound_inside).
  { unfold inside_cost, inside_part, end_factor, bound_inside. rewrite He. do 2 f_equal. ring. }
  unfold table_excess, excess_at_bound, ray_excess, excess_on_one_side, one_side_excess,
    excess_between, excess_at_one, excess_at_both.
  rewrite Hf, Hi, Hg, Hv, Hw, Hb, Hn, He, HH.
  repeat apply Rmax_lub.
  - pose proof bound_holds_at_a_bound. lra.
  - pose proof bound_holds_beyond_both. unfold bound_neargap in *. lra.
  - destruct (Rlt_dec (bound_c * bound_scale) bound_spread) as [Hc | _]; [| unfold bound_excess; lra].
    BETWEEN
  - pose proof bound_holds_at_one as [A1 A2]. unfold bound_neargap in *.
    assert (Rmax (2 * bound_eta * bound_v + bound_inside)
              (bound_fargap + 2 * bound_eta + bound_eta ^ 2)
            <= bound_excess - (bound_v + bound_w) * bound_near)
      by (apply Rmax_lub; simpl; lra).
    lra.
  - pose proof bound_holds_at_both. simpl. lra.
Qed.
"""
BETWEEN = "pose proof bound_holds_between. unfold bound_neargap in *. lra."
NO_BETWEEN = "pose proof bound_has_no_cell_between. lra."


def write(arguments, option, path):
    subprocess.run([BINARY, "loss", *arguments, option, str(path)], check=True, stdout=subprocess.DEVNULL)


def accepted(tool, path, folder):
    run = subprocess.run([tool, path.name], check=False, cwd=folder, capture_output=True, text=True)
    return run.returncode == 0, run.stdout + run.stderr


def check_coq(folder):
    """coqc accepts each file, and refuses one whose theorem says too much."""
    for number, arguments in enumerate((PAIR, SMALL, SEARCHED)):
        path = folder / f"loss{number}.v"
        write(arguments, "--coq", path)
        good, said = accepted("coqc", path, folder)
        if not good:
            sys.exit(f"coqc refuses {arguments}:\n{said}")
    text = (folder / "loss0.v").read_text(encoding="utf-8")
    wrong = folder / "wrong.v"
    wrong.write_text(text.replace("ideal < loss.", "ideal + 1 / 1000000000000 < loss."), encoding="utf-8")
    if accepted("coqc", wrong, folder)[0]:
        sys.exit("coqc accepts a loss that is too large")


def check_table(folder):
    """The printed table is the one that Coq proves; one that leaves out a line is not."""
    order = ("Laplace IdealSnapping Rounding UnitFloat Thresholds Exponential OneCell Steps Levels SharpLoss "
             "SharpCells SharpTable").split()
    for name in order:
        shutil.copy(PROOFS / f"{name}.v", folder)
        subprocess.run(["coqc", "-q", "-w", "none", "-Q", ".", "Lastbit", f"{name}.v"], check=True, cwd=folder)
    for number, (arguments, between) in enumerate(((NARROW, NO_BETWEEN), (WIDE, BETWEEN))):
        path = folder / f"table{number}.v"
        write(arguments, "--coq", path)
        text = path.read_text(encoding="utf-8")
        if ("bound_holds_between" in text) != (between == BETWEEN):
            sys.exit(f"the wrong lines are printed for {arguments}")
        path.write_text(text + TABLE.replace("BETWEEN", between), encoding="utf-8")
        run = subprocess.run(["coqc", "-q", "-w", "none", "-Q", ".", "Lastbit", path.name], check=False, cwd=folder,
                             capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"the table of {arguments} is not the proved one:\n{run.stdout}{run.stderr}")


def check_gappa(folder):
    for number, arguments in enumerate((PAIR, SEARCHED)):
        path = folder / f"sum{number}.g"
        write(arguments, "--gappa", path)
        good, said = accepted("gappa", path, folder)
        if not good:
            sys.exit(f"gappa refuses {arguments}:\n{said}")


def main():
    checks = {"coqc": lambda folder: (check_coq(folder), check_table(folder)), "gappa": check_gappa}
    missing = [tool for tool in checks if shutil.which(tool) is None]
    with tempfile.TemporaryDirectory() as name:
        for tool, check in checks.items():
            if tool not in missing:
                check(pathlib.Path(name))
    if missing:
        print(f"skipped: {' and '.join(missing)} not installed")
        sys.exit(77)


if __name__ == "__main__":
    main()
