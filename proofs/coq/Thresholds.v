(** * The noise of the floats against real noise

    The size of the noise is fl (l * - fl (ln u)) for the random float [u]. It is at least [D] with
    nearly the probability exp (- D / l) that real noise has, and the theorems say how nearly. *)

From Coq Require Import Reals Lra Lia ZArith Bool.
From Flocq Require Import Core.
From Lastbit Require Import Laplace IdealSnapping Rounding UnitFloat.
Local Open Scope R_scope.

Definition noise (p : Z) (l u : R) : R := fl p (l * - fl p (ln u)).

(** The probability that the noise exceeds [D], and that it reaches [D]. *)
Definition exceeds (p : Z) (l D : R) : R := chance p (fun u => Rlt_bool D (noise p l u)).
Definition reaches (p : Z) (l D : R) : R := chance p (fun u => Rle_bool D (noise p l u)).

Section Thresholds.

Variable p : Z.
Context {p_positive : Prec_gt_0 p}.
Variable l : R.
Hypothesis l_positive : 0 < l.

Lemma minus_ln_positive u : 0 < u < 1 -> 0 < - ln u.
Proof. intros [H0 H1]. pose proof (ln_increasing u 1 H0 H1) as H. rewrite ln_1 in H. lra. Qed.

Lemma noise_as_product u : noise p l u = fl p (l * fl p (- ln u)).
Proof. unfold noise. now rewrite <- (fl_odd p). Qed.

Lemma noise_positive u : 0 < u < 1 -> 0 < noise p l u.
Proof.
  intros Hu. rewrite noise_as_product. apply (fl_positive p).
  apply Rmult_lt_0_compat; [exact l_positive |]. apply (fl_positive p).
  now apply minus_ln_positive.
Qed.

(** The noise decreases when the random float grows. *)
Theorem noise_decreasing u v : 0 < u -> u <= v -> noise p l v <= noise p l u.
Proof.
  intros H0 Huv. unfold noise. apply (fl_monotone p).
  apply Rmult_le_compat_l; [lra |]. apply Ropp_le_contravar.
  apply (fl_monotone p). destruct Huv as [Huv | ->]; [| apply Rle_refl].
  left. now apply ln_increasing.
Qed.

(** ** The threshold lemma for one random float *)

Lemma noise_above u :
  0 < u < 1 -> noise p l u <= l * - ln u * ((1 + 2 * eta p) / (1 + eta p)) ^ 2.
Proof.
  intros Hu. pose proof (minus_ln_positive u Hu) as Hv. rewrite noise_as_product.
  pose proof (eta_positive p) as He.
  pose proof (fl_positive p _ Hv) as Hf. pose proof (fl_bounds p _ Hv) as [_ H1].
  assert (Hp : 0 < l * fl p (- ln u)) by now apply Rmult_lt_0_compat.
  pose proof (fl_bounds p _ Hp) as [_ H2].
  set (q := (1 + 2 * eta p) / (1 + eta p)) in *.
  assert (Hq : 0 < q) by (apply Rdiv_lt_0_compat; lra).
  apply Rle_trans with (1 := H2). simpl.
  replace (l * - ln u * (q * (q * 1))) with (l * (- ln u * q) * q) by ring.
  apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; lra.
Qed.

Lemma noise_below u : 0 < u < 1 -> l * - ln u / (1 + eta p) ^ 2 <= noise p l u.
Proof.
  intros Hu. pose proof (minus_ln_positive u Hu) as Hv. rewrite noise_as_product.
  pose proof (eta_positive p) as He.
  pose proof (fl_positive p _ Hv) as Hf. pose proof (fl_bounds p _ Hv) as [H1 _].
  assert (Hp : 0 < l * fl p (- ln u)) by now apply Rmult_lt_0_compat.
  pose proof (fl_bounds p _ Hp) as [H2 _].
  apply Rle_trans with (2 := H2).
  replace (l * - ln u / (1 + eta p) ^ 2) with (l * (- ln u / (1 + eta p)) / (1 + eta p))
    by (field; lra).
  unfold Rdiv at 1 3. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |].
  apply Rmult_le_compat_l; lra.
Qed.

(** Noise of at least [D] comes from a random float that is nearly as small as it should be. *)
Theorem noise_reaches D u :
  0 < u < 1 -> D <= noise p l u -> D / l * (1 - 2 * eta p) <= - ln u.
Proof.
  intros Hu HD. pose proof (minus_ln_positive u Hu) as Hv. pose proof (noise_above u Hu) as H.
  pose proof (eta_positive p) as He. pose proof (eta_half p) as He2.
  set (e := eta p) in *. set (v := - ln u) in *. set (q := ((1 + 2 * e) / (1 + e)) ^ 2) in *.
  assert (Hq : q * (1 - 2 * e) <= 1).
  { apply Rmult_le_reg_r with ((1 + e) ^ 2); [apply pow_lt; lra |].
    replace (q * (1 - 2 * e) * (1 + e) ^ 2) with ((1 + 2 * e) ^ 2 * (1 - 2 * e))
      by (unfold q; field; lra).
    assert (0 <= e ^ 2) by (apply pow_le; lra). assert (0 <= e ^ 3) by (apply pow_le; lra).
    replace ((1 + 2 * e) ^ 2 * (1 - 2 * e)) with (1 + 2 * e - 4 * e ^ 2 - 8 * e ^ 3) by ring.
    replace (1 * (1 + e) ^ 2) with (1 + 2 * e + e ^ 2) by ring. lra. }
  apply Rle_trans with (v * q * (1 - 2 * e)).
  - apply Rmult_le_compat_r; [lra |]. apply Rmult_le_reg_r with l; [exact l_positive |].
    replace (D / l * l) with D by (field; lra). lra.
  - rewrite Rmult_assoc. rewrite <- (Rmult_1_r v) at 2. apply Rmult_le_compat_l; lra.
Qed.

(** Noise of at most [D] comes from a random float that is nearly as large as it should be. *)
Theorem noise_stays D u :
  0 < u < 1 -> noise p l u <= D -> - (D / l) * (1 + 2 * eta p + eta p ^ 2) <= ln u.
Proof.
  intros Hu HD. pose proof (noise_below u Hu) as H. pose proof (eta_positive p) as He.
  set (e := eta p) in *.
  assert (H' : - ln u / (1 + e) ^ 2 <= D / l).
  { apply Rmult_le_reg_r with l; [exact l_positive |].
    replace (D / l * l) with D by (field; lra).
    replace (- ln u / (1 + e) ^ 2 * l) with (l * - ln u / (1 + e) ^ 2) by (field; lra). lra. }
  apply Rmult_le_compat_r with (r := (1 + e) ^ 2) in H'; [| apply pow_le; lra].
  replace (- ln u / (1 + e) ^ 2 * (1 + e) ^ 2) with (- ln u) in H' by (field; lra).
  replace (1 + 2 * e + e ^ 2) with ((1 + e) ^ 2) by ring. lra.
Qed.

(** ** The threshold lemma for probabilities *)

Lemma exceeds_at_most_reaches D : exceeds p l D <= reaches p l D.
Proof.
  apply (chance_monotone p). intros u _.
  case Rlt_bool_spec; [| easy]. intros H _. apply Rle_bool_true. lra.
Qed.

(** Tails from above: the probability of the real noise times exp (2 eta (D / l) + 2 eta). *)
Theorem reaches_above D :
  0 <= D -> reaches p l D <= exp (- (D / l)) * exp (2 * eta p * (D / l) + 2 * eta p).
Proof.
  intros HD. pose proof (eta_positive p) as He. pose proof (eta_half p) as He2.
  set (e := eta p) in *. set (d := D / l) in *.
  assert (Hd : 0 <= d) by (apply Rmult_le_pos; [exact HD | left; now apply Rinv_0_lt_compat]).
  rewrite <- exp_plus.
  destruct (Req_dec d 0) as [H0 | H0].
  { apply Rle_trans with 1.
    - rewrite <- (chance_full p (fun _ => true)) by easy. now apply (chance_monotone p).
    - rewrite H0. pose proof (exp_ineq1_le (- 0 + (2 * e * 0 + 2 * e))). lra. }
  destruct (Req_dec e (/ 2)) as [Hh | Hh].
  { apply Rle_trans with 1.
    - rewrite <- (chance_full p (fun _ => true)) by easy. now apply (chance_monotone p).
    - rewrite Hh. pose proof (exp_ineq1_le (- d + (2 * / 2 * d + 2 * / 2))). lra. }
  set (r := exp (- (d * (1 - 2 * e)))).
  assert (Hr1 : r < 1).
  { rewrite <- exp_0. apply exp_increasing.
    assert (0 < d * (1 - 2 * e)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (Hr0 : 0 < r) by apply exp_pos.
  set (f := round radix2 (FLX_exp p) Zfloor r).
  assert (Hf0 : 0 < f) by (apply gt_0_round_gt_0_FLX; auto with typeclass_instances).
  assert (Hf : is_float p f) by (apply generic_format_round; auto with typeclass_instances).
  assert (Hfr : f <= r).
  { apply (round_DN_pt radix2 (FLX_exp p) r). }
  set (t := succ radix2 (FLX_exp p) f).
  assert (Ht1 : t <= 1).
  { apply succ_le_lt; auto with typeclass_instances; [| lra].
    apply generic_format_FLX_1; auto with typeclass_instances. }
  assert (Htf : t <= f * (1 + 2 * e)).
  { unfold t. rewrite succ_eq_pos by lra. pose proof (ulp_FLX_le radix2 p f) as Hu.
    rewrite two_eta, Rabs_right in Hu by lra. fold e in Hu. lra. }
  assert (Ht0 : f < t) by (apply succ_gt_id; lra).
  apply Rle_trans with t.
  - rewrite <- (chance_below p t) by
      (try lra; apply generic_format_succ; auto with typeclass_instances).
    apply (chance_monotone p). intros u Hu.
    case Rle_bool_spec; [| easy]. intros HDu _. apply Rlt_bool_true.
    apply Rle_lt_trans with (2 := Ht0).
    apply (round_DN_pt radix2 (FLX_exp p) r); [now apply unit_is_float |].
    pose proof (unit_range p u Hu) as Hur.
    pose proof (noise_reaches D u Hur HDu) as Hn. fold d e in Hn.
    rewrite <- (exp_ln u) by lra. apply exp_le. lra.
  - apply Rle_trans with (1 := Htf). apply Rle_trans with (r * exp (2 * e)).
    + apply Rmult_le_compat; try lra. pose proof (exp_ineq1_le (2 * e)). lra.
    + right. unfold r. rewrite <- exp_plus. f_equal. ring.
Qed.

(** Tails from below: the probability of the real noise times exp (- (2 eta + eta^2) (D / l)). *)
Theorem exceeds_below D :
  0 <= D -> exp (- (D / l)) * exp (- (2 * eta p + eta p ^ 2) * (D / l)) <= exceeds p l D.
Proof.
  intros HD. pose proof (eta_positive p) as He.
  set (e := eta p) in *. set (d := D / l) in *.
  assert (Hd : 0 <= d) by (apply Rmult_le_pos; [exact HD | left; now apply Rinv_0_lt_compat]).
  rewrite <- exp_plus. set (r := exp (- d + - (2 * e + e ^ 2) * d)).
  assert (Hr0 : 0 < r) by apply exp_pos.
  assert (Hr1 : r <= 1).
  { rewrite <- exp_0. apply exp_le.
    assert (0 <= e ^ 2) by (apply pow_le; lra).
    assert (0 <= (2 * e + e ^ 2) * d) by (apply Rmult_le_pos; lra). lra. }
  set (t := round radix2 (FLX_exp p) Zceil r).
  pose proof (round_UP_pt radix2 (FLX_exp p) r) as [Ht [Hrt Hmin]]. fold t in Ht, Hrt, Hmin.
  assert (Ht1 : t <= 1).
  { apply Hmin; [| exact Hr1]. apply generic_format_FLX_1; auto with typeclass_instances. }
  apply Rle_trans with (1 := Hrt). rewrite <- (chance_below p t) by (lra || exact Ht).
  apply (chance_monotone p). intros u Hu.
  case Rlt_bool_spec; [| easy]. intros Hut _. apply Rlt_bool_true. apply Rnot_le_lt. intros HDu.
  apply (Rlt_not_le _ _ Hut). apply Hmin; [now apply unit_is_float |].
  pose proof (unit_range p u Hu) as Hur.
  pose proof (noise_stays D u Hur HDu) as Hn. fold d e in Hn.
  rewrite <- (exp_ln u) by lra. apply exp_le.
  replace (- d + - (2 * e + e ^ 2) * d) with (- d * (1 + 2 * e + e ^ 2)) by ring. exact Hn.
Qed.

End Thresholds.
