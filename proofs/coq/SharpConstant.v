(** * The best constant

    The corollary of proofs/snapping.md#sharp-constants: for 10 bits or more and a half-width of at
    most 2^(p - 10) scales, the sharper bound is below (15.25 B / scale + 13.5) eta. *)

From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Import Laplace IdealSnapping Rounding UnitFloat Thresholds Exponential OneCell.
From Lastbit Require Import SnappingLoss Snapping Steps Levels SharpLoss SharpCells SharpTable.
From Lastbit Require Import SharpBound.
Local Open Scope R_scope.

(** ** Numbers *)

Lemma exp_double a b t : 0 <= a -> a <= exp t -> b <= a * a -> b <= exp (2 * t).
Proof.
  intros Ha Hat Hb. replace (2 * t) with (t + t) by ring. rewrite exp_plus.
  apply Rle_trans with (1 := Hb). now apply Rmult_le_compat.
Qed.

Lemma exp_safe_width : 2.681 <= exp 0.9867.
Proof.
  replace 0.9867 with (2 * (2 * (2 * (2 * (2 * 0.030834375))))) by lra.
  apply exp_double with 1.6376609; [lra | | lra].
  apply exp_double with 1.2797113; [lra | | lra].
  apply exp_double with 1.1312433; [lra | | lra].
  apply exp_double with 1.0635993; [lra | | lra].
  apply exp_double with 1.0313096; [lra | | lra].
  apply Rle_trans with (2 := exp_quadratic_below 0.030834375 ltac:(lra)). lra.
Qed.

Lemma exp_least_width : 2.71 <= exp 0.9985.
Proof.
  replace 0.9985 with (2 * (2 * (2 * (2 * 0.06240625)))) by lra.
  apply exp_double with 1.6469727; [lra | | lra].
  apply exp_double with 1.2833444; [lra | | lra].
  apply exp_double with 1.132848; [lra | | lra].
  apply exp_double with 1.0643534; [lra | | lra].
  apply Rle_trans with (2 := exp_quadratic_below 0.06240625 ltac:(lra)). lra.
Qed.

Lemma minus_ln_above t T : t < 1 -> 0 <= T -> t <= T * (1 - t) -> - ln (1 - t) <= T.
Proof.
  intros Ht HT H. assert (Hx : exp (- T) <= 1 - t).
  { rewrite exp_Ropp. apply Rmult_le_reg_r with (exp T); [apply exp_pos |].
    rewrite Rinv_l by (apply Rgt_not_eq, exp_pos). pose proof (exp_ineq1_le T) as HT1.
    assert ((1 - t) * (1 + T) <= (1 - t) * exp T) by (apply Rmult_le_compat_l; lra). lra. }
  apply ln_le in Hx; [| apply exp_pos]. rewrite ln_exp in Hx. lra.
Qed.

Section Constant.

Variable p : Z.
Hypothesis p_large : (10 <= p)%Z.
Variables l B : R.
Variable k : Z.
Notation L := (bpow radix2 k).
Hypothesis l_positive : 0 < l.
Hypothesis B_positive : 0 < B.
Hypothesis grid_covers : l <= L < 2 * l.
Hypothesis width_limit : B <= bpow radix2 (p - 10) * l.

Lemma p_enough : (7 <= p)%Z.
Proof. lia. Qed.

Lemma width_enough : B <= bpow radix2 (p - 7) * l.
Proof.
  apply Rle_trans with (1 := width_limit). apply Rmult_le_compat_r; [lra |]. apply bpow_le. lia.
Qed.

(** The half-width enters as [y], the quantity eta B / scale. *)
Notation e := (eta p).
Notation y := (eta p * (B / l)).

Lemma corner : 0 < e <= 1 / 1024 /\ 0 < y <= 1 / 1024.
Proof.
  assert (He : 0 < e <= 1 / 1024).
  { split; [apply eta_positive |]. unfold eta.
    replace (1 / 1024) with (bpow radix2 (- 10)) by (simpl; lra). apply bpow_le. lia. }
  assert (Hb : 0 < B / l) by now apply Rdiv_lt_0_compat.
  repeat split; try apply He.
  - apply Rmult_lt_0_compat; lra.
  - apply Rle_trans with (e * bpow radix2 (p - 10)).
    + apply Rmult_le_compat_l; [lra |]. apply Rmult_le_reg_r with l; [exact l_positive |].
      replace (B / l * l) with B by (field; lra). exact width_limit.
    + unfold eta. rewrite <- bpow_plus. replace (- p + (p - 10))%Z with (- 10)%Z by ring.
      simpl. lra.
Qed.

Lemma eta_boundary : e * last_boundary B k <= y * l + e * (L / 2).
Proof.
  destruct corner as [He _]. pose proof (last_boundary_range B k B_positive) as [_ HY].
  replace (y * l) with (e * B) by (field; lra).
  apply Rmult_le_compat_l with (r := e) in HY; lra.
Qed.

Lemma widths :
  1 - e / 2 - y <= least_width p l B k <= 2 /\ 0 <= largest_width p l B k <= 2 + y + e.
Proof.
  pose proof eta_boundary as HY. destruct corner as [He Hy].
  destruct (widths_range p p_enough l B k l_positive B_positive grid_covers width_enough)
    as [[_ W1] [W2 _]].
  assert (HL : e * (L / 2) <= e * l) by (apply Rmult_le_compat_l; lra).
  assert (HL2 : 0 <= (1 - e / 2) * (L - l)) by (apply Rmult_le_pos; lra).
  repeat split; try assumption.
  - unfold least_width. apply Rmult_le_reg_r with l; [exact l_positive |].
    replace ((L - e * last_boundary B k) / l * l) with (L - e * last_boundary B k) by (field; lra).
    lra.
  - unfold largest_width. apply Rmult_le_reg_r with l; [exact l_positive |].
    replace ((L + e * last_boundary B k) / l * l) with (L + e * last_boundary B k) by (field; lra).
    lra.
Qed.

(** eta times the largest distance. *)
Notation q := (eta p * (farthest p B k / l)).

Lemma distance : 0 <= q <= 2.001 * y + 1.001 * e.
Proof.
  pose proof eta_boundary as HY. destruct corner as [He Hy].
  pose proof (farthest_positive p p_enough B k B_positive) as HX.
  split; [apply Rmult_le_pos; [lra |]; left; now apply Rdiv_lt_0_compat |].
  apply Rmult_le_reg_r with l; [exact l_positive |].
  replace (q * l) with (e * B + (1 + e) * (e * last_boundary B k))
    by (unfold farthest; field; lra).
  replace (e * B) with (y * l) by (field; lra).
  assert (HL : e * (L / 2) <= e * l) by (apply Rmult_le_compat_l; lra).
  assert (Hm : (1 + e) * (e * last_boundary B k) <= (1 + e) * ((y + e) * l))
    by (apply Rmult_le_compat_l; lra).
  assert (Hz : (1 + e) * ((y + e) * l) <= 1.001 * ((y + e) * l)).
  { apply Rmult_le_compat_r; [apply Rmult_le_pos |]; lra. }
  lra.
Qed.

(** ** The corollary *)

Variables H2 D : R.
Hypothesis adds : logarithm_adds p l B k H2.

Lemma product_error : 0 <= half_gap p Above (farthest p B k) / l <= q.
Proof.
  pose proof (farthest_positive p p_enough B k B_positive) as HX. split.
  - left. apply Rdiv_lt_0_compat; [apply half_gap_positive | exact l_positive].
  - unfold Rdiv. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat |]. now apply half_gap_relative.
Qed.

Lemma logarithm_error : 0 <= H2 <= 1.001 * q.
Proof.
  destruct (logarithm_range p p_enough l B k l_positive B_positive H2 adds) as [H0 H1].
  destruct corner as [He _]. pose proof distance as Hq. split; [exact H0 |].
  apply Rle_trans with (1 := H1).
  replace (e * (1 + e) * (farthest p B k / l)) with ((1 + e) * q) by ring.
  apply Rmult_le_compat_r; lra.
Qed.

Notation g := (safe_width p l (least_width p l B k) (farthest p B k) H2).
Notation v := (near_weight g).
Notation w := (far_weight g).

Lemma weights : 1 <= v <= 1.595 /\ w = v - 1.
Proof.
  destruct corner as [He Hy]. destruct widths as [[Hc _] _]. pose proof distance as Hq.
  pose proof product_error as Hh. pose proof logarithm_error as Hl.
  assert (Hg : 0.9867 <= g) by (unfold safe_width, shift_error; lra).
  assert (Hx : exp (- g) <= / 2.681).
  { apply Rle_trans with (exp (Ropp 0.9867)); [apply exp_le_compat; lra |].
    rewrite exp_Ropp. apply Rinv_le_contravar; [lra | apply exp_safe_width]. }
  pose proof (exp_pos (- g)) as Hp. split; [| reflexivity]. unfold near_weight. split.
  - rewrite <- Rinv_1 at 1. apply Rinv_le_contravar; lra.
  - apply Rmult_le_reg_r with (1 - exp (- g)); [lra |]. rewrite Rinv_l by lra. lra.
Qed.

Lemma far_cost_small : far_cost p l (least_width p l B k) (farthest p B k) H2 <= 1.2 * e.
Proof.
  destruct corner as [He _]. destruct weights as [Hv Hw]. unfold far_cost.
  assert (Hew : 2 * e * w <= 2 * e * 0.595) by (apply Rmult_le_compat_l; lra).
  apply minus_ln_above; try lra.
  assert (e * (2 * e * w) <= e * (1 / 512)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma inside_cost_small : inside_cost p (least_width p l B k) <= 5.6 * e.
Proof.
  destruct corner as [He Hy]. destruct widths as [[Hc1 Hc2] _]. set (c := least_width p l B k) in *.
  pose proof (end_factor_falls (2 * e) 0.9985 (c - 0.9985) ltac:(lra) ltac:(lra) ltac:(lra)) as Hf.
  replace (0.9985 + (c - 0.9985)) with c in Hf by lra.
  assert (Hk : end_factor 0.9985 <= 2.754).
  { rewrite end_factor_form by lra. pose proof exp_least_width as Hx.
    enough ((2 + 0.9985) / (exp 0.9985 - 1) <= 1.754) by lra.
    apply Rmult_le_reg_r with (exp 0.9985 - 1); [lra |].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Hall : end_factor c * exp (2 * e * (c + 1)) <= 2.765).
  { replace (2 * e * (c + 1)) with (2 * e * c + 2 * e) by ring. rewrite exp_plus, <- Rmult_assoc.
    apply Rle_trans with (end_factor 0.9985 * exp (2 * e * 0.9985) * exp (2 * e)).
    { apply Rmult_le_compat_r; [left; apply exp_pos | exact Hf]. }
    rewrite Rmult_assoc, <- exp_plus. set (t := 2 * e * 0.9985 + 2 * e).
    pose proof (exp_above t) as Ht. pose proof (exp_pos t) as Htp.
    assert (Ht1 : (1 - 0.00391) * exp t <= (1 - t) * exp t)
      by (apply Rmult_le_compat_r; unfold t in *; lra).
    assert (end_factor 0.9985 * exp t <= 2.754 * exp t) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Hpart : inside_part p c <= 2 * e * 2.765) by (apply Rmult_le_compat_l; lra).
  unfold inside_cost. apply minus_ln_above; try lra.
  assert (e * inside_part p c <= e * (5.53 / 1024)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem sharp_excess_linear :
  sharp_excess p l B k H2 2 0 D <= (15.25 * (B / l) + 13.5) * e.
Proof.
  destruct corner as [He Hy]. destruct widths as [_ Hc1]. destruct weights as [Hv Hw].
  pose proof distance as Hq. pose proof product_error as Hh. pose proof logarithm_error as Hl.
  pose proof far_cost_small as Hf. pose proof inside_cost_small as Hi.
  replace ((15.25 * (B / l) + 13.5) * e) with (15.25 * y + 13.5 * e) by ring.
  set (c1 := largest_width p l B k) in *. set (h := half_gap p Above (farthest p B k) / l) in *.
  assert (He2 : e * e <= 1 / 1024 * e) by (apply Rmult_le_compat_r; lra).
  assert (Hev : 2 * e * v <= 2 * e * 1.595) by (apply Rmult_le_compat_l; lra).
  assert (Hvw : 1 <= v + w <= 2.19) by lra.
  assert (Hs : Rmin D (2 * B) / l <= 2 * (B / l)).
  { apply Rle_trans with (2 * B / l); [| right; field; lra].
    apply divide_le; [exact l_positive | apply Rmin_r]. }
  assert (Hse : spread_error p l c1 (Rmin D (2 * B)) <= 4.002 * y + 4.01 * e).
  { unfold spread_error. apply Rle_trans with (e * (2 + e) * (2 * (B / l) + c1)).
    { apply Rmult_le_compat_l; [apply Rmult_le_pos |]; lra. }
    replace (e * (2 + e) * (2 * (B / l) + c1)) with ((2 + e) * (2 * y + e * c1)) by ring.
    assert (Hec : e * c1 <= e * 2.002) by (apply Rmult_le_compat_l; lra).
    assert (0 <= e * c1) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (2.001 * (2 * y + e * 2.002)); [apply Rmult_le_compat |]; lra. }
  assert (Hne : near_error p l c1 (farthest p B k) H2 (Rmin D (2 * B)) <= 2.001 * q).
  { unfold near_error. apply Rle_trans with (1 := Rmin_l _ _). unfold shift_error. fold h. lra. }
  unfold sharp_excess, table_excess. repeat apply Rmax_lub.
  - unfold excess_at_bound, ray_excess. fold h. lra.
  - unfold excess_on_one_side, one_side_excess. fold h.
    assert (P1 : (2 * v + 0 * w) * h <= 3.19 * q) by (apply Rmult_le_compat; lra).
    assert (P2 : 2 * (v + w) * H2 <= 4.38 * (1.001 * q)) by (apply Rmult_le_compat; lra).
    lra.
  - unfold excess_between. fold c1.
    destruct (Rlt_dec (least_width p l B k * l) (Rmin D (2 * B))) as [_ | _]; [| lra].
    assert (P1 : (v + w) * spread_error p l c1 (Rmin D (2 * B)) <= 2.19 * (4.002 * y + 4.01 * e)).
    { apply Rle_trans with ((v + w) * (4.002 * y + 4.01 * e)); [apply Rmult_le_compat_l; lra |].
      apply Rmult_le_compat_r; lra. }
    lra.
  - unfold excess_at_one. fold c1.
    assert (P1 : (v + w) * near_error p l c1 (farthest p B k) H2 (Rmin D (2 * B))
                 <= 2.19 * (2.001 * q)).
    { apply Rle_trans with ((v + w) * (2.001 * q)); [apply Rmult_le_compat_l; lra |].
      apply Rmult_le_compat_r; lra. }
    assert (Rmax (2 * e * v + inside_cost p (least_width p l B k))
              (far_cost p l (least_width p l B k) (farthest p B k) H2 + 2 * e + e ^ 2)
            <= 8.8 * e) by (apply Rmax_lub; simpl; lra).
    lra.
  - unfold excess_at_both. simpl. lra.
Qed.

End Constant.

(** What a user may rely on, with constants in place of the table: sharper than 18 and 14, for half
    widths that are smaller by a factor of 8. *)
Theorem sharp_private_linear p k l B x x' S :
  (10 <= p)%Z -> 0 < l -> 0 < B -> l <= bpow radix2 k < 2 * l -> B <= bpow radix2 (p - 10) * l ->
  snap_chance p k l B x S
  <= exp (Rabs (x - x') / l + (15.25 * (B / l) + 13.5) * eta p) * snap_chance p k l B x' S.
Proof.
  intros Hp Hl HB Hk Hw. assert (Hpos : Prec_gt_0 p) by (unfold Prec_gt_0; lia).
  assert (Ha : logarithm_adds p l B k (logarithm_half_gap p l B k)) by now left.
  pose proof (sharp_private p k l B _ (Rabs (x - x')) x x' S ltac:(lia) Hl HB Hk
                (width_enough p l B Hl Hw) Ha (Rle_refl _)) as H.
  apply Rle_trans with (1 := H). apply Rmult_le_compat_r.
  - rewrite snap_chance_is_set_chance. apply float_chance_positive. exact Hpos.
  - apply exp_le_compat. apply Rplus_le_compat_l. now apply sharp_excess_linear.
Qed.
