(** * Rounding to floats of [p] bits

    Floats have radix 2, a precision of [p] bits and unbounded exponents; rounding goes to the
    nearest float, ties to even. *)

From Coq Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core Relative.
From Lastbit Require Import Laplace IdealSnapping.
Local Open Scope R_scope.

Notation is_float p := (generic_format radix2 (FLX_exp p)).

(** The float nearest to [t]. *)
Definition fl (p : Z) (t : R) : R := round radix2 (FLX_exp p) ZnearestE t.

(** The unit of relative error. *)
Definition eta (p : Z) : R := bpow radix2 (- p).

(** What happens to the exact sum [w] of the input and the noise of the floats: one function, which
    does not know the input. *)
Definition release (p : Z) (B L w : R) : R := finish B L (fl p w).

Section Rounding.

Variable p : Z.
Context {p_positive : Prec_gt_0 p}.

Lemma eta_positive : 0 < eta p.
Proof. apply bpow_gt_0. Qed.

Lemma eta_half : eta p <= / 2.
Proof.
  unfold eta. change (/ 2) with (bpow radix2 (- 1)). apply bpow_le.
  unfold Prec_gt_0 in p_positive. lia.
Qed.

Lemma two_eta : bpow radix2 (1 - p) = 2 * eta p.
Proof. unfold eta, Zminus. now rewrite bpow_plus. Qed.

(** The relative error of one rounding. *)
Theorem fl_bounds t :
  0 < t -> t / (1 + eta p) <= fl p t <= t * ((1 + 2 * eta p) / (1 + eta p)).
Proof.
  intros Ht. pose proof eta_positive as He.
  pose proof (relative_error_N_FLX' radix2 p p_positive (fun n => negb (Z.even n)) t) as H.
  change (round radix2 (FLX_exp p) (Znearest (fun n => negb (Z.even n))) t) with (fl p t) in H.
  assert (Hu : u_ro radix2 p = eta p).
  { unfold u_ro. replace (- p + 1)%Z with (1 - p)%Z by ring. rewrite two_eta. lra. }
  rewrite Hu, (Rabs_right t) in H by lra. apply Rabs_le_inv in H.
  replace (t / (1 + eta p)) with (t - eta p / (1 + eta p) * t) by (field; lra).
  replace (t * ((1 + 2 * eta p) / (1 + eta p))) with (t + eta p / (1 + eta p) * t) by (field; lra).
  lra.
Qed.

(** Rounding is increasing, odd, and keeps signs. *)
Lemma fl_monotone s t : s <= t -> fl p s <= fl p t.
Proof. apply round_le; auto with typeclass_instances. Qed.

Lemma fl_odd t : fl p (- t) = - fl p t.
Proof. apply round_NE_opp. Qed.

Lemma fl_positive t : 0 < t -> 0 < fl p t.
Proof. apply gt_0_round_gt_0_FLX; auto with typeclass_instances. Qed.

(** The key lemma: what follows the noise is increasing and looks at the sum only. *)
Theorem release_monotone B L s t : 0 < L -> s <= t -> release p B L s <= release p B L t.
Proof. intros HL H. apply finish_monotone; [exact HL |]. now apply fl_monotone. Qed.

(** Hence the sums that give an output form a convex set, which does not depend on the input. *)
Theorem release_cells_convex B L o s t w :
  0 < L -> release p B L s = o -> release p B L t = o -> s <= w <= t -> release p B L w = o.
Proof.
  intros HL Hs Ht [H1 H2]. apply Rle_antisym.
  - rewrite <- Ht. now apply release_monotone.
  - rewrite <- Hs. now apply release_monotone.
Qed.

(** ** Where a rounded sum passes a float *)

(** Half-way between the float [y] and the float below it. *)
Definition midpoint (y : R) : R := (y + pred radix2 (FLX_exp p) y) / 2.

Lemma fl_above_midpoint y w : is_float p y -> midpoint y < w -> y <= fl p w.
Proof. intros Hy Hw. apply round_N_ge_midp; auto with typeclass_instances. Qed.

Lemma fl_below_midpoint y w : is_float p y -> y <> 0 -> w < midpoint y -> fl p w < y.
Proof.
  intros Hy H0 Hw. apply Rle_lt_trans with (pred radix2 (FLX_exp p) y); [| now apply pred_lt_id].
  apply round_N_le_midp; auto with typeclass_instances.
  - apply generic_format_pred; auto with typeclass_instances.
  - rewrite succ_pred by auto with typeclass_instances. rewrite Rplus_comm. exact Hw.
Qed.

(** The midpoint is close to the float. *)
Theorem midpoint_close y : is_float p y -> y <> 0 -> 0 <= y - midpoint y <= eta p * Rabs y.
Proof.
  intros Hy H0. unfold midpoint.
  pose proof (pred_lt_id radix2 (FLX_exp p) y H0) as Hlt.
  assert (H : y - pred radix2 (FLX_exp p) y <= Rabs y * bpow radix2 (1 - p)).
  { destruct (Rlt_or_le 0 y) as [Hpos | Hneg].
    - pose proof (pred_ge_0 radix2 (FLX_exp p) y Hpos Hy) as Hp0.
      pose proof (succ_pred radix2 (FLX_exp p) y Hy) as Hs. rewrite succ_eq_pos in Hs by exact Hp0.
      apply Rle_trans with (ulp radix2 (FLX_exp p) (pred radix2 (FLX_exp p) y)); [lra |].
      apply Rle_trans with (ulp radix2 (FLX_exp p) y).
      { apply ulp_le_pos; auto with typeclass_instances; lra. }
      apply ulp_FLX_le; auto with typeclass_instances.
    - unfold pred. rewrite succ_eq_pos by lra. rewrite ulp_opp.
      pose proof (ulp_FLX_le radix2 p y). lra. }
  rewrite two_eta in H. lra.
Qed.

(** Odd multiples of half a power of two are floats, as long as there are bits for the factor. *)
Lemma boundary_is_float k j :
  (Z.abs (2 * j - 1) < 2 ^ p)%Z -> is_float p (boundary (bpow radix2 k) j).
Proof.
  intros Hj. apply generic_format_FLX. exists (Float radix2 (2 * j - 1) (k - 1)); [| exact Hj].
  unfold boundary, F2R, Fnum, Fexp. rewrite minus_IZR, mult_IZR.
  unfold Zminus. rewrite bpow_plus. change (bpow radix2 (- (1))) with (/ 2). field.
Qed.

Lemma boundary_nonzero L j : 0 < L -> boundary L j <> 0.
Proof.
  intros HL H. unfold boundary in H. apply Rmult_integral in H. destruct H as [H | H]; [| lra].
  assert (H' : IZR (2 * j) = IZR 1) by (rewrite mult_IZR; lra). apply eq_IZR in H'. lia.
Qed.

End Rounding.
