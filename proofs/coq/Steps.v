(** * Steps: how a rounded threshold moves with the input

    A rounded number reaches [D] when the number itself passes a certain point, the half-way point
    between two floats. As a function of [D] that point is a step function. Two inputs read the same
    step function at two places, and the shift lemma below says how much less that costs than two
    errors that know nothing of each other. *)

From Coq Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core.
From Lastbit Require Import Laplace IdealSnapping Rounding.
Local Open Scope R_scope.

(** A threshold may ask for [D <= z] or for [D < z]. Each end of a cell has its own kind, because a
    cell may own one of its ends and not the other; an end has the same kind for all inputs. *)
Inductive kind := AtLeast | Above.

Definition passes (k : kind) (D z : R) : Prop :=
  match k with
  | AtLeast => D <= z
  | Above => D < z
  end.

(** [within k a D b]: [D] lies between [a] and [b], in the half-open interval that suits [k]. *)
Definition within (k : kind) (a D b : R) : Prop :=
  match k with
  | AtLeast => a < D <= b
  | Above => a <= D < b
  end.

(** The exponent of the binade of [D]; a power of two belongs to the binade below it or above it. *)
Definition exponent (k : kind) (D : R) : Z :=
  let e := (mag radix2 D - 1)%Z in
  match k with
  | AtLeast => if Req_bool D (bpow radix2 e) then (e - 1)%Z else e
  | Above => e
  end.

(** The remainder of [t] modulo [g]. *)
Definition remainder (t g : R) : R := t - g * IZR (Zfloor (t / g)).

Lemma remainder_range t g : 0 < g -> 0 <= remainder t g < g.
Proof.
  intros Hg. unfold remainder. pose proof (Zfloor_lb (t / g)) as H1.
  pose proof (Zfloor_ub (t / g)) as H2.
  apply Rmult_le_compat_l with (r := g) in H1; [| lra].
  apply Rmult_lt_compat_l with (r := g) in H2; [| lra].
  replace (g * (t / g)) with t in * by (field; lra). lra.
Qed.

(** The remainders of [t] and [- t] add up to 0 or to [g]. *)
Lemma remainder_opp t g : 0 < g -> remainder (- t) g <= g - remainder t g.
Proof.
  intros Hg. unfold remainder.
  assert (H : (- (Zfloor (t / g) + 1) <= Zfloor (- t / g))%Z).
  { apply Zfloor_lub. rewrite opp_IZR, plus_IZR. pose proof (Zfloor_ub (t / g)).
    replace (- t / g) with (- (t / g)) by (field; lra). lra. }
  apply IZR_le in H. rewrite opp_IZR, plus_IZR in H.
  apply Rmult_le_compat_l with (r := g) in H; lra.
Qed.

(** The remainder modulo a multiple [m g] of [g]. *)
Lemma remainder_multiple t g m :
  0 < g -> (0 < m)%Z -> remainder t (IZR m * g) <= remainder t g + IZR m * g - g.
Proof.
  intros Hg Hm. apply IZR_lt in Hm as HmR. unfold remainder.
  assert (H : (Zfloor (t / g) < m * (Zfloor (t / (IZR m * g)) + 1))%Z).
  { apply lt_IZR. apply Rle_lt_trans with (1 := Zfloor_lb _). rewrite mult_IZR, plus_IZR.
    replace (t / g) with (IZR m * (t / (IZR m * g))) by (field; lra).
    apply Rmult_lt_compat_l; [exact HmR |]. apply Zfloor_ub. }
  assert (H' : (Zfloor (t / g) + 1 <= m * (Zfloor (t / (IZR m * g)) + 1))%Z) by lia.
  apply IZR_le in H'. rewrite mult_IZR, !plus_IZR in H'.
  apply Rmult_le_compat_l with (r := g) in H'; lra.
Qed.

Lemma remainder_zero n g : 0 < g -> remainder (IZR n * g) g = 0.
Proof.
  intros Hg. unfold remainder. replace (IZR n * g / g) with (IZR n) by (field; lra).
  rewrite Zfloor_IZR. ring.
Qed.

Section Steps.

Variable p : Z.
Context {p_positive : Prec_gt_0 p}.

(** Half the gap between floats at [D], the number of gaps below [D], and the half-way point. *)
Definition half_gap (k : kind) (D : R) : R := bpow radix2 (exponent k D - p).

Definition place (k : kind) (D : R) : Z :=
  let d := D / (2 * half_gap k D) in
  match k with
  | AtLeast => (Zceil d - 1)%Z
  | Above => Zfloor d
  end.

Definition step (k : kind) (D : R) : R := IZR (2 * place k D + 1) * half_gap k D.

Lemma half_gap_positive k D : 0 < half_gap k D.
Proof. apply bpow_gt_0. Qed.

Lemma exponent_binade k D :
  0 < D -> within k (bpow radix2 (exponent k D)) D (bpow radix2 (exponent k D + 1)).
Proof.
  intros HD. unfold exponent. destruct (mag radix2 D) as [m Hm]. simpl.
  specialize (Hm ltac:(lra)). rewrite Rabs_right in Hm by lra.
  destruct k; simpl.
  - case Req_bool_spec; intros H.
    + replace (m - 1 - 1 + 1)%Z with (m - 1)%Z by ring. split; [| now right].
      rewrite H. apply bpow_lt. lia.
    + replace (m - 1 + 1)%Z with m by ring. lra.
  - replace (m - 1 + 1)%Z with m by ring. exact Hm.
Qed.

(** The binade moves up with [D], whatever the kinds. *)
Lemma exponent_monotone k D k' D' : 0 < D -> D < D' -> (exponent k D <= exponent k' D')%Z.
Proof.
  intros HD HD'. pose proof (exponent_binade k D HD) as H.
  pose proof (exponent_binade k' D' ltac:(lra)) as H'.
  assert (exponent k D < exponent k' D' + 1)%Z; [| lia].
  apply (lt_bpow radix2). destruct k, k'; unfold within in H, H'; lra.
Qed.

Lemma half_gap_monotone k D k' D' : 0 < D -> D < D' -> half_gap k D <= half_gap k' D'.
Proof.
  intros HD HD'. apply bpow_le. pose proof (exponent_monotone k D k' D' HD HD'). lia.
Qed.

(** The largest half gap is that at the largest number. *)
Lemma exponent_largest k D X : 0 < D <= X -> (exponent k D <= exponent Above X)%Z.
Proof.
  intros [HD [HX | ->]]; [now apply exponent_monotone |].
  unfold exponent. destruct k; [destruct Req_bool |]; lia.
Qed.

Lemma half_gap_largest k D X : 0 < D <= X -> half_gap k D <= half_gap Above X.
Proof. intros HD. apply bpow_le. pose proof (exponent_largest k D X HD). lia. Qed.

(** A half gap is a small part of the number. *)
Lemma half_gap_relative k D : 0 < D -> half_gap k D <= eta p * D.
Proof.
  intros HD. pose proof (exponent_binade k D HD) as H. unfold half_gap, eta, Zminus.
  rewrite bpow_plus, Rmult_comm. apply Rmult_le_compat_l; [apply bpow_ge_0 |].
  destruct k; unfold within in H; lra.
Qed.

Lemma place_spec k D :
  0 < D -> within k (2 * IZR (place k D) * half_gap k D) D
                    (2 * (IZR (place k D) + 1) * half_gap k D).
Proof.
  intros HD. pose proof (half_gap_positive k D) as Hh. unfold place.
  set (h := half_gap k D) in *. set (d := D / (2 * h)).
  assert (Hd : D = d * (2 * h)) by (unfold d; field; lra).
  destruct k; simpl.
  - pose proof (Zceil_ub d) as H1. pose proof (Zceil_lb d) as H2. rewrite minus_IZR.
    rewrite Hd. split.
    + replace (2 * (IZR (Zceil d) - 1) * h) with ((IZR (Zceil d) - 1) * (2 * h)) by ring.
      apply Rmult_lt_compat_r; lra.
    + replace (2 * (IZR (Zceil d) - 1 + 1) * h) with (IZR (Zceil d) * (2 * h)) by ring.
      apply Rmult_le_compat_r; lra.
  - pose proof (Zfloor_lb d) as H1. pose proof (Zfloor_ub d) as H2. rewrite Hd. split.
    + replace (2 * IZR (Zfloor d) * h) with (IZR (Zfloor d) * (2 * h)) by ring.
      apply Rmult_le_compat_r; lra.
    + replace (2 * (IZR (Zfloor d) + 1) * h) with ((IZR (Zfloor d) + 1) * (2 * h)) by ring.
      apply Rmult_lt_compat_r; lra.
Qed.

(** The half-way point is an odd multiple of half the gap, and lies that close to [D]. *)
Lemma step_close k D : 0 < D -> Rabs (step k D - D) <= half_gap k D.
Proof.
  intros HD. pose proof (place_spec k D HD) as H. unfold step.
  rewrite plus_IZR, mult_IZR. apply Rabs_le. destruct k; unfold within in H; lra.
Qed.

(** ** The steps are those of rounding *)

(** The places of a binade are the [p]-bit mantissas. *)
Lemma place_range k D : 0 < D -> (2 ^ (p - 1) <= place k D < 2 ^ p)%Z.
Proof.
  intros HD. unfold Prec_gt_0 in p_positive. pose proof (place_spec k D HD) as Hp.
  pose proof (exponent_binade k D HD) as He. pose proof (half_gap_positive k D) as Hh.
  assert (H1 : bpow radix2 (exponent k D) = 2 * IZR (2 ^ (p - 1)) * half_gap k D).
  { change (IZR (2 ^ (p - 1))) with (IZR (Zpower radix2 (p - 1))). rewrite IZR_Zpower by lia.
    change 2 with (bpow radix2 1). unfold half_gap. rewrite <- !bpow_plus. f_equal. ring. }
  assert (H2 : bpow radix2 (exponent k D + 1) = 2 * IZR (2 ^ p) * half_gap k D).
  { change (IZR (2 ^ p)) with (IZR (Zpower radix2 p)). rewrite IZR_Zpower by lia.
    change 2 with (bpow radix2 1). unfold half_gap. rewrite <- !bpow_plus. f_equal. ring. }
  rewrite H1, H2 in He. set (h := half_gap k D) in *.
  assert (Hcancel : forall a b : Z, 2 * IZR a * h < 2 * (IZR b + 1) * h -> (a <= b)%Z).
  { intros a b H. apply Z.lt_succ_r. apply lt_IZR. rewrite succ_IZR.
    apply Rmult_lt_reg_r with (2 * h); lra. }
  split.
  - apply Hcancel. destruct k; unfold within in Hp, He; lra.
  - assert (Hb : (place k D <= 2 ^ p - 1)%Z); [| lia].
    apply Hcancel. rewrite minus_IZR. destruct k; unfold within in Hp, He; lra.
Qed.

(** The two floats around the half-way point. *)
Lemma step_floats k D :
  0 < D ->
  is_float p (2 * IZR (place k D) * half_gap k D) /\
  succ radix2 (FLX_exp p) (2 * IZR (place k D) * half_gap k D)
  = 2 * (IZR (place k D) + 1) * half_gap k D.
Proof.
  intros HD. unfold Prec_gt_0 in p_positive. destruct (place_range k D HD) as [H1 H2].
  assert (H0 : (0 <= 2 ^ (p - 1))%Z) by (apply Z.pow_nonneg; lia).
  assert (Hp : (0 < place k D)%Z).
  { apply Z.lt_le_trans with (2 := H1). apply Z.pow_pos_nonneg; lia. }
  set (n := place k D) in *. set (e := (exponent k D - p + 1)%Z).
  assert (Hg : 2 * half_gap k D = bpow radix2 e).
  { change 2 with (bpow radix2 1). unfold half_gap, e. rewrite <- bpow_plus. f_equal. ring. }
  replace (2 * IZR n * half_gap k D) with (IZR n * bpow radix2 e) by (rewrite <- Hg; ring).
  replace (2 * (IZR n + 1) * half_gap k D) with (IZR n * bpow radix2 e + bpow radix2 e)
    by (rewrite <- Hg; ring).
  pose proof (bpow_gt_0 radix2 e) as Hb. apply IZR_lt in Hp as HpR.
  assert (Hpos : 0 < IZR n * bpow radix2 e) by now apply Rmult_lt_0_compat.
  split.
  - apply generic_format_FLX. exists (Float radix2 n e); [reflexivity |]. simpl.
    rewrite Z.abs_eq by lia. exact H2.
  - rewrite succ_eq_pos by lra. f_equal. rewrite ulp_neq_0 by lra. f_equal. unfold cexp, FLX_exp.
    rewrite (mag_unique_pos radix2 _ (p + e)); [ring |]. split.
    + replace (p + e - 1)%Z with (p - 1 + e)%Z by ring. rewrite bpow_plus, <- IZR_Zpower by lia.
      apply Rmult_le_compat_r; [lra |]. now apply IZR_le.
    + rewrite bpow_plus, <- (IZR_Zpower radix2 p) by lia.
      apply Rmult_lt_compat_r; [lra |]. now apply IZR_lt.
Qed.

(** What lies above the half-way point is rounded to a number that passes [D]; what lies below it is
    not. So the half-way point is the infimum of the numbers that are rounded to one that passes. *)
Theorem step_above k D z : 0 < D -> step k D < z -> passes k D (fl p z).
Proof.
  intros HD Hz. pose proof (place_spec k D HD) as Hp. destruct (step_floats k D HD) as [Hf Hs].
  set (x := 2 * IZR (place k D) * half_gap k D) in *.
  assert (H : 2 * (IZR (place k D) + 1) * half_gap k D <= fl p z).
  { rewrite <- Hs. apply round_N_ge_midp; auto with typeclass_instances.
    - apply generic_format_succ; auto with typeclass_instances.
    - rewrite pred_succ by auto with typeclass_instances. rewrite Hs.
      apply Rle_lt_trans with (2 := Hz). right. unfold step, x. rewrite plus_IZR, mult_IZR. field. }
  destruct k; unfold passes, within in *; lra.
Qed.

Theorem step_below k D z : 0 < D -> z < step k D -> ~ passes k D (fl p z).
Proof.
  intros HD Hz. pose proof (place_spec k D HD) as Hp. destruct (step_floats k D HD) as [Hf Hs].
  set (x := 2 * IZR (place k D) * half_gap k D) in *.
  assert (H : fl p z <= x).
  { apply round_N_le_midp; auto with typeclass_instances. rewrite Hs.
    apply Rlt_le_trans with (1 := Hz). right. unfold step, x. rewrite plus_IZR, mult_IZR. field. }
  destruct k; unfold passes, within in *; lra.
Qed.

Lemma step_positive k D : 0 < D -> 0 < step k D.
Proof.
  intros HD. apply Rmult_lt_0_compat; [| apply half_gap_positive]. apply IZR_lt.
  unfold Prec_gt_0 in p_positive. destruct (place_range k D HD) as [H _].
  assert (0 <= 2 ^ (p - 1))%Z by (apply Z.pow_nonneg; lia). lia.
Qed.

(** The half-way point moves up with [D]. *)
Lemma step_monotone k D D' : 0 < D -> D <= D' -> step k D <= step k D'.
Proof.
  intros HD HD'. apply Rnot_lt_le. intros H. set (z := (step k D + step k D') / 2).
  apply (step_below k D z HD); [unfold z; lra |].
  assert (Hz : passes k D' (fl p z)) by (apply step_above; unfold z; lra).
  destruct k; unfold passes, within in *; lra.
Qed.

(** ** A shift *)

(** The gap at the larger number is a multiple of that at the smaller. *)
Lemma half_gap_multiple k D k' D' :
  (exponent k D <= exponent k' D')%Z ->
  exists m, (0 < m)%Z /\ half_gap k' D' = IZR m * half_gap k D.
Proof.
  intros H. exists (2 ^ (exponent k' D' - exponent k D))%Z. split.
  - apply Z.pow_pos_nonneg; lia.
  - change 2%Z with (radix_val radix2). rewrite IZR_Zpower by lia. unfold half_gap.
    rewrite <- bpow_plus. f_equal. ring.
Qed.

(** Formula (3): the half-way points of [D] and [D + t] are [t] apart, up to half the difference of
    the two gaps and a remainder. *)
Theorem shift_above k D t :
  0 < D -> 0 < t ->
  step k (D + t) - step k D - t
  <= half_gap k (D + t) - half_gap k D + remainder (- t) (2 * half_gap k D).
Proof.
  intros HD Ht.
  destruct (half_gap_multiple k D k (D + t)) as [m [Hm Hh']]; [apply exponent_monotone; lra |].
  pose proof (place_spec k D HD) as H. pose proof (place_spec k (D + t) ltac:(lra)) as H'.
  pose proof (half_gap_positive k D) as Hh. unfold step. rewrite Hh' in *.
  set (h := half_gap k D) in *. set (n := place k D) in *. set (n' := place k (D + t)) in *.
  unfold remainder. rewrite !plus_IZR, !mult_IZR.
  assert (Hi : (Zfloor (- t / (2 * h)) < n - n' * m + 1)%Z).
  { apply lt_IZR. apply Rle_lt_trans with (1 := Zfloor_lb _).
    rewrite plus_IZR, minus_IZR, mult_IZR. apply Rmult_lt_reg_r with (2 * h); [lra |].
    replace (- t / (2 * h) * (2 * h)) with (- t) by (field; lra).
    destruct k; unfold within in H, H'; lra. }
  assert (Hi' : (Zfloor (- t / (2 * h)) <= n - n' * m)%Z) by lia.
  apply IZR_le in Hi'. rewrite minus_IZR, mult_IZR in Hi'.
  apply Rmult_le_compat_r with (r := 2 * h) in Hi'; lra.
Qed.

Theorem shift_below k D t :
  0 < D -> 0 < t ->
  t - (step k (D + t) - step k D)
  <= half_gap k (D + t) - half_gap k D + remainder t (2 * half_gap k D).
Proof.
  intros HD Ht.
  destruct (half_gap_multiple k D k (D + t)) as [m [Hm Hh']]; [apply exponent_monotone; lra |].
  pose proof (place_spec k D HD) as H. pose proof (place_spec k (D + t) ltac:(lra)) as H'.
  pose proof (half_gap_positive k D) as Hh. unfold step. rewrite Hh' in *.
  set (h := half_gap k D) in *. set (n := place k D) in *. set (n' := place k (D + t)) in *.
  unfold remainder. rewrite !plus_IZR, !mult_IZR.
  assert (Hi : (Zfloor (t / (2 * h)) < (n' + 1) * m - n)%Z).
  { apply lt_IZR. apply Rle_lt_trans with (1 := Zfloor_lb _).
    rewrite minus_IZR, mult_IZR, plus_IZR. apply Rmult_lt_reg_r with (2 * h); [lra |].
    replace (t / (2 * h) * (2 * h)) with t by (field; lra).
    destruct k; unfold within in H, H'; lra. }
  assert (Hi' : (Zfloor (t / (2 * h)) <= (n' + 1) * m - n - 1)%Z) by lia.
  apply IZR_le in Hi'. rewrite !minus_IZR, mult_IZR, plus_IZR in Hi'.
  apply Rmult_le_compat_r with (r := 2 * h) in Hi'; lra.
Qed.

Lemma half_gap_lower k D k' D' :
  (exponent k D < exponent k' D')%Z -> 2 * half_gap k D <= half_gap k' D'.
Proof.
  intros H. change 2 with (bpow radix2 1). unfold half_gap. rewrite <- bpow_plus.
  apply bpow_le. lia.
Qed.

(** The shift lemma. The ends of a cell are at the distances [D1 < D2] from one input, and at
    [D1 + t] and [D2 + t] from the other; [v] and [v - 1] are the weights with which the two ends
    count in the loss. To bound the four errors one by one would cost [4 v - 2] half gaps, and this
    costs [2 v]. *)
Theorem shift_lemma k1 D1 k2 D2 t v :
  0 < D1 -> D1 < D2 -> 0 < t -> 1 <= v <= 2 ->
  v * (step k1 (D1 + t) - step k1 D1) - (v - 1) * (step k2 (D2 + t) - step k2 D2)
  <= t + 2 * v * half_gap k2 (D2 + t).
Proof.
  intros HD1 HD Ht Hv.
  pose proof (shift_above k1 D1 t HD1 Ht) as HE.
  pose proof (shift_below k2 D2 t ltac:(lra) Ht) as HF.
  pose proof (half_gap_positive k1 D1) as Hp1. pose proof (half_gap_positive k2 D2) as Hp2.
  pose proof (half_gap_monotone k1 D1 k2 D2 HD1 HD) as H12.
  pose proof (half_gap_monotone k1 D1 k1 (D1 + t) HD1 ltac:(lra)) as H11.
  pose proof (half_gap_monotone k2 D2 k2 (D2 + t) ltac:(lra) ltac:(lra)) as H22.
  pose proof (exponent_monotone k1 (D1 + t) k2 (D2 + t) ltac:(lra) ltac:(lra)) as He'.
  pose proof (remainder_opp t (2 * half_gap k1 D1) ltac:(lra)) as Hm.
  pose proof (remainder_range t (2 * half_gap k1 D1) ltac:(lra)) as Hr1.
  pose proof (remainder_range t (2 * half_gap k2 D2) ltac:(lra)) as Hr2.
  destruct (half_gap_multiple k1 D1 k2 D2) as [m [Hm0 Hm1]]; [now apply exponent_monotone |].
  pose proof (remainder_multiple t (2 * half_gap k1 D1) m ltac:(lra) Hm0) as Hm2.
  replace (IZR m * (2 * half_gap k1 D1)) with (2 * half_gap k2 D2) in Hm2 by (rewrite Hm1; ring).
  clear Hm0 Hm1.
  destruct (Z.le_gt_cases (exponent k2 (D2 + t)) (exponent k1 (D1 + t))) as [Hs | Hs].
  - assert (Hh : half_gap k1 (D1 + t) = half_gap k2 (D2 + t)).
    { unfold half_gap. do 2 f_equal. lia. }
    rewrite Hh in *.
    destruct (Z.le_gt_cases (exponent k1 (D1 + t)) (exponent k1 D1)) as [Hk | Hk].
    + assert (Hh1 : half_gap k1 (D1 + t) <= half_gap k1 D1) by (apply bpow_le; lia).
      rewrite Hh in Hh1. nra.
    + apply half_gap_lower in Hk. rewrite Hh in Hk. nra.
  - apply half_gap_lower in Hs. nra.
Qed.

(** ** Inputs on a grid *)

(** When the shift is a multiple of the gap at [D], the half-way points move by it, up to half the
    difference of the gaps: by it exactly within a binade. *)
Theorem shift_on_grid k D t n :
  0 < D -> 0 < t -> t = IZR n * (2 * half_gap k D) ->
  Rabs (step k (D + t) - step k D - t) <= half_gap k (D + t) - half_gap k D.
Proof.
  intros HD Ht Hn. pose proof (half_gap_positive k D) as Hp.
  pose proof (shift_above k D t HD Ht) as H1. pose proof (shift_below k D t HD Ht) as H2.
  assert (Hr : remainder t (2 * half_gap k D) = 0) by (rewrite Hn; apply remainder_zero; lra).
  assert (Hr' : remainder (- t) (2 * half_gap k D) = 0).
  { rewrite Hn, Ropp_mult_distr_l, <- opp_IZR. apply remainder_zero. lra. }
  apply Rabs_le. lra.
Qed.

(** A multiple of a larger gap is a multiple of this one. *)
Lemma grid_refines k D k' D' t n :
  (exponent k D <= exponent k' D')%Z -> t = IZR n * (2 * half_gap k' D') ->
  exists n', t = IZR n' * (2 * half_gap k D).
Proof.
  intros He Hn. destruct (half_gap_multiple k D k' D' He) as [m [_ Hm]].
  exists (n * m)%Z. rewrite Hn, Hm, mult_IZR. ring.
Qed.

(** With [H] the half gap at the largest distance [X] and a shift that is a multiple of [2 H], the
    half-way points move by the shift up to [H]. *)
Theorem shift_on_grid_within k D t n X :
  0 < D -> 0 < t -> D + t <= X -> t = IZR n * (2 * half_gap Above X) ->
  Rabs (step k (D + t) - step k D - t) <= half_gap Above X.
Proof.
  intros HD Ht HX Hn. pose proof (half_gap_positive k D) as Hp.
  pose proof (half_gap_largest k (D + t) X ltac:(lra)) as Hh.
  destruct (grid_refines k D Above X t n) as [n' Hn']; [apply exponent_largest; lra | exact Hn |].
  apply Rle_trans with (1 := shift_on_grid k D t n' HD Ht Hn'). lra.
Qed.

(** If the shift is at most half of the power of two below [X], they do so up to [H / 2]. *)
Theorem shift_on_grid_small k D t n X :
  0 < D -> 0 < t -> D + t <= X ->
  t = IZR n * (2 * half_gap Above X) -> 2 * t <= bpow radix2 (exponent Above X) ->
  Rabs (step k (D + t) - step k D - t) <= half_gap Above X / 2.
Proof.
  intros HD Ht HX Hn Hs.
  assert (He : (exponent k (D + t) <= exponent Above X)%Z) by (apply exponent_largest; lra).
  assert (He' : (exponent k D <= exponent k (D + t))%Z) by (apply exponent_monotone; lra).
  destruct (grid_refines k D Above X t n) as [n' Hn']; [lia | exact Hn |].
  pose proof (shift_on_grid k D t n' HD Ht Hn') as H. apply Rle_trans with (1 := H).
  pose proof (half_gap_positive k D) as Hp.
  destruct (Z.le_gt_cases (exponent Above X) (exponent k (D + t))) as [Hk | Hk].
  - assert (Hh : half_gap k (D + t) = half_gap Above X) by (unfold half_gap; do 2 f_equal; lia).
    assert (Hk' : (exponent Above X - 1 < exponent k D + 1)%Z).
    { apply (lt_bpow radix2). pose proof (exponent_binade k D HD) as H1.
      pose proof (exponent_binade k (D + t) ltac:(lra)) as H2.
      replace (exponent k (D + t)) with (exponent Above X) in H2 by lia.
      unfold Zminus. rewrite bpow_plus. change (bpow radix2 (- (1))) with (/ 2).
      destruct k; unfold within in H1, H2; lra. }
    assert (Hq : half_gap Above X <= 2 * half_gap k D).
    { change 2 with (bpow radix2 1). unfold half_gap. rewrite <- bpow_plus. apply bpow_le. lia. }
    lra.
  - apply half_gap_lower in Hk. lra.
Qed.

End Steps.
