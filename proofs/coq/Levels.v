(** * Levels: thresholds for the random float

    Noise passes a distance when the random float is small enough. How small is what the two
    roundings of the noise decide, and the probability of that is a float: (4) of
    proofs/snapping.md#sharp. *)

From Coq Require Import Reals Lra Lia ZArith Bool.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Import Laplace IdealSnapping Rounding UnitFloat Thresholds Exponential OneCell.
From Lastbit Require Import Steps.
Local Open Scope R_scope.

Definition passes_bool (k : kind) (D z : R) : bool :=
  match k with
  | AtLeast => Rle_bool D z
  | Above => Rlt_bool D z
  end.

Lemma passes_bool_spec k D z : passes_bool k D z = true <-> passes k D z.
Proof.
  destruct k; unfold passes_bool, passes;
    [case Rle_bool_spec | case Rlt_bool_spec]; intros H; split; easy || lra.
Qed.

(** The probability that the noise passes [D]: [reaches] or [exceeds], by the kind. *)
Definition tail (p : Z) (l : R) (k : kind) (D : R) : R :=
  chance p (fun u => passes_bool k D (noise p l u)).

Section Levels.

Variable p : Z.
Context {p_positive : Prec_gt_0 p}.
Variable l : R.
Hypothesis l_positive : 0 < l.

(** Which kind of threshold the half-way point is, by the rule for ties. *)
Definition after (k : kind) (D : R) : kind :=
  if passes_bool k D (fl p (step p k D)) then AtLeast else Above.

(** A rounded number passes [D] when the number passes the half-way point. *)
Lemma rounded_passes k D z :
  0 < D -> (passes k D (fl p z) <-> passes (after k D) (step p k D) z).
Proof.
  intros HD. destruct (Rtotal_order z (step p k D)) as [H | [-> | H]].
  - pose proof (step_below p k D z HD H). unfold after.
    destruct passes_bool; simpl; split; easy || lra.
  - unfold after. pose proof (passes_bool_spec k D (fl p (step p k D))) as Hs.
    destruct passes_bool; simpl; split; intros H; try lra.
    + now apply Hs.
    + apply Hs in H. discriminate H.
  - pose proof (step_above p k D z HD H). unfold after.
    destruct passes_bool; simpl; split; easy || lra.
Qed.

Lemma scaled_passes k D z : passes k D (l * z) <-> passes k (D / l) z.
Proof.
  assert (H : D = l * (D / l)) by (field; lra). rewrite H at 1.
  destruct k; unfold passes; split; intros H'.
  - now apply Rmult_le_reg_l with l.
  - apply Rmult_le_compat_l; lra.
  - now apply Rmult_lt_reg_l with l.
  - now apply Rmult_lt_compat_l.
Qed.

(** [is_level k D y]: noise passes [D] just when - ln u passes [y], for every random float [u]; at
    [y] itself it may or may not. *)
Definition is_level (k : kind) (D y : R) : Prop :=
  exists k', forall u, is_unit p u -> (passes k D (noise p l u) <-> passes k' y (- ln u)).

(** The probability that the noise passes [D] is exp (- y), up to one gap of the random floats. It
    does not matter whether exp (- y) is a float. *)
Theorem level_tail k D y :
  0 < y -> is_level k D y -> exp (- y) <= tail p l k D <= (1 + 2 * eta p) * exp (- y).
Proof.
  intros Hy [k' Hk]. pose proof (eta_positive p) as He. set (r := exp (- y)).
  assert (Hr0 : 0 < r) by apply exp_pos.
  assert (Hr1 : r < 1) by (unfold r; rewrite <- exp_0; apply exp_increasing; lra).
  assert (Hu : forall u, is_unit p u -> y < - ln u <-> u < r).
  { intros u Hu. pose proof (unit_range p u Hu) as Hur.
    assert (Hln : ln r = - y) by apply ln_exp. split; intros H.
    - apply ln_lt_inv; lra.
    - apply ln_increasing in H; lra. }
  assert (Hu' : forall u, is_unit p u -> y <= - ln u -> u <= r).
  { intros u Hi H. apply Rnot_lt_le. intros H'. pose proof (unit_range p u Hi) as Hur.
    apply ln_increasing in H'; [| exact Hr0]. unfold r in H'. rewrite ln_exp in H'. lra. }
  split.
  - pose proof (round_UP_pt radix2 (FLX_exp p) r) as [Ht [Hrt Hmin]].
    set (t := round radix2 (FLX_exp p) Zceil r) in *.
    assert (Ht1 : t <= 1).
    { apply Hmin; [| lra]. apply generic_format_FLX_1; auto with typeclass_instances. }
    apply Rle_trans with (1 := Hrt). rewrite <- (chance_below p t) by (lra || exact Ht).
    apply (chance_monotone p). intros u Hi. case Rlt_bool_spec; [| easy]. intros Hut _.
    apply passes_bool_spec. apply (Hk u Hi).
    assert (H : y < - ln u).
    { apply (Hu u Hi). apply Rnot_le_lt. intros H. apply (Rlt_not_le _ _ Hut).
      apply Hmin; [now apply unit_is_float | exact H]. }
    destruct k'; unfold passes; lra.
  - pose proof (round_DN_pt radix2 (FLX_exp p) r) as [Hf [Hfr Hmax]].
    set (f := round radix2 (FLX_exp p) Zfloor r) in *.
    assert (Hf0 : 0 < f) by (apply gt_0_round_gt_0_FLX; auto with typeclass_instances).
    set (t := succ radix2 (FLX_exp p) f).
    assert (Ht1 : t <= 1).
    { apply succ_le_lt; auto with typeclass_instances; [| lra].
      apply generic_format_FLX_1; auto with typeclass_instances. }
    assert (Htf : t <= (1 + 2 * eta p) * f).
    { unfold t. rewrite succ_eq_pos by lra. pose proof (ulp_FLX_le radix2 p f) as Hl.
      rewrite two_eta, Rabs_right in Hl by lra. lra. }
    assert (Ht0 : f < t) by (apply succ_gt_id; lra).
    apply Rle_trans with t; [| apply Rle_trans with (1 := Htf); apply Rmult_le_compat_l; lra].
    rewrite <- (chance_below p t) by
      (try lra; apply generic_format_succ; auto with typeclass_instances).
    apply (chance_monotone p). intros u Hi H. apply passes_bool_spec in H.
    apply (Hk u Hi) in H. apply Rlt_bool_true. apply Rle_lt_trans with (2 := Ht0).
    apply Hmax; [now apply unit_is_float |]. apply Hu'; [exact Hi |].
    destruct k'; unfold passes in H; lra.
Qed.

(** What the two roundings of the noise do to a threshold. *)
Definition level (k : kind) (D : R) : R := step p (after k D) (step p k D / l).

Lemma divided_positive D : 0 < D -> 0 < D / l.
Proof. intros H. now apply Rdiv_lt_0_compat. Qed.

Lemma level_is_level k D : 0 < D -> is_level k D (level k D).
Proof.
  intros HD. exists (after (after k D) (step p k D / l)). intros u _.
  pose proof (divided_positive _ (step_positive p k D HD)) as Hs.
  unfold noise. rewrite <- (fl_odd p), (rounded_passes k D _ HD), scaled_passes.
  now apply rounded_passes.
Qed.

(** [levels X H2]: at distances up to [X] the threshold is the half-way point divided by [l], up to
    [H2], which the rounding of the logarithm adds; and it is close to [D / l]. *)
Definition levels (X H2 : R) : Prop :=
  forall k D, 0 < D <= X ->
  exists y, 0 < y /\ is_level k D y /\ Rabs (y - step p k D / l) <= H2 /\
            Rabs (y - D / l) <= eta p * (2 + eta p) * (D / l).

Lemma step_divided k D : 0 < D -> Rabs (step p k D / l - D / l) <= eta p * (D / l).
Proof.
  intros HD. assert (Hil : 0 < / l) by now apply Rinv_0_lt_compat.
  pose proof (step_close p k D HD) as Hs. pose proof (half_gap_relative p k D HD) as Hh.
  replace (step p k D / l - D / l) with ((step p k D - D) * / l) by (unfold Rdiv; ring).
  rewrite Rabs_mult, (Rabs_right (/ l)) by lra. unfold Rdiv. rewrite <- Rmult_assoc.
  apply Rmult_le_compat_r; lra.
Qed.

Theorem levels_general X :
  0 < X -> levels X (half_gap p Above ((X + half_gap p Above X) / l)).
Proof.
  intros HX k D HD. exists (level k D).
  pose proof (divided_positive _ (step_positive p k D ltac:(lra))) as Hs.
  split; [now apply step_positive | split; [now apply level_is_level |]].
  pose proof (step_close p (after k D) _ Hs) as Hc2. fold (level k D) in Hc2. split.
  - apply Rle_trans with (1 := Hc2). apply half_gap_largest. split; [exact Hs |].
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat |].
    pose proof (step_close p k D ltac:(lra)) as Hc. apply Rabs_le_inv in Hc.
    pose proof (half_gap_largest p k D X HD). lra.
  - pose proof (half_gap_relative p (after k D) _ Hs) as Hh.
    pose proof (step_divided k D ltac:(lra)) as Hd. pose proof (eta_positive p) as He.
    apply Rabs_le_inv in Hc2. apply Rabs_le_inv in Hd. set (b := step p k D / l) in *.
    assert (eta p * b <= eta p * (D / l + eta p * (D / l))) by (apply Rmult_le_compat_l; lra).
    apply Rabs_le. lra.
Qed.

(** A scale that is a power of two commutes with rounding: there is only one rounding then. *)
Lemma fl_scaled e z : fl p (bpow radix2 e * z) = bpow radix2 e * fl p z.
Proof.
  destruct (Req_dec z 0) as [-> | Hz].
  { rewrite Rmult_0_r. unfold fl. rewrite round_0 by auto with typeclass_instances. ring. }
  rewrite (Rmult_comm _ z). unfold fl, round, scaled_mantissa, cexp, FLX_exp, F2R, Fnum, Fexp.
  rewrite mag_mult_bpow by exact Hz. set (m := mag radix2 z : Z).
  replace (z * bpow radix2 e * bpow radix2 (- (m + e - p))) with (z * bpow radix2 (- (m - p))).
  - replace (m + e - p)%Z with (m - p + e)%Z by ring. rewrite bpow_plus. ring.
  - rewrite Rmult_assoc, <- bpow_plus. do 2 f_equal. ring.
Qed.

Theorem levels_power_of_two e X : l = bpow radix2 e -> levels X 0.
Proof.
  intros Hl k D HD. exists (step p k D / l).
  pose proof (divided_positive _ (step_positive p k D ltac:(lra))) as Hs.
  split; [exact Hs | split].
  - exists (after k D). intros u _. unfold noise. rewrite <- (fl_odd p).
    replace (fl p (l * fl p (- ln u))) with (fl p (l * - ln u)).
    + now rewrite (rounded_passes k D _ ltac:(lra)), scaled_passes.
    + rewrite Hl, !fl_scaled. f_equal. symmetry. apply round_generic; auto with typeclass_instances.
      apply generic_format_round; auto with typeclass_instances.
  - split; [unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; apply Rle_refl |].
    apply Rle_trans with (1 := step_divided k D ltac:(lra)). pose proof (eta_positive p) as He.
    apply Rmult_le_compat_r; [left; apply divided_positive; lra |].
    assert (0 < eta p * eta p) by now apply Rmult_lt_0_compat. lra.
Qed.

(** ** The chance of a cell from an input below it *)

(** A cell may own its ends or not. *)
Definition lower_kind (S : R -> bool) (a : R) : kind := if S a then AtLeast else Above.
Definition upper_kind (S : R -> bool) (b : R) : kind := if S b then Above else AtLeast.

Lemma misses S (a : R) b x :
  is_cell S a b -> x < a -> chance p (fun u => S (x - noise p l u)) = 0.
Proof.
  intros [_ Hout] Hx. apply (chance_empty p). intros u Hu. apply Hout. left. simpl.
  pose proof (unit_noise_positive p l l_positive u Hu). lra.
Qed.

Local Ltac settle :=
  simpl;
  repeat first [ rewrite Rle_bool_true by lra | rewrite Rle_bool_false by lra
               | rewrite Rlt_bool_true by lra | rewrite Rlt_bool_false by lra ];
  reflexivity.

Lemma cell_as_tails S (a b : R) x :
  is_cell S a b -> x < a -> a < b ->
  float_chance p l x S
  = (tail p l (lower_kind S a) (a - x) - tail p l (upper_kind S b) (b - x)) / 2.
Proof.
  intros HS Hx Hab. unfold float_chance. rewrite (misses S a b x HS Hx), Rplus_0_r.
  destruct HS as [Hin Hout]. simpl in Hin, Hout. unfold tail. rewrite <- (chance_minus p).
  - f_equal. apply chance_ext. intros u _. set (z := noise p l u).
    unfold lower_kind, upper_kind.
    destruct (Rtotal_order (x + z) a) as [H | [H | H]].
    + rewrite Hout by auto. destruct (S a); settle.
    + rewrite H. destruct (S a), (S b); settle.
    + destruct (Rtotal_order (x + z) b) as [H' | [H' | H']].
      * rewrite Hin by auto. destruct (S a), (S b); settle.
      * rewrite H'. destruct (S a), (S b); settle.
      * rewrite Hout by auto. destruct (S a), (S b); settle.
  - intros u _. rewrite !passes_bool_spec. unfold lower_kind, upper_kind.
    destruct (S a), (S b); unfold passes; lra.
Qed.

Lemma ray_as_tail S (a : R) x :
  is_cell S a p_infty -> x < a ->
  float_chance p l x S = tail p l (lower_kind S a) (a - x) / 2.
Proof.
  intros HS Hx. unfold float_chance. rewrite (misses S a p_infty x HS Hx), Rplus_0_r.
  destruct HS as [Hin Hout]. simpl in Hin, Hout. unfold tail. f_equal. apply chance_ext.
  intros u _. set (z := noise p l u). unfold lower_kind.
  destruct (Rtotal_order (x + z) a) as [H | [H | H]].
  - rewrite Hout by auto. destruct (S a); settle.
  - rewrite H. destruct (S a); settle.
  - rewrite Hin by auto. destruct (S a); settle.
Qed.

Lemma chance_positive E : 0 <= chance p E.
Proof.
  rewrite <- (chance_empty p (fun _ => false)) by easy. now apply (chance_monotone p).
Qed.

Lemma float_chance_positive x S : 0 <= float_chance p l x S.
Proof.
  unfold float_chance. pose proof (chance_positive (fun u => S (x + noise p l u))).
  pose proof (chance_positive (fun u => S (x - noise p l u))). lra.
Qed.

End Levels.
