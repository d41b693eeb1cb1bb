(** * The sharper bound: the table

    The table of proofs/snapping.md#sharp: by how much the loss at an output exceeds the distance of
    the inputs divided by the scale, for each place that its cell may have between them. *)

From Coq Require Import Reals Lra Lia ZArith Bool.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Import Laplace IdealSnapping Rounding UnitFloat Thresholds Exponential OneCell.
From Lastbit Require Import Steps Levels SharpLoss SharpCells.
Local Open Scope R_scope.

(** ** The table *)

Section Table.

(** The precision; the scale; the least and the largest width of a cell, in units of the scale; the
    largest distance of an input from an end of a cell; what the rounding of the logarithm adds; the
    half gaps that the rounding of the product costs, at the near and at the far end of a cell; the
    largest distance of the inputs. *)
Variable p : Z.
Variables l c c1 X H2 near far spread : R.

Notation v := (near_weight (safe_width p l c X H2)).
Notation w := (far_weight (safe_width p l c X H2)).

Definition far_cost : R := - ln (1 - 2 * eta p * w).
Definition spread_error : R := eta p * (2 + eta p) * (spread / l + c1).
Definition near_error : R := Rmin (shift_error p l X H2) spread_error.

Definition excess_at_bound : R := ray_excess p l X H2 near.
Definition excess_on_one_side : R :=
  one_side_excess p l (safe_width p l c X H2) X H2 near far + far_cost.
(** A cell lies between the inputs only when the inputs are farther apart than the narrowest cell is
    wide. *)
Definition excess_between : R :=
  if Rlt_dec (c * l) spread then (v + w) * spread_error + 2 * eta p * v + far_cost else 0.
Definition excess_at_one : R :=
  (v + w) * near_error
  + Rmax (2 * eta p * v + inside_cost p c) (far_cost + 2 * eta p + eta p ^ 2).
Definition excess_at_both : R := 2 * eta p + eta p ^ 2 + inside_cost p c.

Definition table_excess : R :=
  Rmax excess_at_bound
    (Rmax excess_on_one_side (Rmax excess_between (Rmax excess_at_one excess_at_both))).

Lemma table_covers :
  excess_at_bound <= table_excess /\ excess_on_one_side <= table_excess /\
  excess_between <= table_excess /\ excess_at_one <= table_excess /\ excess_at_both <= table_excess.
Proof.
  unfold table_excess. repeat split; repeat (apply Rmax_l || apply Rmax_r ||
    (eapply Rle_trans; [| apply Rmax_r])).
Qed.

Context {p_positive : Prec_gt_0 p}.
Hypothesis l_positive : 0 < l.
Hypothesis eta_small : eta p <= 1 / 128.
Hypothesis c_range : 0.988 <= c <= 2.
Hypothesis c1_range : 0 <= c1 <= 3.
Hypothesis all_levels : levels p l X H2.
Hypothesis H2_positive : 0 <= H2.
Hypothesis width_enough : exp (- safe_width p l c X H2) <= / 2.

(** What is assumed of two inputs: the half gaps that it costs to move from one to the other. *)
Definition costs (x x' : R) : Prop :=
  x <> x' -> shift_costs p (safe_width p l c X H2) X near far (Rabs (x - x')).

Lemma table_excess_positive : 0 <= table_excess.
Proof.
  apply Rle_trans with excess_at_both; [| apply table_covers]. unfold excess_at_both, inside_cost.
  pose proof (inside_part_range p eta_small c c_range) as Hi. pose proof (eta_positive p) as He.
  assert (0 <= eta p ^ 2) by (apply pow_le; lra).
  assert (ln (1 - inside_part p c) <= ln 1) by (apply ln_le; lra). rewrite ln_1 in *. lra.
Qed.

Lemma same_input x S :
  float_chance p l x S <= exp (Rabs (x - x) / l + table_excess) * float_chance p l x S.
Proof.
  pose proof (float_chance_positive p l x S) as HP. pose proof table_excess_positive as HE.
  rewrite <- (Rmult_1_l (float_chance p l x S)) at 1. apply Rmult_le_compat_r; [exact HP |].
  replace (x - x) with 0 by ring. rewrite Rabs_R0.
  pose proof (exp_ineq1_le (0 / l + table_excess)). unfold Rdiv in *. lra.
Qed.

Lemma divide_le s t : s <= t -> s / l <= t / l.
Proof. intros H. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact H]. Qed.

(** Distances that are at most the distance of the inputs and the width of the cell. *)
Lemma error_near D : D / l <= spread / l + c1 -> error_at p l X H2 D near_error.
Proof.
  intros HD. pose proof (eta_positive p) as He. unfold near_error, error_at.
  destruct (Rle_dec (shift_error p l X H2) spread_error) as [H | H].
  - left. rewrite Rmin_left by exact H. apply Rle_refl.
  - right. rewrite Rmin_right by lra. unfold spread_error. apply Rmult_le_compat_l; [| exact HD].
    apply Rmult_le_pos; lra.
Qed.

Lemma far_error t t' : t <= t' -> error_at p l X H2 t (eta p * (2 + eta p) * (t' / l)).
Proof.
  intros H. right. pose proof (eta_positive p) as He.
  apply Rmult_le_compat_l; [apply Rmult_le_pos; lra |]. now apply divide_le.
Qed.

(** One line of the table is enough. *)
Lemma line_enough D E P P' :
  0 <= P' -> E <= table_excess -> P <= exp (D + E) * P' -> P <= exp (D + table_excess) * P'.
Proof.
  intros HP' HE H. apply Rle_trans with (1 := H). apply Rmult_le_compat_r; [exact HP' |].
  apply exp_le_compat. lra.
Qed.

(** One input inside and the other outside, in both directions, and both inside. *)
Lemma outside_and_inside D P Q P' Q' :
  0 <= P' -> Q <= exp D * Q' -> outside_bounds p l c X H2 near_error P Q ->
  inside_bounds p c P' Q' -> P <= exp (D + table_excess) * P'.
Proof.
  intros HP' HQ [U _] [_ O].
  apply (line_enough D excess_at_one); [exact HP' | apply table_covers |].
  apply (compare D _ _ _ P Q P' Q' HP' U O HQ). unfold excess_at_one.
  pose proof (Rmax_l (2 * eta p * v + inside_cost p c) (far_cost + 2 * eta p + eta p ^ 2)). lra.
Qed.

Lemma inside_and_outside D P Q P' Q' :
  0 <= P' -> Q <= exp D * Q' -> inside_bounds p c P Q ->
  outside_bounds p l c X H2 near_error P' Q' -> P <= exp (D + table_excess) * P'.
Proof.
  intros HP' HQ [U _] [_ O].
  apply (line_enough D excess_at_one); [exact HP' | apply table_covers |].
  apply (compare D _ _ _ P Q P' Q' HP' U O HQ). unfold excess_at_one.
  pose proof (Rmax_r (2 * eta p * v + inside_cost p c) (far_cost + 2 * eta p + eta p ^ 2)).
  unfold far_cost in *. lra.
Qed.

Lemma both_inside D P Q P' Q' :
  0 <= P' -> Q <= exp D * Q' -> inside_bounds p c P Q -> inside_bounds p c P' Q' ->
  P <= exp (D + table_excess) * P'.
Proof.
  intros HP' HQ [U _] [_ O].
  apply (line_enough D excess_at_both); [exact HP' | apply table_covers |].
  apply (compare D _ _ _ P Q P' Q' HP' U O HQ). apply Rle_refl.
Qed.

(** The inputs on different sides: the two errors share the way between the inputs. *)
Lemma opposite_sides D P Q P' Q' u o :
  c * l < spread -> 0 <= P' -> Q <= exp D * Q' -> u + o <= spread / l + c1 ->
  outside_bounds p l c X H2 (eta p * (2 + eta p) * u) P Q ->
  outside_bounds p l c X H2 (eta p * (2 + eta p) * o) P' Q' -> P <= exp (D + table_excess) * P'.
Proof.
  intros Hroom HP' HQ Huo [U _] [_ O]. pose proof (eta_positive p) as He.
  destruct (weights_range p l eta_small c X H2 width_enough) as [Hv [Hw _]].
  apply (line_enough D excess_between); [exact HP' | apply table_covers |].
  apply (compare D _ _ _ P Q P' Q' HP' U O HQ).
  assert (Hs : eta p * (2 + eta p) * (u + o) <= spread_error).
  { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact Huo]. }
  apply Rmult_le_compat_l with (r := v + w) in Hs; [| lra].
  unfold excess_between, far_cost. destruct (Rlt_dec (c * l) spread) as [_ | H]; [lra |].
  now destruct (H Hroom).
Qed.

(** ** An interval *)

Section Interval.

Variable S : R -> bool.
Variables a b : R.
Hypothesis cell : is_cell S a b.
Hypothesis ordered : a < b.
Hypothesis width : c <= (b - a) / l <= c1.

Notation bounds_outside := (outside_bounds p l c X H2).

Lemma outside_below x r :
  x < a -> b - x <= X -> error_at p l X H2 (a - x) r -> error_at p l X H2 (b - x) r ->
  bounds_outside r (float_chance p l x S) (mass l x a b).
Proof. intros. apply outside_cell; auto; lra. Qed.

Lemma outside_above x r :
  b < x -> x - a <= X -> error_at p l X H2 (x - b) r -> error_at p l X H2 (x - a) r ->
  bounds_outside r (float_chance p l x S) (mass l x a b).
Proof.
  intros Hx HX Eb Ea. rewrite float_chance_mirror, mass_mirror.
  apply (outside_cell p l l_positive eta_small c X H2 all_levels width_enough _ (- b) (- a));
    try lra.
  - exact (is_cell_mirror S a b cell).
  - now replace (- b - - x) with (x - b) by ring.
  - now replace (- a - - x) with (x - a) by ring.
Qed.

(** An input outside, when the other lies inside. *)
Lemma outside_near x x' :
  x < a \/ b < x -> a <= x' <= b -> Rabs (x - x') <= spread ->
  Rabs (a - x) <= X -> Rabs (b - x) <= X ->
  bounds_outside near_error (float_chance p l x S) (mass l x a b).
Proof.
  intros Hx Hx' Hs HA HB. apply Rabs_le_inv in Hs. apply Rabs_le_inv in HA.
  apply Rabs_le_inv in HB.
  assert (Hd : forall D, D <= spread + (b - a) -> error_at p l X H2 D near_error).
  { intros D HD. apply error_near. apply Rle_trans with ((spread + (b - a)) / l).
    - now apply divide_le.
    - unfold Rdiv in *. lra. }
  destruct Hx as [Hx | Hx]; [apply outside_below | apply outside_above]; try apply Hd; lra.
Qed.

Theorem interval_loss x x' :
  costs x x' -> Rabs (x - x') <= spread ->
  Rabs (a - x) <= X -> Rabs (b - x) <= X -> Rabs (a - x') <= X -> Rabs (b - x') <= X ->
  float_chance p l x S <= exp (Rabs (x - x') / l + table_excess) * float_chance p l x' S.
Proof.
  intros Hcost Hs X1 X2 X3 X4. pose proof (float_chance_positive p l x' S) as HP'.
  destruct (Req_dec x x') as [-> | Hne]; [now apply same_input |]. specialize (Hcost Hne).
  assert (HQ : mass l x a b <= exp (Rabs (x - x') / l) * mass l x' a b)
    by (apply mass_private; easy || (simpl; lra)).
  assert (Hs' : Rabs (x' - x) <= spread) by now rewrite Rabs_minus_sym.
  assert (Hside : (x < a /\ x' < a) \/ (b < x /\ b < x') ->
            float_chance p l x S <= exp (Rabs (x - x') / l + table_excess) * float_chance p l x' S).
  { intros H. apply (line_enough _ excess_on_one_side); [exact HP' | apply table_covers |].
    destruct (weights_range p l eta_small c X H2 width_enough) as [_ [_ Hew]].
    apply (one_side_loss p l l_positive _ width_enough X H2 all_levels H2_positive near far S a b);
      auto; unfold safe_width, shift_error in *; lra. }
  assert (Hin : forall y, a <= y <= b -> inside_bounds p c (float_chance p l y S) (mass l y a b)).
  { intros y Hy. apply inside_interval; auto; lra. }
  assert (Hway : forall u o, u + o = Rabs (x - x') + (b - a) -> u / l + o / l <= spread / l + c1).
  { intros u o Huo. apply Rle_trans with ((spread + (b - a)) / l); [| unfold Rdiv in *; lra].
    unfold Rdiv. rewrite <- Rmult_plus_distr_r. apply divide_le. lra. }
  assert (Hwide : c * l <= b - a).
  { replace (b - a) with ((b - a) / l * l) by (field; lra). apply Rmult_le_compat_r; lra. }
  assert (Hroom : b - a < Rabs (x - x') -> c * l < spread) by lra.
  destruct (Rlt_le_dec x a) as [Ha | Ha]; [| destruct (Rle_lt_dec x b) as [Hb | Hb]];
    (destruct (Rlt_le_dec x' a) as [Ha' | Ha']; [| destruct (Rle_lt_dec x' b) as [Hb' | Hb']]).
  - apply Hside. lra.
  - apply (outside_and_inside _ _ _ _ _ HP' HQ); [apply outside_near with x'; lra | apply Hin; lra].
  - assert (Hbetween : c * l < spread) by (apply Hroom; rewrite Rabs_left; lra).
    apply (opposite_sides _ _ _ _ _ ((b - x) / l) ((x' - a) / l) Hbetween HP' HQ).
    + apply Hway. rewrite Rabs_left by lra. ring.
    + apply Rabs_le_inv in X2. apply outside_below; try lra; apply far_error; lra.
    + apply Rabs_le_inv in X3. apply outside_above; try lra; apply far_error; lra.
  - apply (inside_and_outside _ _ _ _ _ HP' HQ); [apply Hin; lra | apply outside_near with x; lra].
  - apply (both_inside _ _ _ _ _ HP' HQ); apply Hin; lra.
  - apply (inside_and_outside _ _ _ _ _ HP' HQ); [apply Hin; lra | apply outside_near with x; lra].
  - assert (Hbetween : c * l < spread) by (apply Hroom; rewrite Rabs_right; lra).
    apply (opposite_sides _ _ _ _ _ ((x - a) / l) ((b - x') / l) Hbetween HP' HQ).
    + apply Hway. rewrite Rabs_right by lra. ring.
    + apply Rabs_le_inv in X1. apply outside_above; try lra; apply far_error; lra.
    + apply Rabs_le_inv in X4. apply outside_below; try lra; apply far_error; lra.
  - apply (outside_and_inside _ _ _ _ _ HP' HQ); [apply outside_near with x'; lra | apply Hin; lra].
  - apply Hside. lra.
Qed.

End Interval.

(** ** A ray *)

Theorem ray_loss S (a : R) x x' :
  is_cell S a p_infty -> costs x x' ->
  Rabs (x - x') <= spread -> Rabs (a - x) <= X -> Rabs (a - x') <= X ->
  float_chance p l x S <= exp (Rabs (x - x') / l + table_excess) * float_chance p l x' S.
Proof.
  intros HS Hcost Hs X1 X2. pose proof (float_chance_positive p l x' S) as HP'.
  destruct (Req_dec x x') as [-> | Hne]; [now apply same_input |]. specialize (Hcost Hne).
  assert (HQ : mass l x a p_infty <= exp (Rabs (x - x') / l) * mass l x' a p_infty)
    by now apply mass_private.
  assert (Hs' : Rabs (x' - x) <= spread) by now rewrite Rabs_minus_sym.
  assert (Hin : forall y, a <= y ->
            inside_bounds p c (float_chance p l y S) (mass l y a p_infty)).
  { intros y Hy. now apply inside_ray. }
  assert (Hout : forall y y', y < a -> a <= y' -> Rabs (y - y') <= spread -> Rabs (a - y) <= X ->
            outside_bounds p l c X H2 near_error (float_chance p l y S) (mass l y a p_infty)).
  { intros y y' Hy Hy' Hd HX. apply Rabs_le_inv in Hd. apply Rabs_le_inv in HX.
    apply outside_top; auto; try lra. apply error_near.
    pose proof (divide_le (a - y) spread ltac:(lra)). lra. }
  destruct (Rlt_le_dec x a) as [Ha | Ha], (Rlt_le_dec x' a) as [Ha' | Ha'].
  - apply (line_enough _ excess_at_bound); [exact HP' | apply table_covers |].
    apply Rabs_le_inv in X1. apply Rabs_le_inv in X2.
    apply (ray_loss_above p l l_positive (safe_width p l c X H2) X H2 all_levels near far S a);
      auto; lra.
  - apply (outside_and_inside _ _ _ _ _ HP' HQ); [apply Hout with x'; lra | now apply Hin].
  - apply (inside_and_outside _ _ _ _ _ HP' HQ); [now apply Hin | apply Hout with x; lra].
  - apply (both_inside _ _ _ _ _ HP' HQ); now apply Hin.
Qed.

Theorem ray_loss_mirror S (b : R) x x' :
  is_cell S m_infty b -> costs x x' ->
  Rabs (x - x') <= spread -> Rabs (b - x) <= X -> Rabs (b - x') <= X ->
  float_chance p l x S <= exp (Rabs (x - x') / l + table_excess) * float_chance p l x' S.
Proof.
  intros HS Hcost Hs X1 X2. rewrite (float_chance_mirror p l x), (float_chance_mirror p l x').
  rewrite <- mirror_distance in *. apply (ray_loss _ (- b)); rewrite ?mirror_distance in *; auto.
  - exact (is_cell_mirror S m_infty b HS).
  - intros Hne. rewrite mirror_distance. apply Hcost. intros E. apply Hne. now rewrite E.
Qed.

End Table.
