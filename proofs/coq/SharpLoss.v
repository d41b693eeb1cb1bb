(** * The sharper loss bound

    The loss at an output whose cell lies on one side of both inputs, for the parameters at hand:
    with the floats' actual spacing at the largest distance, and with the shift lemma in place of
    four errors that know nothing of each other. *)

From Coq Require Import Reals Lra Lia ZArith Bool.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Import Laplace IdealSnapping Rounding UnitFloat Thresholds Exponential OneCell.
From Lastbit Require Import Steps.
Local Open Scope R_scope.

(** ** Thresholds, again *)

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

Section SharpLoss.

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

Lemma half_gap_largest k D X : 0 < D <= X -> half_gap p k D <= half_gap p Above X.
Proof.
  intros [HD [HX | ->]]; [now apply half_gap_monotone |]. apply bpow_le.
  unfold exponent. destruct k; [destruct Req_bool |]; lia.
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
    pose proof (half_gap_largest k D X HD). lra.
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

(** ** A cell on one side of both inputs *)

(** [X] is the largest distance between an input and an end of a cell, [h] the half gap there, and
    [H2] what the rounding of the logarithm adds. *)
Variables X H2 : R.
Hypothesis all_levels : levels X H2.
Notation h := (half_gap p Above X).

Definition one_side_excess : R := 2 * v * h / l + 2 * (v + w) * H2 + 2 * eta p * v.

Lemma level_of k D :
  0 < D <= X -> exists y, tail_bounds y (tail p l k D) /\ Rabs (y - step p k D / l) <= H2.
Proof.
  intros HD. destruct (all_levels k D HD) as [y [Hy [Hl [HH _]]]]. exists y. split; [| exact HH].
  now apply level_tail.
Qed.

Lemma weighted k u c : 0 <= k -> Rabs u <= c -> - (k * c) <= k * u <= k * c.
Proof.
  intros Hk Hu. apply Rabs_le_inv in Hu. rewrite Ropp_mult_distr_r.
  split; apply Rmult_le_compat_l; lra.
Qed.

(** What the half-way points divided by [l] do, for [D1 < D2] and a shift [t]. *)
Lemma steps_divided k1 D1 k2 D2 t :
  0 < D1 -> D1 < D2 -> 0 < t -> D2 + t <= X ->
  let b k D := step p k D / l in
  v * (b k1 (D1 + t) - b k1 D1) - w * (b k2 (D2 + t) - b k2 D2) <= t / l + 2 * v * h / l /\
  0 <= b k1 (D1 + t) - b k1 D1 <= t / l + 2 * h / l /\
  b k2 (D2 + t) - b k2 D2 <= t / l + 2 * h / l /\
  (D2 - D1) / l - 2 * h / l <= b k2 D2 - b k1 D1 /\
  (D2 - D1) / l - 2 * h / l <= b k2 (D2 + t) - b k1 (D1 + t).
Proof.
  intros HD1 HD Ht HX b. pose proof near_weight_range as Hv.
  assert (Hil : 0 < / l) by now apply Rinv_0_lt_compat.
  assert (Hw : w = v - 1) by reflexivity.
  assert (Hc : forall k D, 0 < D <= X -> - h <= step p k D - D <= h).
  { intros k D HDX. pose proof (step_close p k D ltac:(lra)) as Hs. apply Rabs_le_inv in Hs.
    pose proof (half_gap_largest k D X HDX). lra. }
  pose proof (Hc k1 D1 ltac:(lra)) as C1. pose proof (Hc k2 D2 ltac:(lra)) as C2.
  pose proof (Hc k1 (D1 + t) ltac:(lra)) as C1'. pose proof (Hc k2 (D2 + t) ltac:(lra)) as C2'.
  pose proof (step_monotone p k1 D1 (D1 + t) HD1 ltac:(lra)) as Hm.
  pose proof (shift_lemma p k1 D1 k2 D2 t v HD1 HD Ht Hv) as Hs.
  assert (HH : 2 * v * half_gap p k2 (D2 + t) <= 2 * v * h).
  { apply Rmult_le_compat_l; [lra |]. apply half_gap_largest. lra. }
  assert (Hdiv : forall x y, x <= y -> x * / l <= y * / l).
  { intros x y Hxy. apply Rmult_le_compat_r; lra. }
  rewrite Hw. unfold b, Rdiv. repeat split.
  - apply Rle_trans with ((v * (step p k1 (D1 + t) - step p k1 D1)
                           - (v - 1) * (step p k2 (D2 + t) - step p k2 D2)) * / l); [lra |].
    rewrite <- Rmult_plus_distr_r. apply Hdiv. lra.
  - rewrite <- Rmult_minus_distr_r. apply Rmult_le_pos; lra.
  - rewrite <- Rmult_minus_distr_r, <- Rmult_plus_distr_r. apply Hdiv. lra.
  - rewrite <- Rmult_minus_distr_r, <- Rmult_plus_distr_r. apply Hdiv. lra.
  - rewrite <- !Rmult_minus_distr_r. apply Hdiv. lra.
  - rewrite <- !Rmult_minus_distr_r. apply Hdiv. lra.
Qed.

(** The two directions: [D1 < D2] are the distances of the nearer input from the ends of the cell,
    and the other input is [t] farther away. *)
Lemma one_side_tails k1 D1 k2 D2 t :
  0 < D1 -> D1 < D2 -> 0 < t -> D2 + t <= X -> g <= (D2 - D1) / l - 2 * (h / l + H2) ->
  let P := tail p l k1 D1 - tail p l k2 D2 in
  let P' := tail p l k1 (D1 + t) - tail p l k2 (D2 + t) in
  P * (1 - 2 * eta p * w) <= exp (t / l + one_side_excess) * P' /\
  P' * (1 - 2 * eta p * w) <= exp (t / l + one_side_excess) * P.
Proof.
  intros HD1 HD Ht HX Hg.
  assert (Hil : 0 < / l) by now apply Rinv_0_lt_compat.
  assert (HH : 0 < h / l) by (apply divided_positive, half_gap_positive).
  pose proof near_weight_range as Hv. assert (Hw : w = v - 1) by reflexivity.
  destruct (level_of k1 D1) as [y1 [T1 L1]]; [lra |].
  pose proof (Rle_trans _ _ _ (Rabs_pos _) L1) as HH2.
  destruct (level_of k2 D2) as [y2 [T2 L2]]; [lra |].
  destruct (level_of k1 (D1 + t)) as [y1' [T1' L1']]; [lra |].
  destruct (level_of k2 (D2 + t)) as [y2' [T2' L2']]; [lra |].
  destruct (steps_divided k1 D1 k2 D2 t HD1 HD Ht HX) as [S1 [S2 [S3 [S4 S5]]]].
  assert (Htl : 0 < t / l) by now apply divided_positive.
  set (M := t / l + 2 * v * h / l + 2 * (v + w) * H2).
  replace (t / l + one_side_excess) with (M + 2 * eta p * v) by (unfold M, one_side_excess; ring).
  assert (Hw0 : 0 <= w <= 1) by lra. assert (Hv0 : 0 <= v) by lra.
  pose proof (weighted v _ _ Hv0 L1) as V1. pose proof (weighted v _ _ Hv0 L1') as V1'.
  pose proof (weighted w _ _ (proj1 Hw0) L2) as W2.
  pose proof (weighted w _ _ (proj1 Hw0) L2') as W2'.
  apply Rabs_le_inv in L1. apply Rabs_le_inv in L2.
  apply Rabs_le_inv in L1'. apply Rabs_le_inv in L2'.
  set (b1 := step p k1 D1 / l) in *. set (b1' := step p k1 (D1 + t) / l) in *.
  set (b2 := step p k2 D2 / l) in *. set (b2' := step p k2 (D2 + t) / l) in *.
  assert (HvH : 2 * h / l <= 2 * v * h / l).
  { replace (2 * v * h / l) with (v * (2 * h / l)) by (field; lra).
    replace (2 * h / l) with (1 * (2 * h / l)) at 1 by ring.
    apply Rmult_le_compat_r; [unfold Rdiv in *; lra | lra]. }
  assert (HvH2 : 2 * 1 * H2 <= 2 * (v + w) * H2) by (apply Rmult_le_compat_r; lra).
  split.
  - apply (four_thresholds y1 y2 y1' y2'); try assumption; unfold M, Rdiv in *; lra.
  - assert (Hb1 : 0 <= v * (b1' - b1)) by (apply Rmult_le_pos; lra).
    assert (Hb2 : w * (b2' - b2) <= t / l + 2 * h / l).
    { apply Rle_trans with (w * (t / l + 2 * h / l)); [apply Rmult_le_compat_l; lra |].
      rewrite <- (Rmult_1_l (t / l + 2 * h / l)) at 2. apply Rmult_le_compat_r; [| lra].
      unfold Rdiv in *. lra. }
    apply (four_thresholds y1' y2' y1 y2); try assumption; unfold M, Rdiv in *; lra.
Qed.

(** ** The same, for the chance of a cell *)

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

(** A cell above both inputs. *)
Lemma cell_above S (a b : R) x x' :
  is_cell S a b -> a < b -> x < a -> x' < a -> b - x <= X -> b - x' <= X ->
  g <= (b - a) / l - 2 * (h / l + H2) -> 0 <= H2 ->
  float_chance p l x S * (1 - 2 * eta p * w)
  <= exp (Rabs (x - x') / l + one_side_excess) * float_chance p l x' S.
Proof.
  intros HS Hab Hx Hx' HX HX' Hg HH2.
  assert (Hil : 0 < / l) by now apply Rinv_0_lt_compat.
  pose proof near_weight_range as Hv. assert (Hw : w = v - 1) by reflexivity.
  pose proof (eta_positive p) as He.
  destruct (Rtotal_order x x') as [H | [<- | H]].
  - rewrite !(cell_as_tails S a b _ HS) by assumption.
    destruct (one_side_tails (lower_kind S a) (a - x') (upper_kind S b) (b - x') (x' - x))
      as [_ Ht]; try lra.
    rewrite Rabs_left by lra. replace (- (x - x')) with (x' - x) by ring.
    replace (a - x' + (x' - x)) with (a - x) in Ht by ring.
    replace (b - x' + (x' - x)) with (b - x) in Ht by ring. lra.
  - replace (x - x) with 0 by ring. rewrite Rabs_R0. pose proof (float_chance_positive x S) as HP.
    rewrite Rmult_comm. apply Rmult_le_compat_r; [exact HP |].
    assert (0 <= 2 * eta p * w) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (exp 0); [rewrite exp_0; lra |]. apply exp_le_compat.
    assert (0 <= 2 * eta p * v) by (apply Rmult_le_pos; lra).
    assert (0 <= 2 * (v + w) * H2) by (apply Rmult_le_pos; lra).
    pose proof (half_gap_positive p Above X) as HH.
    assert (0 <= 2 * v * h / l) by (apply Rmult_le_pos; [apply Rmult_le_pos |]; lra).
    unfold one_side_excess, Rdiv. lra.
  - rewrite !(cell_as_tails S a b _ HS) by assumption.
    destruct (one_side_tails (lower_kind S a) (a - x) (upper_kind S b) (b - x) (x - x')) as [Ht _];
      try lra.
    rewrite Rabs_right by lra.
    replace (a - x + (x - x')) with (a - x') in Ht by ring.
    replace (b - x + (x - x')) with (b - x') in Ht by ring. lra.
Qed.

(** A ray that contains neither input. *)
Definition ray_excess : R := 2 * (h / l + H2) + 2 * eta p.

Lemma ray_above S (a : R) x x' :
  is_cell S a p_infty -> x < a -> x' < a -> a - x <= X -> a - x' <= X ->
  float_chance p l x S <= exp (Rabs (x - x') / l + ray_excess) * float_chance p l x' S.
Proof.
  intros HS Hx Hx' HX HX'. rewrite !(ray_as_tail S a _ HS) by assumption.
  assert (Hil : 0 < / l) by now apply Rinv_0_lt_compat.
  assert (Hc : forall k D, 0 < D <= X -> - (h / l) <= step p k D / l - D / l <= h / l).
  { intros k D HD. pose proof (step_close p k D ltac:(lra)) as Hs. apply Rabs_le_inv in Hs.
    pose proof (half_gap_largest k D X HD). unfold Rdiv.
    rewrite Ropp_mult_distr_l, <- Rmult_minus_distr_r. split; apply Rmult_le_compat_r; lra. }
  destruct (level_of (lower_kind S a) (a - x)) as [y [T L]]; [lra |].
  destruct (level_of (lower_kind S a) (a - x')) as [y' [T' L']]; [lra |].
  pose proof (Hc (lower_kind S a) (a - x) ltac:(lra)) as C.
  pose proof (Hc (lower_kind S a) (a - x') ltac:(lra)) as C'.
  apply Rabs_le_inv in L. apply Rabs_le_inv in L'.
  assert (Hd : (a - x') / l - (a - x) / l <= Rabs (x - x') / l).
  { unfold Rdiv. rewrite <- Rmult_minus_distr_r. apply Rmult_le_compat_r; [lra |].
    pose proof (Rle_abs (x - x')). lra. }
  pose proof (exp_ineq1_le (2 * eta p)) as He. pose proof (exp_pos (- y)) as Hy.
  assert (HT : tail p l (lower_kind S a) (a - x) <= exp (2 * eta p) * exp (- y)).
  { apply Rle_trans with (1 := proj2 T). apply Rmult_le_compat_r; lra. }
  assert (HE : exp (2 * eta p) * exp (- y) <= exp (Rabs (x - x') / l + ray_excess) * exp (- y')).
  { rewrite <- !exp_plus. apply exp_le_compat. unfold ray_excess. lra. }
  pose proof (exp_pos (Rabs (x - x') / l + ray_excess)) as Hp.
  pose proof (Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hp) (proj1 T')) as HT'. lra.
Qed.

(** The theorems: both sides, by mirror images. *)
Lemma is_cell_mirror_above S (a b : R) :
  is_cell S a b -> is_cell (fun w => S (- w)) (- b)%R (- a)%R.
Proof. intros HS. exact (is_cell_mirror S a b HS). Qed.

Theorem one_side_loss S (a b : R) x x' :
  is_cell S a b -> a < b -> (x < a /\ x' < a) \/ (b < x /\ b < x') ->
  Rabs (a - x) <= X -> Rabs (b - x) <= X -> Rabs (a - x') <= X -> Rabs (b - x') <= X ->
  g <= (b - a) / l - 2 * (h / l + H2) -> 0 <= H2 -> 2 * eta p * w < 1 ->
  float_chance p l x S
  <= exp (Rabs (x - x') / l + (one_side_excess - ln (1 - 2 * eta p * w))) * float_chance p l x' S.
Proof.
  intros HS Hab Hside X1 X2 X3 X4 Hg HH2 Hew.
  apply Rabs_le_inv in X1. apply Rabs_le_inv in X2.
  apply Rabs_le_inv in X3. apply Rabs_le_inv in X4.
  assert (Hmul : float_chance p l x S * (1 - 2 * eta p * w)
                 <= exp (Rabs (x - x') / l + one_side_excess) * float_chance p l x' S).
  { destruct Hside as [Hs | Hs].
    - apply (cell_above S a b); tauto || lra.
    - rewrite (float_chance_mirror p l x), (float_chance_mirror p l x').
      replace (Rabs (x - x')) with (Rabs (- x - - x'))
        by (rewrite <- (Rabs_Ropp (x - x')); f_equal; ring).
      apply (cell_above _ (- b) (- a)); try lra. now apply is_cell_mirror_above. }
  unfold Rminus at 2. rewrite <- Rplus_assoc, exp_plus, exp_Ropp, exp_ln by lra.
  apply Rmult_le_reg_r with (1 - 2 * eta p * w); [lra |].
  apply Rle_trans with (1 := Hmul). right. field. lra.
Qed.

Theorem ray_loss_above S (a : R) x x' :
  is_cell S a p_infty -> x < a -> x' < a -> a - x <= X -> a - x' <= X ->
  float_chance p l x S <= exp (Rabs (x - x') / l + ray_excess) * float_chance p l x' S.
Proof. apply ray_above. Qed.

Theorem ray_loss_below S (b : R) x x' :
  is_cell S m_infty b -> b < x -> b < x' -> x - b <= X -> x' - b <= X ->
  float_chance p l x S <= exp (Rabs (x - x') / l + ray_excess) * float_chance p l x' S.
Proof.
  intros HS Hx Hx' H1 H2'. rewrite (float_chance_mirror p l x), (float_chance_mirror p l x').
  replace (Rabs (x - x')) with (Rabs (- x - - x'))
    by (rewrite <- (Rabs_Ropp (x - x')); f_equal; ring).
  apply (ray_above _ (- b)); try lra. exact (is_cell_mirror S m_infty b HS).
Qed.

End SharpLoss.
