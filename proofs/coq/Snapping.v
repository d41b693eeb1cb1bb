(** * What a user may rely on

    The snapping mechanism as it is programmed, and its privacy. To trust the theorems at the end
    one has to read the definitions [snap] and [snap_chance] below, and what they use: [fl] in
    Rounding.v, [clamp] and [to_grid] in IdealSnapping.v, [chance] in UnitFloat.v. *)

From Coq Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core.
From Lastbit Require Import IdealSnapping Rounding UnitFloat Thresholds OneCell SnappingLoss.
Local Open Scope R_scope.

(** The function of lastbit/mechanisms/snapping_function.h: the sign is 1 or -1, [u] is the random
    float, [l] the scale, [2^k] the grid, [B] the half-width. *)
Definition snap (p k : Z) (l B sign u x : R) : R :=
  clamp B (to_grid (bpow radix2 k) (fl p (clamp B x + fl p (sign * l * fl p (ln u))))).

(** The probability that it gives an output of the set [S], for a fair sign and a random float. *)
Definition snap_chance (p k : Z) (l B x : R) (S : R -> bool) : R :=
  (chance p (fun u => S (snap p k l B 1 u x)) + chance p (fun u => S (snap p k l B (- 1) u x))) / 2.

Lemma snap_chance_is_set_chance p k l B x S :
  snap_chance p k l B x S = set_chance p l B k x S.
Proof.
  unfold snap_chance, set_chance, float_chance, snap, release, finish.
  rewrite Rplus_comm. f_equal. f_equal; apply chance_ext; intros u _.
  - replace (fl p (- 1 * l * fl p (ln u))) with (noise p l u); [reflexivity |].
    unfold noise. f_equal. ring.
  - replace (fl p (1 * l * fl p (ln u))) with (- noise p l u); [reflexivity |].
    unfold noise. rewrite <- (fl_odd p). f_equal. ring.
Qed.

(** All outputs together have probability 1. *)
Theorem snap_chance_total p k l B x : (7 <= p)%Z -> snap_chance p k l B x (fun _ => true) = 1.
Proof. intros Hp. rewrite snap_chance_is_set_chance. now apply set_chance_total. Qed.

(** The loss theorem: for a precision of at least 7 bits, a positive scale, the smallest
    power of two that is not below it as the grid and a half-width of at most 2^(p - 7) scales, real
    inputs [x] and [x'] give every set of outputs with probabilities that differ by a factor of at
    most exp (|x - x'| / scale + (18 B / scale + 14) 2^-p). *)
Theorem snapping_private p k l B x x' S :
  (7 <= p)%Z -> 0 < l -> 0 < B -> l <= bpow radix2 k < 2 * l -> B <= bpow radix2 (p - 7) * l ->
  snap_chance p k l B x S
  <= exp (Rabs (x - x') / l + (18 * (B / l) + 14) * bpow radix2 (- p))
     * snap_chance p k l B x' S.
Proof.
  intros Hp Hl HB Hk Hw. rewrite !snap_chance_is_set_chance. now apply snapping_set_loss.
Qed.

(** The scale that the library chooses makes this e-differential privacy for the sensitivity [D]. *)
Theorem snapping_differentially_private p k e D l B x x' S :
  (7 <= p)%Z -> 0 < D -> 0 < B -> 14 * bpow radix2 (- p) < e ->
  (D + 18 * B * bpow radix2 (- p)) / (e - 14 * bpow radix2 (- p)) <= l ->
  l <= bpow radix2 k < 2 * l -> B <= bpow radix2 (p - 7) * l -> Rabs (x - x') <= D ->
  snap_chance p k l B x S <= exp e * snap_chance p k l B x' S.
Proof.
  intros Hp HD HB He Hl Hk Hw Hx. set (h := bpow radix2 (- p)) in *.
  assert (Hh : 0 < h) by apply bpow_gt_0.
  assert (HBh : 0 < B * h) by now apply Rmult_lt_0_compat.
  assert (Hl0 : 0 < l).
  { apply Rlt_le_trans with (2 := Hl). apply Rdiv_lt_0_compat; lra. }
  assert (H0 : 0 <= snap_chance p k l B x' S).
  { unfold snap_chance. assert (Hpos : Prec_gt_0 p) by (unfold Prec_gt_0; lia).
    assert (Hc : forall E, 0 <= chance p E).
    { intros E. rewrite <- (chance_empty p (fun _ => false)) by easy. now apply chance_monotone. }
    pose proof (Hc (fun u => S (snap p k l B 1 u x'))).
    pose proof (Hc (fun u => S (snap p k l B (- 1) u x'))). lra. }
  apply Rle_trans with (1 := snapping_private p k l B x x' S Hp Hl0 HB Hk Hw).
  apply Rmult_le_compat_r; [exact H0 |]. apply exp_le_compat. fold h.
  apply Rmult_le_reg_r with l; [exact Hl0 |].
  replace ((Rabs (x - x') / l + (18 * (B / l) + 14) * h) * l)
    with (Rabs (x - x') + 18 * B * h + 14 * h * l) by (field; lra).
  apply Rmult_le_compat_r with (r := e - 14 * h) in Hl; [| lra].
  replace ((D + 18 * B * h) / (e - 14 * h) * (e - 14 * h)) with (D + 18 * B * h) in Hl
    by (field; lra).
  lra.
Qed.
