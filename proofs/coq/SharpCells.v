(** * The sharper bound: cells compared with real noise

    How the chance of a cell compares with its chance under real noise, for inputs inside it and
    outside it, with the thresholds of proofs/snapping.md#sharp. *)

From Coq Require Import Reals Lra Lia ZArith Bool.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Import Laplace IdealSnapping Rounding UnitFloat Thresholds Exponential OneCell.
From Lastbit Require Import Steps Levels SharpLoss.
Local Open Scope R_scope.

(** ** The cost of an input inside a cell *)

(** The number k of the paper proof, for a cell of width [c]. *)
Definition end_factor (c : R) : R := (1 + (1 + c) * exp (- c)) / (1 - exp (- c)).

Lemma exp_minus_below_one c : 0 < c -> exp (- c) < 1.
Proof. intros H. rewrite <- exp_0. apply exp_increasing. lra. Qed.

Lemma end_factor_form c : 0 < c -> end_factor c = 1 + (2 + c) / (exp c - 1).
Proof.
  intros Hc. pose proof (exp_minus_below_one c Hc) as H. pose proof (exp_ineq1_le c) as H1.
  unfold end_factor. rewrite exp_Ropp in *. field. split; [lra |].
  pose proof (exp_pos c). lra.
Qed.

Lemma end_factor_above_one c : 0 < c -> 1 <= end_factor c.
Proof.
  intros Hc. rewrite end_factor_form by exact Hc. pose proof (exp_ineq1_le c).
  assert (0 < (2 + c) / (exp c - 1)) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Lemma end_factor_large c : 0.98 <= c <= 2 -> 1.37 <= end_factor c.
Proof.
  intros Hc. rewrite end_factor_form by lra. pose proof (exp_ineq1_le c) as Hec.
  assert (He2 : exp c <= 9).
  { apply Rle_trans with (exp (1 + 1)); [apply exp_le_compat; lra |]. rewrite exp_plus.
    pose proof exp_le_3. pose proof (exp_pos 1).
    assert (exp 1 * exp 1 <= 3 * 3) by (apply Rmult_le_compat; lra). lra. }
  enough (0.37 <= (2 + c) / (exp c - 1)) by lra.
  apply Rmult_le_reg_r with (exp c - 1); [lra |].
  replace ((2 + c) / (exp c - 1) * (exp c - 1)) with (2 + c) by (field; lra). lra.
Qed.

(** k e^(n c) falls with c, while n is small. *)
Lemma end_factor_falls n c s :
  0 <= n <= 1 / 64 -> 0.98 <= c <= 2 -> 0 <= s <= 2.1 ->
  end_factor (c + s) * exp (n * (c + s)) <= end_factor c * exp (n * c).
Proof.
  intros Hn Hc Hs. replace (n * (c + s)) with (n * c + n * s) by ring. rewrite exp_plus.
  replace (end_factor (c + s) * (exp (n * c) * exp (n * s)))
    with (end_factor (c + s) * exp (n * s) * exp (n * c)) by ring.
  apply Rmult_le_compat_r; [left; apply exp_pos |].
  rewrite !end_factor_form by lra.
  pose proof (exp_ineq1_le c) as Hec. set (z := (2 + c) / (exp c - 1)).
  assert (Hz : 0.37 <= z).
  { pose proof (end_factor_large c Hc) as Hl. rewrite end_factor_form in Hl by lra.
    fold z in Hl. lra. }
  assert (Hzs : (2 + (c + s)) / (exp (c + s) - 1) <= z / (1 + 0.66 * s)).
  { pose proof (exp_ineq1_le s) as Hes.
    assert (Hd : (exp c - 1) * exp s <= exp (c + s) - 1) by (rewrite exp_plus; lra).
    assert (Hp : 0 < (exp c - 1) * exp s) by (apply Rmult_lt_0_compat; lra).
    apply Rle_trans with ((2 + (c + s)) / ((exp c - 1) * exp s)).
    { apply Rmult_le_compat_l; [lra |]. now apply Rinv_le_contravar. }
    replace ((2 + (c + s)) / ((exp c - 1) * exp s))
      with (z * ((1 + s / (2 + c)) / exp s)) by (unfold z; field; lra).
    apply Rmult_le_compat_l; [lra |].
    apply Rmult_le_reg_r with (exp s * (1 + 0.66 * s)); [apply Rmult_lt_0_compat; lra |].
    replace ((1 + s / (2 + c)) / exp s * (exp s * (1 + 0.66 * s)))
      with ((1 + s / (2 + c)) * (1 + 0.66 * s)) by (field; lra).
    replace (/ (1 + 0.66 * s) * (exp s * (1 + 0.66 * s))) with (exp s) by (field; lra).
    pose proof (exp_quadratic_below s ltac:(lra)) as Hq.
    assert (Hi : s / (2 + c) <= s * / 2.98).
    { apply Rmult_le_compat_l; [lra |]. apply Rinv_le_contravar; lra. }
    assert ((1 + s / (2 + c)) * (1 + 0.66 * s) <= (1 + s * / 2.98) * (1 + 0.66 * s))
      by (apply Rmult_le_compat_r; lra).
    assert (0 <= s * s) by (apply Rmult_le_pos; lra).
    lra. }
  assert (Hx : (1 - s / 64) * exp (n * s) <= 1).
  { apply Rle_trans with ((1 - n * s) * exp (n * s)); [| apply exp_above].
    apply Rmult_le_compat_r; [left; apply exp_pos |].
    assert (n * s <= 1 / 64 * s) by (apply Rmult_le_compat_r; lra). lra. }
  pose proof (exp_pos (n * s)) as Hpn.
  apply Rle_trans with ((1 + z / (1 + 0.66 * s)) * exp (n * s)).
  { apply Rmult_le_compat_r; lra. }
  apply Rle_trans with ((1 + z) * (1 - s / 64) * exp (n * s)).
  - apply Rmult_le_compat_r; [lra |].
    apply Rmult_le_reg_r with (1 + 0.66 * s); [lra |].
    replace ((1 + z / (1 + 0.66 * s)) * (1 + 0.66 * s)) with (1 + 0.66 * s + z) by (field; lra).
    assert (0 <= z * s) by (apply Rmult_le_pos; lra).
    assert (0 <= s * (2.1 - s)) by (apply Rmult_le_pos; lra).
    assert (0 <= (z - 0.37) * s) by (apply Rmult_le_pos; lra).
    assert (0 <= z * (s * (2.1 - s))) by (apply Rmult_le_pos; lra).
    lra.
  - rewrite Rmult_assoc. rewrite <- (Rmult_1_r (1 + z)) at 2. apply Rmult_le_compat_l; lra.
Qed.

Section Compare.

Variable p : Z.
Context {p_positive : Prec_gt_0 p}.
Variable l : R.
Hypothesis l_positive : 0 < l.
Hypothesis eta_small : eta p <= 1 / 128.

(** [c] is the least width of a cell, in units of the scale. *)
Variable c : R.
Hypothesis c_range : 0.988 <= c <= 2.

Definition inside_part : R := 2 * eta p * (end_factor c * exp (2 * eta p * (c + 1))).
Definition inside_cost : R := - ln (1 - inside_part).

Lemma inside_part_range : 0 <= inside_part <= 1 / 2.
Proof.
  pose proof (eta_positive p) as He. pose proof (cell_constant c ltac:(lra)) as Hk.
  pose proof (exp_minus_below_one c ltac:(lra)) as Hc.
  pose proof (end_factor_above_one c ltac:(lra)) as H1.
  assert (Hx : exp (2 * eta p * (c + 1)) <= exp ((c + 1) / 64)).
  { apply exp_le_compat.
    assert (2 * eta p * (c + 1) <= 1 / 64 * (c + 1)) by (apply Rmult_le_compat_r; lra). lra. }
  pose proof (exp_pos (2 * eta p * (c + 1))) as Hp.
  assert (Hb : end_factor c * exp (2 * eta p * (c + 1)) <= 2.87).
  { apply Rle_trans with (end_factor c * exp ((c + 1) / 64)); [apply Rmult_le_compat_l; lra |].
    unfold end_factor. apply Rmult_le_reg_r with (1 - exp (- c)); [lra |].
    replace ((1 + (1 + c) * exp (- c)) / (1 - exp (- c)) * exp ((c + 1) / 64) * (1 - exp (- c)))
      with (exp ((c + 1) / 64) * (1 + (1 + c) * exp (- c))) by (field; lra).
    exact Hk. }
  assert (H0 : 0 <= end_factor c * exp (2 * eta p * (c + 1))) by (apply Rmult_le_pos; lra).
  unfold inside_part. split; [apply Rmult_le_pos; lra |].
  assert (2 * eta p * (end_factor c * exp (2 * eta p * (c + 1))) <= 1 / 64 * 2.87)
    by (apply Rmult_le_compat; lra).
  lra.
Qed.

(** How the floats' chance [P] of a cell compares with that of real noise, [Q], from inside. *)
Definition inside_bounds (P Q : R) : Prop :=
  P <= exp (2 * eta p + eta p ^ 2) * Q /\ exp (- inside_cost) * Q <= P.

Lemma inside_bounds_intro P Q :
  0 <= Q -> P <= (1 + 2 * eta p + eta p ^ 2) * Q -> (1 - inside_part) * Q <= P ->
  inside_bounds P Q.
Proof.
  intros HQ H1 H2. split.
  - apply Rle_trans with (1 := H1). apply Rmult_le_compat_r; [exact HQ |].
    pose proof (exp_ineq1_le (2 * eta p + eta p ^ 2)). lra.
  - unfold inside_cost. rewrite Ropp_involutive, exp_ln by (pose proof inside_part_range; lra).
    exact H2.
Qed.

Lemma inside_interval S (a b : R) x :
  is_cell S a b -> a <= x <= b -> c <= (b - a) / l <= 3 ->
  inside_bounds (float_chance p l x S) (mass l x a b).
Proof.
  intros HS Hx Hw. pose proof (eta_positive p) as He.
  assert (HQ : 0 <= mass l x a b) by (apply mass_nonnegative; easy || (simpl; lra)).
  destruct (stays_up p l l_positive S a b x HS ltac:(simpl; lra) ltac:(lra)) as [U1 U2].
  destruct (stays_down p l l_positive S a b x HS ltac:(simpl; lra) ltac:(lra)) as [D1 D2].
  pose proof (end_above p l l_positive (b - x) ltac:(lra)) as A1.
  pose proof (end_above p l l_positive (x - a) ltac:(lra)) as A2.
  pose proof (end_below p l l_positive (b - x) ltac:(lra)) as B1.
  pose proof (end_below p l l_positive (x - a) ltac:(lra)) as B2.
  pose proof (mass_around l l_positive a b x Hx) as HM.
  assert (Hd : 0 <= (x - a) / l) by (apply divide_nonnegative; lra).
  assert (He' : 0 <= (b - x) / l) by (apply divide_nonnegative; lra).
  assert (Hsum : (b - x) / l + (x - a) / l = (b - a) / l) by (field; lra).
  set (d := (b - x) / l) in *. set (e := (x - a) / l) in *. rewrite <- Hsum in Hw.
  apply inside_bounds_intro; [exact HQ | rewrite HM; unfold float_chance; lra |].
  assert (Hk : (1 + d) * exp (- d) + (1 + e) * exp (- e)
               <= end_factor (d + e) * (2 - exp (- d) - exp (- e))).
  { apply ends_cost_most_at_an_end; try assumption; [apply end_factor_above_one; lra |].
    right. unfold end_factor. field. pose proof (exp_minus_below_one (d + e)). lra. }
  set (W := exp (2 * eta p * (d + e + 1))).
  assert (Hone : forall t, 0 <= t <= d + e ->
            (1 + t) * exp (- t) * exp (2 * eta p * (t + 1)) <= W * ((1 + t) * exp (- t))).
  { intros t Ht. rewrite Rmult_comm. apply Rmult_le_compat_r.
    - apply Rmult_le_pos; [lra |]. left. apply exp_pos.
    - apply exp_le_compat. apply Rmult_le_compat_l; lra. }
  pose proof (Hone d ltac:(lra)) as O1. pose proof (Hone e ltac:(lra)) as O2.
  assert (HW : 0 < W) by apply exp_pos.
  assert (Hfall : end_factor (d + e) * W <= end_factor c * exp (2 * eta p * (c + 1))).
  { pose proof (end_factor_falls (2 * eta p) c (d + e - c) ltac:(lra) ltac:(lra) ltac:(lra)) as Hf.
    replace (c + (d + e - c)) with (d + e) in Hf by ring. unfold W.
    replace (2 * eta p * (d + e + 1)) with (2 * eta p * (d + e) + 2 * eta p) by ring.
    replace (2 * eta p * (c + 1)) with (2 * eta p * c + 2 * eta p) by ring.
    rewrite !exp_plus, <- !Rmult_assoc. apply Rmult_le_compat_r; [left; apply exp_pos | exact Hf]. }
  assert (HQ2 : 2 - exp (- d) - exp (- e) = 2 * mass l x a b) by lra.
  rewrite HQ2 in Hk.
  assert (Hcost : (1 + d) * exp (- d) * exp (2 * eta p * (d + 1))
                  + (1 + e) * exp (- e) * exp (2 * eta p * (e + 1))
                  <= end_factor c * exp (2 * eta p * (c + 1)) * (2 * mass l x a b)).
  { apply Rle_trans with (W * (end_factor (d + e) * (2 * mass l x a b))).
    - apply Rle_trans with (W * ((1 + d) * exp (- d) + (1 + e) * exp (- e))); [lra |].
      apply Rmult_le_compat_l; lra.
    - rewrite <- Rmult_assoc, (Rmult_comm W). apply Rmult_le_compat_r; lra. }
  apply Rmult_le_compat_l with (r := 2 * eta p) in Hcost; [| lra].
  unfold inside_part, float_chance. lra.
Qed.

Lemma inside_ray S (a : R) x :
  is_cell S a p_infty -> a <= x -> inside_bounds (float_chance p l x S) (mass l x a p_infty).
Proof.
  intros HS Hx. pose proof (eta_positive p) as He.
  destruct (stays_down p l l_positive S a p_infty x HS I ltac:(lra)) as [D1 D2].
  pose proof (stays_up_ray p l l_positive S a x HS Hx) as U.
  pose proof (end_above p l l_positive (x - a) ltac:(lra)) as A.
  pose proof (end_below p l l_positive (x - a) ltac:(lra)) as Bl.
  pose proof (mass_ray_around l l_positive a x Hx) as HM.
  assert (Hd : 0 <= (x - a) / l) by (apply divide_nonnegative; lra).
  set (d := (x - a) / l) in *. pose proof (exp_minus_at_most_one d Hd) as Hd1.
  assert (He2 : 0 <= eta p ^ 2) by (apply pow_le; lra).
  apply inside_bounds_intro; [lra | rewrite HM; unfold float_chance; rewrite U; lra |].
  set (C := (1 + d) * exp (- d) * exp (2 * eta p * (d + 1))) in *.
  assert (HC : C <= end_factor c * exp (2 * eta p * (c + 1))).
  { set (y := d * (1 - 2 * eta p)).
    replace C with ((1 + d) * exp (- y) * exp (2 * eta p)).
    2: { unfold C, y. rewrite !Rmult_assoc, <- !exp_plus. do 2 f_equal. ring. }
    assert (Hy : (1 + d) * exp (- y) <= 1.37).
    { pose proof (exp_above (- y)) as Ha. pose proof (exp_pos (- y)) as Hp.
      assert (Hyd : d * (63 / 64) <= y) by (apply Rmult_le_compat_l; lra).
      apply Rle_trans with (1.37 * ((1 - - y) * exp (- y))); [| lra].
      rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra. }
    pose proof (end_factor_large c ltac:(lra)) as Hk. pose proof (exp_pos (2 * eta p)) as Hp.
    assert (Hxc : exp (2 * eta p) <= exp (2 * eta p * (c + 1))).
    { apply exp_le_compat. assert (0 <= 2 * eta p * c) by (apply Rmult_le_pos; lra). lra. }
    apply Rmult_le_compat; try lra. apply Rmult_le_pos; [lra |]. left. apply exp_pos. }
  pose proof inside_part_range as Hi.
  assert (Hpart : 2 * eta p * C <= inside_part) by (apply Rmult_le_compat_l; lra).
  assert (HQ : inside_part * (1 / 2) <= inside_part * mass l x a p_infty)
    by (apply Rmult_le_compat_l; lra).
  unfold float_chance. rewrite U. lra.
Qed.

(** ** The cost of an input outside a cell *)

Variables X H2 : R.
Hypothesis all_levels : levels p l X H2.
Hypothesis H2_positive : 0 <= H2.

(** What the two roundings may do to a threshold, and what they leave of the width of a cell. *)
Definition shift_error : R := half_gap p Above X / l + H2.
Definition safe_width : R := c - 2 * shift_error.
Hypothesis width_enough : exp (- safe_width) <= / 2.
Notation v := (near_weight safe_width).
Notation w := (far_weight safe_width).

Lemma weights_range : 1 <= v <= 2 /\ w = v - 1 /\ 0 <= 2 * eta p * w <= 1 / 64.
Proof.
  pose proof (near_weight_range safe_width width_enough) as Hv. pose proof (eta_positive p) as He.
  assert (Hw : w = v - 1) by reflexivity. repeat split; try lra.
  - apply Rmult_le_pos; lra.
  - assert (2 * eta p * w <= 1 / 64 * 1) by (apply Rmult_le_compat; lra). lra.
Qed.

Lemma far_cost_positive : 0 <= - ln (1 - 2 * eta p * w).
Proof.
  destruct weights_range as [_ [_ Hw]].
  assert (ln (1 - 2 * eta p * w) <= ln 1) by (apply ln_le; lra). rewrite ln_1 in *. lra.
Qed.

(** [error_at D r]: both roundings together move a threshold at the distance [D] by at most [r]. *)
Definition error_at (D r : R) : Prop := shift_error <= r \/ eta p * (2 + eta p) * (D / l) <= r.

Lemma level_near k D r :
  0 < D <= X -> error_at D r ->
  exists y, exp (- y) <= tail p l k D <= (1 + 2 * eta p) * exp (- y) /\
            Rabs (y - D / l) <= shift_error /\ Rabs (y - D / l) <= r.
Proof.
  intros HD Hr. destruct (all_levels k D HD) as [y [Hy [Hl [H1 H3]]]]. exists y.
  split; [now apply level_tail |].
  assert (Hs : Rabs (y - D / l) <= shift_error).
  { pose proof (step_close p k D ltac:(lra)) as Hc. pose proof (half_gap_largest p k D X HD) as Hh.
    assert (Hil : 0 < / l) by now apply Rinv_0_lt_compat.
    assert (H4 : Rabs (step p k D / l - D / l) <= half_gap p Above X / l).
    { replace (step p k D / l - D / l) with ((step p k D - D) * / l) by (unfold Rdiv; ring).
      rewrite Rabs_mult, (Rabs_right (/ l)) by lra. apply Rmult_le_compat_r; lra. }
    apply Rabs_le_inv in H1. apply Rabs_le_inv in H4. apply Rabs_le. unfold shift_error. lra. }
  split; [exact Hs |]. destruct Hr as [Hr | Hr]; lra.
Qed.

(** How [P] compares with [Q] from outside, when thresholds move by at most [r]. *)
Definition outside_bounds (r P Q : R) : Prop :=
  P <= exp ((v + w) * r + 2 * eta p * v) * Q /\
  exp (- ((v + w) * r - ln (1 - 2 * eta p * w))) * Q <= P.

Lemma outside_cell S (a b : R) x r :
  is_cell S a b -> a < b -> x < a -> b - x <= X -> c <= (b - a) / l ->
  error_at (a - x) r -> error_at (b - x) r ->
  outside_bounds r (float_chance p l x S) (mass l x a b).
Proof.
  intros HS Hab Hx HX Hc Ea Eb. destruct weights_range as [Hv [Hw Hw2]].
  rewrite (cell_as_tails p l l_positive S a b x HS Hx Hab), mass_right by lra.
  destruct (level_near (lower_kind S a) (a - x) r ltac:(lra) Ea) as [y1 [T1 [S1 R1]]].
  destruct (level_near (upper_kind S b) (b - x) r ltac:(lra) Eb) as [y2 [T2 [S2 R2]]].
  pose proof (Rabs_pos (y1 - (a - x) / l)) as Hr0.
  set (d1 := (a - x) / l) in *. set (d2 := (b - x) / l) in *.
  assert (Hd : (b - a) / l = d2 - d1) by (unfold d1, d2; field; lra). rewrite Hd in *.
  replace (exp (- d1) * (1 - exp (- (d2 - d1)))) with (exp (- d1) - exp (- d2)).
  2: { rewrite Rmult_minus_distr_l, <- exp_plus.
       replace (- d1 + - (d2 - d1)) with (- d2) by ring. ring. }
  pose proof (weighted v _ _ ltac:(lra) R1) as V1. pose proof (weighted w _ _ ltac:(lra) R2) as W2.
  apply Rabs_le_inv in S1. apply Rabs_le_inv in S2.
  apply Rabs_le_inv in R1. apply Rabs_le_inv in R2.
  assert (Hs0 : 0 <= shift_error) by lra.
  assert (Hg : safe_width = c - 2 * shift_error) by reflexivity.
  assert (Hrv : 1 * r <= (v + w) * r) by (apply Rmult_le_compat_r; lra).
  set (T := tail p l (lower_kind S a) (a - x) - tail p l (upper_kind S b) (b - x)).
  pose proof (exp_pos (2 * eta p * v)) as Hp. split.
  - pose proof (cell_at_most p safe_width width_enough y1 y2 _ _ T1 T2 ltac:(lra)) as HT.
    fold T in HT.
    pose proof (cell_moves safe_width width_enough y1 y2 d1 d2 ((v + w) * r) ltac:(lra) ltac:(lra)
                  ltac:(lra) ltac:(lra)) as HM.
    rewrite Rplus_comm, exp_plus.
    apply Rmult_le_compat_l with (r := exp (2 * eta p * v)) in HM; lra.
  - pose proof (cell_at_least p safe_width width_enough y1 y2 _ _ T1 T2 ltac:(lra)) as HT.
    fold T in HT.
    pose proof (cell_moves safe_width width_enough d1 d2 y1 y2 ((v + w) * r) ltac:(lra) ltac:(lra)
                  ltac:(lra) ltac:(lra)) as HM.
    replace (- ((v + w) * r - ln (1 - 2 * eta p * w)))
      with (- ((v + w) * r) + ln (1 - 2 * eta p * w)) by ring.
    rewrite exp_plus, exp_ln by lra. set (f := 1 - 2 * eta p * w) in *.
    pose proof (exp_inverse ((v + w) * r)) as Hi. pose proof (exp_pos (- ((v + w) * r))) as Hq.
    set (m := exp (- ((v + w) * r))) in *.
    assert (Hf : 0 <= f) by (unfold f; lra).
    apply Rmult_le_compat_l with (r := m * f) in HM; [| apply Rmult_le_pos; lra].
    assert (Hmf : m * f * (exp ((v + w) * r) * (exp (- y1) - exp (- y2)))
                  = f * (exp (- y1) - exp (- y2))).
    { replace (m * f * (exp ((v + w) * r) * (exp (- y1) - exp (- y2))))
        with (m * exp ((v + w) * r) * (f * (exp (- y1) - exp (- y2)))) by ring.
      rewrite Hi. ring. }
    lra.
Qed.

Lemma outside_top S (a : R) x r :
  is_cell S a p_infty -> x < a -> a - x <= X -> error_at (a - x) r ->
  outside_bounds r (float_chance p l x S) (mass l x a p_infty).
Proof.
  intros HS Hx HX Ea. destruct weights_range as [Hv [Hw Hw2]]. pose proof far_cost_positive as Hf.
  pose proof (eta_positive p) as He.
  rewrite (ray_as_tail p l l_positive S a x HS Hx), mass_ray_right by lra.
  destruct (level_near (lower_kind S a) (a - x) r ltac:(lra) Ea) as [y [T [_ R1]]].
  pose proof (Rabs_pos (y - (a - x) / l)) as Hr0. apply Rabs_le_inv in R1.
  set (d := (a - x) / l) in *.
  assert (Hrv : 1 * r <= (v + w) * r) by (apply Rmult_le_compat_r; lra).
  assert (Hev : 2 * eta p * 1 <= 2 * eta p * v) by (apply Rmult_le_compat_l; lra).
  pose proof (exp_ineq1_le (2 * eta p)) as Hx2. pose proof (exp_pos (- y)) as Hy.
  assert (Hup : (1 + 2 * eta p) * exp (- y) <= exp ((v + w) * r + 2 * eta p * v) * exp (- d)).
  { apply Rle_trans with (exp (2 * eta p) * exp (- y)); [apply Rmult_le_compat_r; lra |].
    rewrite <- !exp_plus. apply exp_le_compat. lra. }
  assert (Hlow : exp (- ((v + w) * r - ln (1 - 2 * eta p * w))) * exp (- d) <= exp (- y)).
  { rewrite <- exp_plus. apply exp_le_compat. lra. }
  split; lra.
Qed.

(** ** Two inputs *)

(** [P] and [P'] are the floats' chances of a cell from two inputs, [Q] and [Q'] those of real
    noise, whose loss is at most [D]. *)
Lemma compare D u o E P Q P' Q' :
  0 <= P' -> P <= exp u * Q -> exp (- o) * Q' <= P' -> Q <= exp D * Q' -> u + o <= E ->
  P <= exp (D + E) * P'.
Proof.
  intros HP H1 H3 H4 HE. pose proof (exp_pos u) as Hu. pose proof (exp_pos D) as HD.
  apply Rle_trans with (exp (D + (u + o)) * P').
  2: { apply Rmult_le_compat_r; [exact HP |]. apply exp_le_compat. lra. }
  apply Rle_trans with (1 := H1).
  apply Rle_trans with (exp u * (exp D * Q')); [apply Rmult_le_compat_l; lra |].
  replace (D + (u + o)) with (D + u + o) by ring. rewrite !exp_plus.
  pose proof (exp_inverse o) as Hi. pose proof (exp_pos o) as Ho.
  apply Rmult_le_compat_l with (r := exp D * exp u * exp o) in H3.
  - replace (exp D * exp u * exp o * (exp (- o) * Q'))
      with (exp D * exp u * (exp (- o) * exp o) * Q') in H3 by ring.
    rewrite Hi in H3. lra.
  - repeat apply Rmult_le_pos; lra.
Qed.

End Compare.
