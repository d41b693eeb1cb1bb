(** * One cell, one input

    The probability of a cell under the noise of the floats, compared with its probability under
    real noise. A cell is an interval or a ray; it stands for one output. *)

From Coq Require Import Reals Lra Lia ZArith Bool.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Export Exponential.
From Lastbit Require Import Laplace IdealSnapping Rounding UnitFloat Thresholds.
Local Open Scope R_scope.

(** The probability that the sum of the input [x] and the noise lies in [S]: the sign is fair. *)
Definition float_chance (p : Z) (l x : R) (S : R -> bool) : R :=
  (chance p (fun u => S (x + noise p l u)) + chance p (fun u => S (x - noise p l u))) / 2.

(** ** Mirror images *)

Lemma float_chance_mirror p l x S :
  float_chance p l x S = float_chance p l (- x) (fun w => S (- w)).
Proof.
  unfold float_chance.
  rewrite (chance_ext p (fun u => S (x + noise p l u)) (fun u => S (- (- x - noise p l u)))).
  - rewrite (chance_ext p (fun u => S (x - noise p l u)) (fun u => S (- (- x + noise p l u)))).
    + lra.
    + intros u _. f_equal. ring.
  - intros u _. f_equal. ring.
Qed.

Lemma cdf_mirror l t : cdf l (- t) = 1 - cdf l t.
Proof.
  destruct (Rle_lt_dec t 0) as [H | H].
  - rewrite cdf_right, cdf_left, Ropp_involutive by lra. reflexivity.
  - rewrite cdf_left, cdf_right by lra. ring.
Qed.

Lemma mass_mirror l x a b : mass l x a b = mass l (- x) (Rbar_opp b) (Rbar_opp a).
Proof.
  assert (H : forall e, cdf_at l x e = 1 - cdf_at l (- x) (Rbar_opp e)).
  { intros [e | |]; simpl; try ring.
    replace (- e - - x) with (- (e - x)) by ring. rewrite cdf_mirror. ring. }
  unfold mass. rewrite !H. ring.
Qed.

Lemma is_cell_mirror S a b :
  is_cell S a b -> is_cell (fun w => S (- w)) (Rbar_opp b) (Rbar_opp a).
Proof.
  intros [Hin Hout]. split; intros w.
  - intros H1 H2. apply Hin; destruct a, b; simpl in *; easy || lra.
  - intros H. apply Hout. destruct a, b; simpl in *; destruct H; try easy;
      (left; lra) || (right; lra) || auto.
Qed.

Section OneCell.

Variable p : Z.
Context {p_positive : Prec_gt_0 p}.
Variable l : R.
Hypothesis l_positive : 0 < l.

Notation Z := (noise p l).

Lemma unit_noise_positive u : is_unit p u -> 0 < Z u.
Proof.
  intros Hu. apply noise_positive; [exact p_positive | exact l_positive |].
  now apply (unit_range p).
Qed.

(** ** Probabilities of a cell as tails *)

Lemma outside_interval S (a b : R) x :
  is_cell S a b -> x <= a -> a < b ->
  (exceeds p l (a - x) - reaches p l (b - x)) / 2 <= float_chance p l x S
  <= (reaches p l (a - x) - exceeds p l (b - x)) / 2.
Proof.
  intros [Hin Hout] Hx Hab. unfold float_chance.
  assert (H0 : chance p (fun u => S (x - Z u)) = 0).
  { apply (chance_empty p). intros u Hu. apply Hout. left. simpl.
    pose proof (unit_noise_positive u Hu). lra. }
  rewrite H0, Rplus_0_r. unfold exceeds, reaches. split; unfold Rdiv;
    (apply Rmult_le_compat_r; [lra |]); rewrite <- (chance_minus p) by
      (intros u _; repeat (case Rle_bool_spec || case Rlt_bool_spec); easy || lra);
    apply (chance_monotone p); intros u Hu.
  - repeat (case Rle_bool_spec || case Rlt_bool_spec); try easy. intros H1 H2 _.
    apply Hin; simpl; lra.
  - intros HS. destruct (Rlt_le_dec (Z u) (a - x)) as [H1 | H1].
    { rewrite Hout in HS; [easy |]. left. simpl. lra. }
    destruct (Rlt_le_dec (b - x) (Z u)) as [H2 | H2].
    { rewrite Hout in HS; [easy |]. right. simpl. lra. }
    rewrite Rle_bool_true, Rlt_bool_false by lra. reflexivity.
Qed.

Lemma outside_ray S (a : R) x :
  is_cell S a p_infty -> x <= a ->
  exceeds p l (a - x) / 2 <= float_chance p l x S <= reaches p l (a - x) / 2.
Proof.
  intros [Hin Hout] Hx. unfold float_chance.
  assert (H0 : chance p (fun u => S (x - Z u)) = 0).
  { apply (chance_empty p). intros u Hu. apply Hout. left. simpl.
    pose proof (unit_noise_positive u Hu). lra. }
  rewrite H0, Rplus_0_r. unfold exceeds, reaches. split; unfold Rdiv;
    (apply Rmult_le_compat_r; [lra |]); apply (chance_monotone p); intros u Hu.
  - case Rlt_bool_spec; [| easy]. intros H _. apply Hin; simpl; [lra | exact I].
  - intros HS. apply Rle_bool_true. apply Rnot_lt_le. intros H.
    rewrite Hout in HS; [easy |]. left. simpl. lra.
Qed.

(** From inside, the noise stays in the cell while it is smaller than the distance to the end. *)
Lemma stays_up S a (b x : R) :
  is_cell S a b -> Rbar_le a x -> x <= b ->
  1 - reaches p l (b - x) <= chance p (fun u => S (x + Z u)) <= 1 - exceeds p l (b - x).
Proof.
  intros [Hin Hout] Ha Hb. unfold exceeds, reaches.
  rewrite <- (chance_full p (fun _ => true)) by easy.
  rewrite <- !(chance_minus p) by easy.
  split; apply (chance_monotone p); intros u Hu; simpl.
  - case Rle_bool_spec; [easy |]. intros H _. apply Hin; [| simpl; lra].
    apply Rbar_le_lt_trans with x; [exact Ha |]. simpl. pose proof (unit_noise_positive u Hu). lra.
  - intros HS. rewrite Rlt_bool_false; [reflexivity |]. apply Rnot_lt_le. intros H.
    rewrite Hout in HS; [easy |]. right. simpl. lra.
Qed.

Lemma stays_up_ray S a (x : R) :
  is_cell S a p_infty -> Rbar_le a x -> chance p (fun u => S (x + Z u)) = 1.
Proof.
  intros [Hin _] Ha. apply (chance_full p). intros u Hu. apply Hin; [| exact I].
  apply Rbar_le_lt_trans with x; [exact Ha |]. simpl. pose proof (unit_noise_positive u Hu). lra.
Qed.

Lemma stays_down S (a : R) b (x : R) :
  is_cell S a b -> Rbar_le x b -> a <= x ->
  1 - reaches p l (x - a) <= chance p (fun u => S (x - Z u)) <= 1 - exceeds p l (x - a).
Proof.
  intros HS Hb Ha. pose proof (stays_up _ _ (- a) (- x) (is_cell_mirror _ _ _ HS)) as H.
  replace (- a - - x) with (x - a) in H by ring.
  rewrite (chance_ext p (fun u => S (x - Z u)) (fun u => S (- (- x + Z u)))).
  - apply H; [| lra]. destruct b; simpl in *; easy || lra.
  - intros u _. f_equal. ring.
Qed.

(** ** The tails, for distances up to [E l] *)

Variable E : R.
Hypothesis E_large : 1 <= E.

Definition lower_error : R := (2 * eta p + eta p ^ 2) * E.
Definition upper_error : R := 2 * eta p * E + 2 * eta p.

Lemma tails D :
  0 <= D -> D / l <= E ->
  exp (- (D / l)) * exp (- lower_error) <= exceeds p l D /\
  exceeds p l D <= reaches p l D /\
  reaches p l D <= exp (- (D / l)) * exp upper_error.
Proof.
  intros HD HE. pose proof (eta_positive p) as He.
  assert (He2 : 0 <= eta p ^ 2) by (apply pow_le; lra).
  split; [| split].
  - apply Rle_trans with (2 := exceeds_below p l l_positive D HD).
    apply Rmult_le_compat_l; [left; apply exp_pos |]. apply exp_le_compat. unfold lower_error.
    assert ((2 * eta p + eta p ^ 2) * (D / l) <= (2 * eta p + eta p ^ 2) * E)
      by (apply Rmult_le_compat_l; lra).
    lra.
  - now apply exceeds_at_most_reaches.
  - apply Rle_trans with (1 := reaches_above p l l_positive D HD).
    apply Rmult_le_compat_l; [left; apply exp_pos |]. apply exp_le_compat. unfold upper_error.
    assert (2 * eta p * (D / l) <= 2 * eta p * E) by (apply Rmult_le_compat_l; lra).
    lra.
Qed.

(** ** Bounds for a cell

    [q] is exp (- c) for a cell of width [c l], and 0 for a ray. [P] is the probability of the cell
    under the noise of the floats, [Q] that under real noise. *)

Definition bounded_above (q P Q : R) : Prop :=
  P * (1 - q) <= (exp upper_error - q * exp (- lower_error)) * Q.

(** The constant 5.74 is above twice the supremum of k e^(2 eta (c + 1)) in the paper proof. *)
Definition bounded_below (q P Q : R) : Prop :=
  (exp (- lower_error) - q * exp upper_error) * Q <= P * (1 - q) \/
  (1 - 5.74 * eta p) * Q <= P.

Lemma mass_right (a b x : R) :
  x <= a -> a <= b -> mass l x a b = exp (- ((a - x) / l)) * (1 - exp (- ((b - a) / l))) / 2.
Proof.
  intros Hx Hab. unfold mass, cdf_at. rewrite !cdf_right by lra.
  rewrite Rmult_minus_distr_l, <- exp_plus.
  replace (- (b - x) / l) with (- ((a - x) / l) + - ((b - a) / l)) by (field; lra).
  replace (- (a - x) / l) with (- ((a - x) / l)) by (field; lra). lra.
Qed.

Lemma mass_ray_right (a x : R) : x <= a -> mass l x a p_infty = exp (- ((a - x) / l)) / 2.
Proof.
  intros Hx. unfold mass, cdf_at. rewrite cdf_right by lra.
  replace (- (a - x) / l) with (- ((a - x) / l)) by (field; lra). lra.
Qed.

Lemma divide_nonnegative D : 0 <= D -> 0 <= D / l.
Proof. intros H. apply Rmult_le_pos; [exact H |]. left. now apply Rinv_0_lt_compat. Qed.

Lemma outside_interval_bounds S (a b : R) x :
  is_cell S a b -> x <= a -> a < b -> (b - x) / l <= E ->
  bounded_above (exp (- ((b - a) / l))) (float_chance p l x S) (mass l x a b) /\
  bounded_below (exp (- ((b - a) / l))) (float_chance p l x S) (mass l x a b).
Proof.
  intros HS Hx Hab HE. destruct (outside_interval S a b x HS Hx Hab) as [H1 H2].
  rewrite mass_right by lra.
  set (q := exp (- ((b - a) / l))). set (d := exp (- ((a - x) / l))).
  assert (Hq : q <= 1).
  { unfold q. rewrite <- exp_0. apply exp_le_compat.
    pose proof (divide_nonnegative (b - a) ltac:(lra)). lra. }
  assert (Hdq : exp (- ((b - x) / l)) = d * q).
  { unfold d, q. rewrite <- exp_plus. f_equal. field. lra. }
  assert (HE' : (a - x) / l <= E).
  { apply Rle_trans with (2 := HE). apply Rmult_le_compat_r; [| lra].
    left. now apply Rinv_0_lt_compat. }
  destruct (tails (a - x) ltac:(lra) HE') as [A1 [A2 A3]].
  destruct (tails (b - x) ltac:(lra) HE) as [B1 [B2 B3]].
  rewrite Hdq in B1, B3. fold d in A1, A3. split; [| left]; unfold bounded_above.
  - apply Rle_trans with ((d * exp upper_error - d * q * exp (- lower_error)) / 2 * (1 - q)).
    + apply Rmult_le_compat_r; lra.
    + right. field.
  - apply Rle_trans with ((d * exp (- lower_error) - d * q * exp upper_error) / 2 * (1 - q)).
    + right. field.
    + apply Rmult_le_compat_r; lra.
Qed.

Lemma outside_ray_bounds S (a : R) x :
  is_cell S a p_infty -> x <= a -> (a - x) / l <= E ->
  bounded_above 0 (float_chance p l x S) (mass l x a p_infty) /\
  bounded_below 0 (float_chance p l x S) (mass l x a p_infty).
Proof.
  intros HS Hx HE. destruct (outside_ray S a x HS Hx) as [H1 H2].
  rewrite mass_ray_right by lra. destruct (tails (a - x) ltac:(lra) HE) as [A1 [A2 A3]].
  split; [| left]; unfold bounded_above; lra.
Qed.

(** ** Inputs inside the cell *)

Lemma tail_excess_above D :
  0 <= D -> exp (- (D / l)) * (1 - (2 * eta p + eta p ^ 2) * (D / l)) <= exceeds p l D.
Proof.
  intros HD. apply Rle_trans with (2 := exceeds_below p l l_positive D HD).
  apply Rmult_le_compat_l; [left; apply exp_pos |].
  pose proof (exp_ineq1_le (- (2 * eta p + eta p ^ 2) * (D / l))). lra.
Qed.

(** What one end of the cell costs, from above and from below. *)
Lemma end_above D :
  0 <= D -> 1 - exceeds p l D <= (1 + 2 * eta p + eta p ^ 2) * (1 - exp (- (D / l))).
Proof.
  intros HD. pose proof (tail_excess_above D HD) as H. pose proof (small_product (D / l)) as Hs.
  pose proof (eta_positive p) as He. assert (He2 : 0 <= eta p ^ 2) by (apply pow_le; lra).
  set (r := 2 * eta p + eta p ^ 2) in *.
  replace (1 + 2 * eta p + eta p ^ 2) with (1 + r) by (unfold r; ring).
  assert (r * (D / l * exp (- (D / l))) <= r * (1 - exp (- (D / l))))
    by (apply Rmult_le_compat_l; unfold r; lra).
  lra.
Qed.

Lemma end_below D :
  0 <= D ->
  reaches p l D - exp (- (D / l))
  <= 2 * eta p * ((1 + D / l) * exp (- (D / l)) * exp (2 * eta p * (D / l + 1))).
Proof.
  intros HD. pose proof (reaches_above p l l_positive D HD) as H.
  set (d := D / l) in *. set (v := 2 * eta p * (d + 1)).
  replace (2 * eta p * d + 2 * eta p) with v in H by (unfold v; ring).
  pose proof (small_product v) as Hs. pose proof (exp_pos v) as Hv.
  pose proof (exp_pos (- d)) as Hd.
  assert (Hi : exp (- v) * exp v = 1).
  { rewrite <- exp_plus. replace (- v + v) with 0 by ring. apply exp_0. }
  assert (Hv1 : exp v - 1 <= v * exp v).
  { pose proof (exp_ineq1_le (- v)) as H1.
    assert ((1 + - v) * exp v <= exp (- v) * exp v) by (apply Rmult_le_compat_r; lra). lra. }
  replace (2 * eta p * ((1 + d) * exp (- d) * exp v)) with (exp (- d) * (v * exp v))
    by (unfold v; ring).
  apply Rle_trans with (exp (- d) * (exp v - 1)); [lra |]. apply Rmult_le_compat_l; lra.
Qed.

Lemma above_from_simple q P Q :
  0 <= Q -> 0 <= q <= 1 -> P <= (1 + 2 * eta p + eta p ^ 2) * Q -> bounded_above q P Q.
Proof.
  intros HQ Hq HP. unfold bounded_above. pose proof (eta_positive p) as He.
  pose proof (eta_half p) as He2.
  assert (Hb : 1 + 2 * eta p + eta p ^ 2 <= exp upper_error).
  { pose proof (exp_ineq1_le upper_error) as H. unfold upper_error in *.
    assert (2 * eta p * 1 <= 2 * eta p * E) by (apply Rmult_le_compat_l; lra).
    assert (eta p * eta p <= eta p * / 2) by (apply Rmult_le_compat_l; lra).
    simpl. lra. }
  assert (Ha : exp (- lower_error) <= exp upper_error).
  { apply exp_le_compat. assert (0 <= eta p ^ 2) by (apply pow_le; lra).
    assert (0 <= (2 * eta p + eta p ^ 2) * E) by (apply Rmult_le_pos; lra).
    assert (0 <= 2 * eta p * E) by (apply Rmult_le_pos; lra).
    unfold lower_error, upper_error. lra. }
  apply Rle_trans with ((1 + 2 * eta p + eta p ^ 2) * Q * (1 - q)).
  { apply Rmult_le_compat_r; lra. }
  replace ((1 + 2 * eta p + eta p ^ 2) * Q * (1 - q))
    with ((1 + 2 * eta p + eta p ^ 2) * (1 - q) * Q) by ring.
  apply Rmult_le_compat_r; [exact HQ |].
  assert ((1 + 2 * eta p + eta p ^ 2) * (1 - q) <= exp upper_error * (1 - q))
    by (apply Rmult_le_compat_r; lra).
  assert (q * exp (- lower_error) <= q * exp upper_error) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Hypothesis eta_small : eta p <= 1 / 128.

Definition end_cost (d : R) : R := (1 + d) * exp (- d) * exp ((d + 1) / 64).

Lemma two_ends d e :
  0 <= d -> 0 <= e -> 0.988 <= d + e <= 3 ->
  end_cost d + end_cost e <= 2.87 * (2 - exp (- d) - exp (- e)).
Proof.
  intros Hd He Hc. pose proof (cell_constant (d + e) Hc) as H.
  pose proof (exp_above ((d + e + 1) / 64)) as HW. pose proof (exp_pos ((d + e + 1) / 64)) as HW0.
  assert (Hone : forall t, 0 <= t <= d + e ->
                 end_cost t <= exp ((d + e + 1) / 64) * ((1 + t) * exp (- t))).
  { intros t Ht. unfold end_cost. rewrite Rmult_comm. apply Rmult_le_compat_r.
    - apply Rmult_le_pos; [lra |]. left. apply exp_pos.
    - apply exp_le_compat. lra. }
  pose proof (Hone d ltac:(lra)) as H1. pose proof (Hone e ltac:(lra)) as H2.
  set (W := exp ((d + e + 1) / 64)) in *.
  assert (HW1 : W <= 2.87).
  { apply Rmult_le_reg_l with (1 - (d + e + 1) / 64); lra. }
  pose proof (ends_cost_most_at_an_end (2.87 / W) d e) as Hmost.
  apply Rle_trans with (W * ((1 + d) * exp (- d) + (1 + e) * exp (- e))); [lra |].
  replace (2.87 * (2 - exp (- d) - exp (- e))) with (W * (2.87 / W * (2 - exp (- d) - exp (- e))))
    by (field; lra).
  apply Rmult_le_compat_l; [lra |]. apply Hmost; try assumption.
  - apply Rmult_le_reg_r with W; [exact HW0 |].
    replace (2.87 / W * W) with 2.87 by (field; lra). lra.
  - apply Rmult_le_reg_l with W; [exact HW0 |].
    replace (W * (2.87 / W * (1 - exp (- (d + e))))) with (2.87 * (1 - exp (- (d + e))))
      by (field; lra).
    exact H.
Qed.

Lemma end_below_cost D :
  0 <= D -> reaches p l D - exp (- (D / l)) <= 2 * eta p * end_cost (D / l).
Proof.
  intros HD. apply Rle_trans with (1 := end_below D HD). pose proof (eta_positive p) as He.
  pose proof (divide_nonnegative D HD) as Hd.
  apply Rmult_le_compat_l; [lra |]. apply Rmult_le_compat_l.
  - apply Rmult_le_pos; [lra |]. left. apply exp_pos.
  - apply exp_le_compat.
    assert ((2 * eta p) * (D / l + 1) <= 1 / 64 * (D / l + 1)) by (apply Rmult_le_compat_r; lra).
    lra.
Qed.

Lemma mass_around (a b x : R) :
  a <= x <= b -> mass l x a b = 1 - exp (- ((b - x) / l)) / 2 - exp (- ((x - a) / l)) / 2.
Proof.
  intros H. unfold mass, cdf_at. rewrite cdf_right, cdf_left by lra.
  replace (- (b - x) / l) with (- ((b - x) / l)) by (field; lra).
  replace ((a - x) / l) with (- ((x - a) / l)) by (field; lra). lra.
Qed.

Lemma mass_ray_around (a x : R) : a <= x -> mass l x a p_infty = 1 - exp (- ((x - a) / l)) / 2.
Proof.
  intros H. unfold mass, cdf_at. rewrite cdf_left by lra.
  replace ((a - x) / l) with (- ((x - a) / l)) by (field; lra). lra.
Qed.

Lemma inside_interval_bounds S (a b : R) x :
  is_cell S a b -> a <= x <= b -> 0.988 <= (b - a) / l <= 3 ->
  bounded_above (exp (- ((b - a) / l))) (float_chance p l x S) (mass l x a b) /\
  bounded_below (exp (- ((b - a) / l))) (float_chance p l x S) (mass l x a b).
Proof.
  intros HS Hx Hc. unfold float_chance.
  destruct (stays_up S a b x HS ltac:(simpl; lra) ltac:(lra)) as [U1 U2].
  destruct (stays_down S a b x HS ltac:(simpl; lra) ltac:(lra)) as [D1 D2].
  rewrite mass_around by exact Hx. pose proof (eta_positive p) as He.
  pose proof (divide_nonnegative (b - x) ltac:(lra)) as Hb.
  pose proof (divide_nonnegative (x - a) ltac:(lra)) as Ha.
  pose proof (exp_minus_at_most_one _ Hb) as Hb1. pose proof (exp_minus_at_most_one _ Ha) as Ha1.
  split.
  - apply above_from_simple.
    + lra.
    + split; [left; apply exp_pos | apply exp_minus_at_most_one; lra].
    + pose proof (end_above (b - x) ltac:(lra)). pose proof (end_above (x - a) ltac:(lra)). lra.
  - right. pose proof (end_below_cost (b - x) ltac:(lra)) as E1.
    pose proof (end_below_cost (x - a) ltac:(lra)) as E2.
    assert (Hs : (b - x) / l + (x - a) / l = (b - a) / l) by (field; lra).
    pose proof (two_ends _ _ Hb Ha ltac:(rewrite Hs; exact Hc)) as H.
    apply Rmult_le_compat_l with (r := eta p) in H; [| lra]. lra.
Qed.

Hypothesis upper_error_small : upper_error <= / 2.

Lemma inside_ray_bounds S (a : R) x :
  is_cell S a p_infty -> a <= x -> (x - a) / l <= E ->
  bounded_above 0 (float_chance p l x S) (mass l x a p_infty) /\
  bounded_below 0 (float_chance p l x S) (mass l x a p_infty).
Proof.
  intros HS Hx HE. unfold float_chance.
  rewrite (stays_up_ray S a x HS) by exact Hx.
  destruct (stays_down S a p_infty x HS I ltac:(lra)) as [D1 D2].
  rewrite mass_ray_around by exact Hx. pose proof (eta_positive p) as He.
  assert (He2 : 0 <= eta p ^ 2) by (apply pow_le; lra).
  pose proof (divide_nonnegative (x - a) ltac:(lra)) as Ha.
  pose proof (exp_minus_at_most_one _ Ha) as Ha1. split.
  - apply above_from_simple; [lra | lra |].
    pose proof (end_above (x - a) ltac:(lra)). lra.
  - right. pose proof (end_below (x - a) ltac:(lra)) as E1.
    set (d := (x - a) / l) in *.
    assert (H1 : (1 + d) * exp (- d) <= 1) by (pose proof (small_product d); lra).
    assert (H2 : exp (2 * eta p * (d + 1)) <= 2.87).
    { apply Rle_trans with (exp (/ 2)); [| pose proof (exp_above (/ 2)); lra]. apply exp_le_compat.
      assert (2 * eta p * d <= 2 * eta p * E) by (apply Rmult_le_compat_l; lra).
      unfold upper_error in upper_error_small. lra. }
    assert (H3 : (1 + d) * exp (- d) * exp (2 * eta p * (d + 1)) <= 1 * 2.87).
    { apply Rmult_le_compat; try assumption.
      - apply Rmult_le_pos; [lra |]. left. apply exp_pos.
      - left. apply exp_pos. }
    apply Rmult_le_compat_l with (r := 2 * eta p) in H3; [| lra].
    assert (eta p * (2.87 * exp (- d)) <= eta p * 2.87) by (apply Rmult_le_compat_l; lra).
    lra.
Qed.

(** ** Summary: any input, intervals and rays *)

Theorem interval_bounds S (a b : R) x :
  is_cell S a b -> 0.988 <= (b - a) / l <= 3 -> (b - x) / l <= E -> (x - a) / l <= E ->
  bounded_above (exp (- ((b - a) / l))) (float_chance p l x S) (mass l x a b) /\
  bounded_below (exp (- ((b - a) / l))) (float_chance p l x S) (mass l x a b).
Proof.
  intros HS Hc HEb HEa.
  assert (Hab : a < b).
  { apply Rnot_le_lt. intros H. pose proof (divide_nonnegative (a - b) ltac:(lra)).
    replace ((a - b) / l) with (- ((b - a) / l)) in * by (field; lra). lra. }
  destruct (Rle_lt_dec x a) as [H1 | H1]; [now apply outside_interval_bounds |].
  destruct (Rle_lt_dec x b) as [H2 | H2]; [apply inside_interval_bounds; auto; lra |].
  rewrite float_chance_mirror, mass_mirror.
  replace (b - a) with (- a - - b) by ring.
  apply outside_interval_bounds; try lra. exact (is_cell_mirror _ _ _ HS).
Qed.

Theorem ray_bounds S (a : R) x :
  is_cell S a p_infty -> Rabs (a - x) / l <= E ->
  bounded_above 0 (float_chance p l x S) (mass l x a p_infty) /\
  bounded_below 0 (float_chance p l x S) (mass l x a p_infty).
Proof.
  intros HS HE. destruct (Rle_lt_dec x a) as [H | H].
  - rewrite Rabs_right in HE by lra. now apply outside_ray_bounds.
  - rewrite Rabs_left, Ropp_minus_distr in HE by lra. apply inside_ray_bounds; auto; lra.
Qed.

Theorem ray_bounds_left S (b : R) x :
  is_cell S m_infty b -> Rabs (b - x) / l <= E ->
  bounded_above 0 (float_chance p l x S) (mass l x m_infty b) /\
  bounded_below 0 (float_chance p l x S) (mass l x m_infty b).
Proof.
  intros HS HE. rewrite float_chance_mirror, mass_mirror. apply (ray_bounds _ (- b)).
  - exact (is_cell_mirror _ _ _ HS).
  - replace (- b - - x) with (- (b - x)) by ring. now rewrite Rabs_Ropp.
Qed.

End OneCell.
