(** * The sharper loss bound

    The loss at an output whose cell lies on one side of both inputs, for the parameters at hand:
    with the floats' actual spacing at the largest distance, and with the shift lemma in place of
    four errors that know nothing of each other. *)

From Coq Require Import Reals Lra Lia ZArith Bool.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Import Laplace IdealSnapping Rounding UnitFloat Thresholds Exponential OneCell.
From Lastbit Require Import Steps Levels.
Local Open Scope R_scope.

Section SharpLoss.

Variable p : Z.
Context {p_positive : Prec_gt_0 p}.
Variable l : R.
Hypothesis l_positive : 0 < l.

(** ** Four thresholds *)

(** [g] is the least width of a cell between thresholds, in units of the scale. *)
Variable g : R.
Hypothesis g_large : exp (- g) <= / 2.

Definition near_weight : R := / (1 - exp (- g)).
Definition far_weight : R := near_weight - 1.
Notation v := near_weight.
Notation w := far_weight.

Lemma near_weight_range : 1 <= v <= 2.
Proof.
  pose proof (exp_pos (- g)) as H. unfold near_weight. split.
  - rewrite <- Rinv_1 at 1. apply Rinv_le_contravar; lra.
  - replace 2 with (/ (/ 2)) by field. apply Rinv_le_contravar; lra.
Qed.

(** The weights, seen from a cell of width [G]. *)
Lemma weights_cover G :
  g <= G -> exp (- G) <= / 2 /\ 1 <= v * (1 - exp (- G)) /\ exp (- G) <= w * (1 - exp (- G)).
Proof.
  intros HG. assert (Hq : exp (- G) <= exp (- g)) by (apply exp_le_compat; lra).
  pose proof (exp_pos (- g)) as Hg. pose proof near_weight_range as Hv.
  assert (Hi : v * (1 - exp (- g)) = 1) by (unfold near_weight; field; lra).
  unfold far_weight. assert (v * (1 - exp (- g)) <= v * (1 - exp (- G))) by
    (apply Rmult_le_compat_l; lra). lra.
Qed.

(** The logarithm of 1 - e^-G grows with a slope of at most [w]. *)
Lemma width_ratio G G' :
  g <= G' -> G' <= G -> 1 - exp (- G) <= (1 - exp (- G')) * exp (w * (G - G')).
Proof.
  intros HG' HG. destruct (weights_cover G' HG') as [H1 [_ H2]].
  set (s := G - G'). set (q := exp (- G')) in *.
  assert (Hs : 0 <= s) by (unfold s; lra). pose proof (exp_pos (- G')) as Hq. fold q in Hq.
  replace (exp (- G)) with (q * exp (- s)) by (unfold q, s; rewrite <- exp_plus; f_equal; ring).
  pose proof (exp_ineq1_le (- s)) as E1. pose proof (exp_ineq1_le (w * s)) as E2.
  apply Rle_trans with ((1 - q) * (1 + w * s)); [| apply Rmult_le_compat_l; lra].
  assert (q * (1 - exp (- s)) <= q * s) by (apply Rmult_le_compat_l; lra).
  assert (q * s <= w * (1 - q) * s) by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

Notation tail_bounds y T := (exp (- y) <= T <= (1 + 2 * eta p) * exp (- y)).

(** What the gaps between random floats cost, from above and from below. *)
Lemma cell_at_most y1 y2 T1 T2 :
  tail_bounds y1 T1 -> tail_bounds y2 T2 -> g <= y2 - y1 ->
  T1 - T2 <= exp (2 * eta p * v) * (exp (- y1) - exp (- y2)).
Proof.
  intros [_ HT1] [HT2 _] HG. pose proof (eta_positive p) as He.
  destruct (weights_cover (y2 - y1) HG) as [Q1 [Q2 _]].
  set (a := exp (- y1)) in *. set (q := exp (- (y2 - y1))) in *.
  assert (Ha : 0 < a) by apply exp_pos.
  assert (H2 : exp (- y2) = a * q) by (unfold a, q; rewrite <- exp_plus; f_equal; ring).
  rewrite H2 in *. apply Rle_trans with (a * (1 + 2 * eta p - q)); [lra |].
  replace (exp (2 * eta p * v) * (a - a * q)) with (a * (exp (2 * eta p * v) * (1 - q))) by ring.
  apply Rmult_le_compat_l; [lra |]. pose proof (exp_ineq1_le (2 * eta p * v)) as Hx.
  apply Rle_trans with ((1 + 2 * eta p * v) * (1 - q)); [| apply Rmult_le_compat_r; lra].
  assert (2 * eta p * 1 <= 2 * eta p * (v * (1 - q))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma cell_at_least y1 y2 T1 T2 :
  tail_bounds y1 T1 -> tail_bounds y2 T2 -> g <= y2 - y1 ->
  (1 - 2 * eta p * w) * (exp (- y1) - exp (- y2)) <= T1 - T2.
Proof.
  intros [HT1 _] [_ HT2] HG. pose proof (eta_positive p) as He.
  destruct (weights_cover (y2 - y1) HG) as [_ [_ Q3]].
  set (a := exp (- y1)) in *. set (q := exp (- (y2 - y1))) in *.
  assert (Ha : 0 < a) by apply exp_pos.
  assert (H2 : exp (- y2) = a * q) by (unfold a, q; rewrite <- exp_plus; f_equal; ring).
  rewrite H2 in *. apply Rle_trans with (a * (1 - (1 + 2 * eta p) * q)); [| lra].
  replace ((1 - 2 * eta p * w) * (a - a * q)) with (a * ((1 - 2 * eta p * w) * (1 - q))) by ring.
  apply Rmult_le_compat_l; [lra |].
  assert (2 * eta p * q <= 2 * eta p * (w * (1 - q))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** What a move of the thresholds costs. *)
Lemma cell_moves y1 y2 y1' y2' M :
  g <= y2 - y1 -> g <= y2' - y1' -> y1' - y1 <= M -> v * (y1' - y1) - w * (y2' - y2) <= M ->
  exp (- y1) - exp (- y2) <= exp M * (exp (- y1') - exp (- y2')).
Proof.
  intros HG HG' HM1 HM2. assert (Hw : w = v - 1) by reflexivity.
  set (G := y2 - y1) in *. set (G' := y2' - y1') in *.
  destruct (weights_cover G HG) as [Q1 _]. destruct (weights_cover G' HG') as [Q1' _].
  set (a' := exp (- y1')) in *. set (q := exp (- G)) in *. set (q' := exp (- G')) in *.
  assert (Ha' : 0 < a') by apply exp_pos.
  assert (H1 : exp (- y1) = exp (y1' - y1) * a').
  { unfold a'. rewrite <- exp_plus. f_equal. ring. }
  assert (H2 : exp (- y2) = exp (y1' - y1) * a' * q).
  { unfold a', q, G. rewrite <- !exp_plus. f_equal. ring. }
  assert (H2' : exp (- y2') = a' * q') by (unfold a', q', G'; rewrite <- exp_plus; f_equal; ring).
  rewrite H1, H2, H2'.
  replace (exp (y1' - y1) * a' - exp (y1' - y1) * a' * q)
    with (exp (y1' - y1) * (1 - q) * a') by ring.
  replace (exp M * (a' - a' * q')) with (exp M * (1 - q') * a') by ring.
  apply Rmult_le_compat_r; [lra |]. pose proof (exp_pos (y1' - y1)) as Hp.
  destruct (Rle_lt_dec G' G) as [Hc | Hc].
  - pose proof (width_ratio G G' HG' Hc) as Hr. fold q q' in Hr.
    apply Rle_trans with (exp (y1' - y1) * ((1 - q') * exp (w * (G - G')))).
    { apply Rmult_le_compat_l; lra. }
    replace (exp (y1' - y1) * ((1 - q') * exp (w * (G - G'))))
      with (exp (y1' - y1) * exp (w * (G - G')) * (1 - q')) by ring.
    rewrite <- exp_plus. apply Rmult_le_compat_r; [lra |].
    apply exp_le_compat. rewrite Hw in *. unfold G, G'. lra.
  - assert (Hq : q' <= q) by (apply exp_le_compat; lra).
    apply Rmult_le_compat; try lra. now apply exp_le_compat.
Qed.

(** The chances of a cell from two inputs, whose four thresholds are [y1], [y2] and [y1'], [y2']. *)
Lemma four_thresholds y1 y2 y1' y2' T1 T2 T1' T2' M :
  tail_bounds y1 T1 -> tail_bounds y2 T2 -> tail_bounds y1' T1' -> tail_bounds y2' T2' ->
  g <= y2 - y1 -> g <= y2' - y1' ->
  y1' - y1 <= M -> v * (y1' - y1) - w * (y2' - y2) <= M ->
  (T1 - T2) * (1 - 2 * eta p * w) <= exp (M + 2 * eta p * v) * (T1' - T2').
Proof.
  intros HT1 HT2 HT1' HT2' HG HG' HM1 HM2.
  pose proof (cell_at_most y1 y2 T1 T2 HT1 HT2 HG) as H1.
  pose proof (cell_at_least y1' y2' T1' T2' HT1' HT2' HG') as H2.
  pose proof (cell_moves y1 y2 y1' y2' M HG HG' HM1 HM2) as H3.
  pose proof (eta_positive p) as He. pose proof (eta_half p) as He2.
  pose proof near_weight_range as Hv. assert (Hw : w = v - 1) by reflexivity.
  assert (Hew : 0 <= 1 - 2 * eta p * w).
  { assert (2 * eta p * w <= 1 * 1) by (apply Rmult_le_compat; lra). lra. }
  set (A := exp (- y1) - exp (- y2)) in *. set (A' := exp (- y1') - exp (- y2')) in *.
  set (f := 1 - 2 * eta p * w) in *.
  rewrite Rplus_comm, exp_plus. pose proof (exp_pos (2 * eta p * v)) as Hx.
  pose proof (exp_pos M) as HxM. set (c := exp (2 * eta p * v)) in *.
  apply Rle_trans with (c * A * f); [now apply Rmult_le_compat_r |].
  rewrite !Rmult_assoc. apply Rmult_le_compat_l; [lra |].
  apply Rle_trans with (exp M * (f * A')); [| apply Rmult_le_compat_l; lra].
  replace (exp M * (f * A')) with (exp M * A' * f) by ring. now apply Rmult_le_compat_r.
Qed.

Lemma weighted k u c : 0 <= k -> Rabs u <= c -> - (k * c) <= k * u <= k * c.
Proof.
  intros Hk Hu. apply Rabs_le_inv in Hu. rewrite Ropp_mult_distr_r.
  split; apply Rmult_le_compat_l; lra.
Qed.

(** ** What a shift of the input costs *)

(** [X] is the largest distance between an input and an end of a cell, [h] the half gap there. *)
Variables X H2 : R.
Notation h := (half_gap p Above X).

(** [shift_costs near far t]: when the input moves by [t], the rounding of the product costs [near]
    half gaps for the near end of a cell, and [far] for the far end. *)
Definition shift_costs (near far t : R) : Prop :=
  0 <= near /\ 0 <= far /\
  (forall k D, 0 < D -> D + t <= X -> step p k (D + t) - step p k D <= t + near * h) /\
  (forall k1 D1 k2 D2, 0 < D1 -> D1 < D2 -> D2 + t <= X ->
   v * (step p k1 (D1 + t) - step p k1 D1) - w * (step p k2 (D2 + t) - step p k2 D2)
   <= t + (near * v + far * w) * h).

(** The shift lemma, for any real inputs. *)
Lemma costs_of_reals t : 0 < t -> shift_costs 2 0 t.
Proof.
  intros Ht. pose proof near_weight_range as Hv. repeat split; try lra.
  - intros k D HD HX. pose proof (step_close p k D HD) as C.
    pose proof (step_close p k (D + t) ltac:(lra)) as C'.
    pose proof (half_gap_largest p k D X ltac:(lra)) as Hh.
    pose proof (half_gap_largest p k (D + t) X ltac:(lra)) as Hh'.
    apply Rabs_le_inv in C. apply Rabs_le_inv in C'. lra.
  - intros k1 D1 k2 D2 HD1 HD HX. pose proof (shift_lemma p k1 D1 k2 D2 t v HD1 HD Ht Hv) as Hs.
    assert (2 * v * half_gap p k2 (D2 + t) <= 2 * v * h)
      by (apply Rmult_le_compat_l; [| apply half_gap_largest]; lra).
    unfold far_weight. lra.
Qed.

(** Inputs on a grid: every half-way point moves by [t], up to [n] half gaps. *)
Lemma costs_of_moves n t :
  0 <= n -> 0 < t ->
  (forall k D, 0 < D -> D + t <= X -> Rabs (step p k (D + t) - step p k D - t) <= n * h) ->
  shift_costs n n t.
Proof.
  intros Hn Ht Hm. pose proof near_weight_range as Hv. assert (Hw : w = v - 1) by reflexivity.
  repeat split; try lra.
  - intros k D HD HX. pose proof (Hm k D HD HX) as H. apply Rabs_le_inv in H. lra.
  - intros k1 D1 k2 D2 HD1 HD HX.
    pose proof (weighted v _ _ ltac:(lra) (Hm k1 D1 HD1 ltac:(lra))) as H1.
    pose proof (weighted w _ _ ltac:(lra) (Hm k2 D2 ltac:(lra) HX)) as H3.
    rewrite Hw in *. lra.
Qed.

Lemma costs_on_grid n t : 0 < t -> t = IZR n * (2 * h) -> shift_costs 1 1 t.
Proof.
  intros Ht Hn. apply costs_of_moves; [lra | exact Ht |]. intros k D HD HX. rewrite Rmult_1_l.
  now apply shift_on_grid_within with n.
Qed.

Lemma costs_on_grid_small n t :
  0 < t -> t = IZR n * (2 * h) -> 2 * t <= bpow radix2 (exponent Above X) ->
  shift_costs (/ 2) (/ 2) t.
Proof.
  intros Ht Hn Hs. apply costs_of_moves; [lra | exact Ht |]. intros k D HD HX.
  replace (/ 2 * h) with (h / 2) by field. now apply shift_on_grid_small with n.
Qed.

(** ** A cell on one side of both inputs *)

(** [H2] is what the rounding of the logarithm adds. *)
Hypothesis all_levels : levels p l X H2.
Hypothesis H2_positive : 0 <= H2.
Variables near far : R.

Definition one_side_excess : R :=
  (near * v + far * w) * (h / l) + 2 * (v + w) * H2 + 2 * eta p * v.

Lemma level_of k D :
  0 < D <= X -> exists y, tail_bounds y (tail p l k D) /\ Rabs (y - step p k D / l) <= H2.
Proof.
  intros HD. destruct (all_levels k D HD) as [y [Hy [Hl [HH _]]]]. exists y. split; [| exact HH].
  now apply level_tail.
Qed.

Lemma over_scale s t : s <= t -> s * / l <= t * / l.
Proof. apply Rmult_le_compat_r. left. now apply Rinv_0_lt_compat. Qed.

(** What the half-way points divided by [l] do, for [D1 < D2] and a shift [t]. *)
Lemma steps_divided k1 D1 k2 D2 t :
  0 < D1 -> D1 < D2 -> 0 < t -> D2 + t <= X -> shift_costs near far t ->
  let b k D := step p k D / l in
  v * (b k1 (D1 + t) - b k1 D1) - w * (b k2 (D2 + t) - b k2 D2)
  <= t / l + (near * v + far * w) * (h / l) /\
  0 <= b k1 (D1 + t) - b k1 D1 <= t / l + near * (h / l) /\
  b k2 (D2 + t) - b k2 D2 <= t / l + near * (h / l) /\
  (D2 - D1) / l - 2 * (h / l) <= b k2 D2 - b k1 D1 /\
  (D2 - D1) / l - 2 * (h / l) <= b k2 (D2 + t) - b k1 (D1 + t).
Proof.
  intros HD1 HD Ht HX [_ [_ [Hone Htwo]]] b.
  assert (Hc : forall k D, 0 < D <= X -> - h <= step p k D - D <= h).
  { intros k D HDX. pose proof (step_close p k D ltac:(lra)) as Hs. apply Rabs_le_inv in Hs.
    pose proof (half_gap_largest p k D X HDX). lra. }
  pose proof (Hc k1 D1 ltac:(lra)) as C1. pose proof (Hc k2 D2 ltac:(lra)) as C2.
  pose proof (Hc k1 (D1 + t) ltac:(lra)) as C1'. pose proof (Hc k2 (D2 + t) ltac:(lra)) as C2'.
  pose proof (step_monotone p k1 D1 (D1 + t) HD1 ltac:(lra)) as Hm.
  pose proof (over_scale _ _ Hm) as Q0.
  pose proof (over_scale _ _ (Htwo k1 D1 k2 D2 HD1 HD HX)) as Q1.
  pose proof (over_scale _ _ (Hone k1 D1 HD1 ltac:(lra))) as Q2.
  pose proof (over_scale _ _ (Hone k2 D2 ltac:(lra) HX)) as Q3.
  assert (Q4 : (D2 - D1 - 2 * h) * / l <= (step p k2 D2 - step p k1 D1) * / l)
    by (apply over_scale; lra).
  assert (Q5 : (D2 - D1 - 2 * h) * / l <= (step p k2 (D2 + t) - step p k1 (D1 + t)) * / l)
    by (apply over_scale; lra).
  unfold b, Rdiv. repeat split; lra.
Qed.

(** The two directions: [D1 < D2] are the distances of the nearer input from the ends of the cell,
    and the other input is [t] farther away. *)
Lemma one_side_tails k1 D1 k2 D2 t :
  0 < D1 -> D1 < D2 -> 0 < t -> D2 + t <= X -> shift_costs near far t ->
  g <= (D2 - D1) / l - 2 * (h / l + H2) ->
  let P := tail p l k1 D1 - tail p l k2 D2 in
  let P' := tail p l k1 (D1 + t) - tail p l k2 (D2 + t) in
  P * (1 - 2 * eta p * w) <= exp (t / l + one_side_excess) * P' /\
  P' * (1 - 2 * eta p * w) <= exp (t / l + one_side_excess) * P.
Proof.
  intros HD1 HD Ht HX Hcost Hg.
  assert (HH : 0 < h / l) by (apply divided_positive, half_gap_positive; exact l_positive).
  pose proof near_weight_range as Hv. assert (Hw : w = v - 1) by reflexivity.
  destruct (level_of k1 D1) as [y1 [T1 L1]]; [lra |].
  destruct (level_of k2 D2) as [y2 [T2 L2]]; [lra |].
  destruct (level_of k1 (D1 + t)) as [y1' [T1' L1']]; [lra |].
  destruct (level_of k2 (D2 + t)) as [y2' [T2' L2']]; [lra |].
  destruct (steps_divided k1 D1 k2 D2 t HD1 HD Ht HX Hcost) as [S1 [S2 [S3 [S4 S5]]]].
  assert (Htl : 0 < t / l) by now apply divided_positive.
  destruct Hcost as [Hn [Hf _]].
  set (m := (near * v + far * w) * (h / l)) in *.
  set (M := t / l + m + 2 * (v + w) * H2).
  replace (t / l + one_side_excess) with (M + 2 * eta p * v)
    by (unfold M, m, one_side_excess; ring).
  assert (Hw0 : 0 <= w <= 1) by lra. assert (Hv0 : 0 <= v) by lra.
  pose proof (weighted v _ _ Hv0 L1) as V1. pose proof (weighted v _ _ Hv0 L1') as V1'.
  pose proof (weighted w _ _ (proj1 Hw0) L2) as W2.
  pose proof (weighted w _ _ (proj1 Hw0) L2') as W2'.
  apply Rabs_le_inv in L1. apply Rabs_le_inv in L2.
  apply Rabs_le_inv in L1'. apply Rabs_le_inv in L2'.
  set (b1 := step p k1 D1 / l) in *. set (b1' := step p k1 (D1 + t) / l) in *.
  set (b2 := step p k2 D2 / l) in *. set (b2' := step p k2 (D2 + t) / l) in *.
  assert (Hm0 : 0 <= near * (h / l)) by (apply Rmult_le_pos; lra).
  assert (Hm : near * (h / l) <= m).
  { apply Rmult_le_compat_r; [lra |].
    assert (near * 1 <= near * v) by (apply Rmult_le_compat_l; lra).
    assert (0 <= far * w) by (apply Rmult_le_pos; lra). lra. }
  assert (HvH2 : 2 * 1 * H2 <= 2 * (v + w) * H2) by (apply Rmult_le_compat_r; lra).
  split.
  - apply (four_thresholds y1 y2 y1' y2'); try assumption; unfold M; lra.
  - assert (Hb1 : 0 <= v * (b1' - b1)) by (apply Rmult_le_pos; lra).
    assert (Hb2 : w * (b2' - b2) <= t / l + near * (h / l)).
    { apply Rle_trans with (w * (t / l + near * (h / l))); [apply Rmult_le_compat_l; lra |].
      rewrite <- (Rmult_1_l (t / l + near * (h / l))) at 2. apply Rmult_le_compat_r; lra. }
    apply (four_thresholds y1' y2' y1 y2); try assumption; unfold M; lra.
Qed.

(** A cell above both inputs. *)
Lemma cell_above S (a b : R) x x' :
  is_cell S a b -> a < b -> x < a -> x' < a -> b - x <= X -> b - x' <= X ->
  g <= (b - a) / l - 2 * (h / l + H2) -> x <> x' -> shift_costs near far (Rabs (x - x')) ->
  float_chance p l x S * (1 - 2 * eta p * w)
  <= exp (Rabs (x - x') / l + one_side_excess) * float_chance p l x' S.
Proof.
  intros HS Hab Hx Hx' HX HX' Hg Hne Hcost.
  destruct (Rtotal_order x x') as [H | [H | H]]; [| contradiction |];
    rewrite !(cell_as_tails p l l_positive S a b _ HS) by assumption.
  - rewrite Rabs_left in * by lra. replace (- (x - x')) with (x' - x) in * by ring.
    destruct (one_side_tails (lower_kind S a) (a - x') (upper_kind S b) (b - x') (x' - x))
      as [_ Ht]; try lra; [exact Hcost |].
    replace (a - x' + (x' - x)) with (a - x) in Ht by ring.
    replace (b - x' + (x' - x)) with (b - x) in Ht by ring. lra.
  - rewrite Rabs_right in * by lra.
    destruct (one_side_tails (lower_kind S a) (a - x) (upper_kind S b) (b - x) (x - x'))
      as [Ht _]; try lra; [exact Hcost |].
    replace (a - x + (x - x')) with (a - x') in Ht by ring.
    replace (b - x + (x - x')) with (b - x') in Ht by ring. lra.
Qed.

Lemma mirror_distance s t : Rabs (- s - - t) = Rabs (s - t).
Proof. rewrite <- (Rabs_Ropp (s - t)). f_equal. ring. Qed.

(** A cell on either side, by mirror images. *)
Theorem one_side_loss S (a b : R) x x' :
  is_cell S a b -> a < b -> (x < a /\ x' < a) \/ (b < x /\ b < x') ->
  Rabs (a - x) <= X -> Rabs (b - x) <= X -> Rabs (a - x') <= X -> Rabs (b - x') <= X ->
  g <= (b - a) / l - 2 * (h / l + H2) -> 2 * eta p * w < 1 ->
  x <> x' -> shift_costs near far (Rabs (x - x')) ->
  float_chance p l x S
  <= exp (Rabs (x - x') / l + (one_side_excess - ln (1 - 2 * eta p * w))) * float_chance p l x' S.
Proof.
  intros HS Hab Hside X1 X2 X3 X4 Hg Hew Hne Hcost.
  apply Rabs_le_inv in X1. apply Rabs_le_inv in X2.
  apply Rabs_le_inv in X3. apply Rabs_le_inv in X4.
  assert (Hmul : float_chance p l x S * (1 - 2 * eta p * w)
                 <= exp (Rabs (x - x') / l + one_side_excess) * float_chance p l x' S).
  { destruct Hside as [Hs | Hs].
    - apply (cell_above S a b); tauto || lra.
    - rewrite (float_chance_mirror p l x), (float_chance_mirror p l x').
      rewrite <- mirror_distance in *.
      apply (cell_above _ (- b) (- a)); try lra; [| exact Hcost].
      exact (is_cell_mirror S a b HS). }
  unfold Rminus at 2. rewrite <- Rplus_assoc, exp_plus, exp_Ropp, exp_ln by lra.
  apply Rmult_le_reg_r with (1 - 2 * eta p * w); [lra |].
  apply Rle_trans with (1 := Hmul). right. field. lra.
Qed.

(** ** A ray that contains neither input *)

Definition ray_excess : R := near * (h / l) + 2 * H2 + 2 * eta p.

Theorem ray_loss_above S (a : R) x x' :
  is_cell S a p_infty -> x < a -> x' < a -> a - x <= X -> a - x' <= X ->
  x <> x' -> shift_costs near far (Rabs (x - x')) ->
  float_chance p l x S <= exp (Rabs (x - x') / l + ray_excess) * float_chance p l x' S.
Proof.
  intros HS Hx Hx' HX HX' Hne [Hn [_ [Hone _]]].
  rewrite !(ray_as_tail p l l_positive S a _ HS) by assumption.
  assert (HH : 0 < h / l) by (apply divided_positive, half_gap_positive; exact l_positive).
  assert (Hm0 : 0 <= near * (h / l)) by (apply Rmult_le_pos; lra).
  set (k := lower_kind S a).
  destruct (level_of k (a - x)) as [y [T L]]; [lra |].
  destruct (level_of k (a - x')) as [y' [T' L']]; [lra |].
  assert (Hstep : step p k (a - x') / l - step p k (a - x) / l
                  <= Rabs (x - x') / l + near * (h / l)).
  { destruct (Rlt_le_dec x' x) as [H | H].
    - rewrite Rabs_right in * by lra.
      pose proof (over_scale _ _ (Hone k (a - x) ltac:(lra) ltac:(lra))) as Q.
      replace (a - x + (x - x')) with (a - x') in Q by ring. unfold Rdiv. lra.
    - pose proof (over_scale _ _ (step_monotone p k (a - x') (a - x) ltac:(lra) ltac:(lra))) as Q.
      pose proof (over_scale _ _ (Rabs_pos (x - x'))) as Q'. unfold Rdiv in *. lra. }
  apply Rabs_le_inv in L. apply Rabs_le_inv in L'.
  pose proof (exp_ineq1_le (2 * eta p)) as He. pose proof (exp_pos (- y)) as Hy.
  assert (HT : tail p l k (a - x) <= exp (2 * eta p) * exp (- y)).
  { apply Rle_trans with (1 := proj2 T). apply Rmult_le_compat_r; lra. }
  assert (HE : exp (2 * eta p) * exp (- y) <= exp (Rabs (x - x') / l + ray_excess) * exp (- y')).
  { rewrite <- !exp_plus. apply exp_le_compat. unfold ray_excess. lra. }
  pose proof (exp_pos (Rabs (x - x') / l + ray_excess)) as Hp.
  pose proof (Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hp) (proj1 T')) as HT'. lra.
Qed.

End SharpLoss.
