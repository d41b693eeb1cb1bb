(** * Bounds of the exponential function

    What the other files need to know of exp, in place of numerical evaluation. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

Lemma exp_le_compat s t : s <= t -> exp s <= exp t.
Proof. intros [H | ->]; [left; now apply exp_increasing | apply Rle_refl]. Qed.

Lemma exp_inverse t : exp (- t) * exp t = 1.
Proof. rewrite <- exp_plus. replace (- t + t) with 0 by ring. apply exp_0. Qed.

Lemma exp_minus_at_most_one d : 0 <= d -> exp (- d) <= 1.
Proof. intros Hd. rewrite <- exp_0. apply exp_le_compat. lra. Qed.

(** e^t <= 1 / (1 - t) *)
Lemma exp_above t : (1 - t) * exp t <= 1.
Proof.
  apply Rle_trans with (exp (- t) * exp t); [| rewrite exp_inverse; lra].
  apply Rmult_le_compat_r; [left; apply exp_pos |]. pose proof (exp_ineq1_le (- t)). lra.
Qed.

(** d e^-d <= 1 - e^-d *)
Lemma small_product d : d * exp (- d) <= 1 - exp (- d).
Proof. pose proof (exp_above (- d)). lra. Qed.

(** A function that starts at 0 and does not fall is not negative. *)
Lemma increasing_nonnegative (f df : R -> R) t :
  (forall s, is_derive f s (df s)) -> (forall s, 0 <= s -> 0 <= df s) -> f 0 = 0 -> 0 <= t ->
  0 <= f t.
Proof.
  intros Hd Hpos H0 Ht. destruct (MVT_gen f 0 t df) as [c [Hc E]].
  { intros s _. apply Hd. }
  { intros s _. apply derivable_continuous_pt. exists (df s). apply is_derive_Reals, Hd. }
  rewrite Rmin_left in Hc by lra. rewrite H0 in E.
  assert (0 <= df c * (t - 0)) by (apply Rmult_le_pos; [apply Hpos |]; lra). lra.
Qed.

Lemma exp_quadratic_below t : 0 <= t -> 1 + t + t ^ 2 / 2 <= exp t.
Proof.
  intros Ht.
  enough (0 <= exp t - (1 + t + t ^ 2 / 2)) by lra.
  apply (increasing_nonnegative (fun s => exp s - (1 + s + s ^ 2 / 2)) (fun s => exp s - (1 + s)));
    try assumption.
  - intros s. auto_derive; [exact I |]. field.
  - intros s _. pose proof (exp_ineq1_le s). lra.
  - rewrite exp_0. field.
Qed.

(** e^t <= (1 + t/2) / (1 - t/2) *)
Lemma exp_quotient_above t : 0 <= t -> (1 - t / 2) * exp t <= 1 + t / 2.
Proof.
  intros Ht.
  enough (0 <= 1 + t / 2 - (1 - t / 2) * exp t) by lra.
  apply (increasing_nonnegative (fun s => 1 + s / 2 - (1 - s / 2) * exp s)
           (fun s => / 2 - (1 - s) * exp s / 2)); try assumption.
  - intros s. auto_derive; [exact I |]. field.
  - intros s _. pose proof (exp_above s). lra.
  - rewrite exp_0. field.
Qed.

(** e^t <= 1 + 1.051 t for small t *)
Lemma exp_small_above t : 0 <= t <= 0.0628 -> exp t <= 1 + 1.051 * t.
Proof.
  intros Ht. pose proof (exp_quotient_above t (proj1 Ht)) as H.
  apply Rmult_le_reg_l with (1 - t / 2); [lra |]. apply Rle_trans with (1 := H).
  apply Rminus_le.
  replace (1 + t / 2 - (1 - t / 2) * (1 + 1.051 * t)) with (- (t * (0.051 - 0.5255 * t))) by lra.
  assert (0 <= t * (0.051 - 0.5255 * t)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** The width of a cell enters through this number. *)
Lemma exp_width : 2.6795 <= exp 0.988.
Proof.
  assert (H : forall a b t, 0 <= a -> a <= exp t -> b <= a * a -> b <= exp (2 * t)).
  { intros a b t Ha Hat Hb. replace (2 * t) with (t + t) by ring. rewrite exp_plus.
    apply Rle_trans with (1 := Hb). now apply Rmult_le_compat. }
  replace 0.988 with (2 * (2 * (2 * 0.1235))) by lra.
  apply H with 1.63694; [lra | | lra]. apply H with 1.27943; [lra | | lra].
  apply H with 1.13112; [lra | | lra].
  apply Rle_trans with (2 := exp_quadratic_below 0.1235 ltac:(lra)). lra.
Qed.

(** ** The two inequalities behind the constants of the loss theorem *)

(** What the two ends of a cell cost an input inside is most when it sits at an end. *)
Lemma ends_cost_most_at_an_end k d e :
  1 <= k -> 0 <= d -> 0 <= e ->
  1 + (1 + (d + e)) * exp (- (d + e)) <= k * (1 - exp (- (d + e))) ->
  (1 + d) * exp (- d) + (1 + e) * exp (- e) <= k * (2 - exp (- d) - exp (- e)).
Proof.
  intros Hk Hd He H.
  replace (exp (- (d + e))) with (exp (- d) * exp (- e)) in H
    by (rewrite <- exp_plus; f_equal; ring).
  pose proof (small_product d) as Sd. pose proof (small_product e) as Se.
  pose proof (exp_minus_at_most_one d Hd) as Ld. pose proof (exp_minus_at_most_one e He) as Le.
  pose proof (exp_pos (- d)) as Pd. pose proof (exp_pos (- e)) as Pe.
  set (a := exp (- d)) in *. set (b := exp (- e)) in *.
  set (W := (1 + k) * (1 - a) - d * a).
  assert (HW : 1 - a <= W).
  { assert (1 * (1 - a) <= k * (1 - a)) by (apply Rmult_le_compat_r; lra). unfold W. lra. }
  assert (Hprod : (1 - a) * (e * b) <= W * (1 - b)).
  { apply Rmult_le_compat; try lra. apply Rmult_le_pos; lra. }
  unfold W in Hprod. lra.
Qed.

(** k e^((c + 1) / 64) <= 2.87 for the k of the paper proof and cells of width c. *)
Lemma cell_constant c :
  0.988 <= c <= 3 -> exp ((c + 1) / 64) * (1 + (1 + c) * exp (- c)) <= 2.87 * (1 - exp (- c)).
Proof.
  intros Hc. pose proof (exp_above ((c + 1) / 64)) as HW.
  pose proof (exp_pos ((c + 1) / 64)) as HW0.
  set (W := exp ((c + 1) / 64)) in *.
  assert (HX : 2.6795 * (1 + (c - 0.988)) <= exp c).
  { replace (exp c) with (exp 0.988 * exp (c - 0.988)) by (rewrite <- exp_plus; f_equal; ring).
    pose proof exp_width. pose proof (exp_ineq1_le (c - 0.988)).
    apply Rmult_le_compat; lra. }
  apply Rmult_le_reg_r with (exp c); [apply exp_pos |].
  replace (W * (1 + (1 + c) * exp (- c)) * exp c)
    with (W * (exp c + (1 + c) * (exp (- c) * exp c))) by ring.
  replace (2.87 * (1 - exp (- c)) * exp c) with (2.87 * (exp c - exp (- c) * exp c)) by ring.
  rewrite exp_inverse. set (X := exp c) in *.
  assert (HWc : W * (63 - c) <= 64) by lra.
  apply Rmult_le_reg_r with (63 - c); [lra |].
  apply Rle_trans with (64 * (X + (1 + c) * 1)).
  - replace (W * (X + (1 + c) * 1) * (63 - c)) with (W * (63 - c) * (X + (1 + c) * 1)) by ring.
    apply Rmult_le_compat_r; lra.
  - assert (0 <= (X - 2.6795 * (1 + (c - 0.988))) * (116.81 - 2.87 * c))
      by (apply Rmult_le_pos; lra).
    assert (0 <= (c - 0.988) * (3 - c)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** Two inputs outside of a cell: what the factor e^s between tails becomes for differences. *)
Lemma excess_outside s q :
  0 <= s <= 0.1101 -> 0 <= q <= 0.3733 -> exp s - q <= exp (2.236 * s) * (1 - q * exp s).
Proof.
  intros Hs Hq.
  pose proof (exp_quadratic_below s ltac:(lra)) as H1.
  pose proof (exp_quadratic_below (1.236 * s) ltac:(lra)) as H2.
  pose proof (exp_quotient_above (3.236 * s) ltac:(lra)) as H3.
  assert (E1 : exp (2.236 * s) = exp s * exp (1.236 * s)) by (rewrite <- exp_plus; f_equal; lra).
  assert (E2 : exp (3.236 * s) = exp (2.236 * s) * exp s) by (rewrite <- exp_plus; f_equal; lra).
  enough (0.3733 * (exp (3.236 * s) - 1) <= exp s * (exp (1.236 * s) - 1)).
  { assert (q * (exp (3.236 * s) - 1) <= 0.3733 * (exp (3.236 * s) - 1)).
    { apply Rmult_le_compat_r; [| lra]. pose proof (exp_ineq1_le (3.236 * s)). lra. }
    rewrite E2, E1 in *. lra. }
  assert (Hp : s * ((1 + s + s ^ 2 / 2) * (1.236 + 0.763848 * s))
               <= exp s * (exp (1.236 * s) - 1)).
  { replace (s * ((1 + s + s ^ 2 / 2) * (1.236 + 0.763848 * s)))
      with ((1 + s + s ^ 2 / 2) * (1.236 * s + (1.236 * s) ^ 2 / 2)) by lra.
    assert (0 <= s ^ 2) by (apply pow_le; lra).
    assert (0 <= (1.236 * s) ^ 2) by (apply pow_le; lra).
    apply Rmult_le_compat; lra. }
  apply Rle_trans with (2 := Hp).
  apply Rmult_le_reg_r with (1 - 1.618 * s); [lra |].
  apply Rle_trans with (s * (0.3733 * 3.236)); [lra |].
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra |].
  assert (S2 : s * s <= 0.1101 * 0.1101) by (apply Rmult_le_compat; lra).
  assert (0 <= s * s) by (apply Rmult_le_pos; lra).
  assert (S3 : s * s * s <= 0.1101 * 0.1101 * 0.1101) by (apply Rmult_le_compat; lra).
  assert (0 <= s * s * s) by (apply Rmult_le_pos; lra).
  assert (S4 : s * s * s * s <= 0.1101 * 0.1101 * 0.1101 * 0.1101) by (apply Rmult_le_compat; lra).
  lra.
Qed.
