(** * The random float

    What the program draws: an exponent e = 1, 2, ... with probability 2^-e (here counted from 0)
    and [p - 1] fair bits of mantissa. The theorem is that the float lies below the float [t] with
    probability exactly [t]. *)

From Coq Require Import Reals Lra Lia ZArith Bool.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Import Rounding.
Local Open Scope R_scope.

(** How many mantissas there are. *)
Definition mantissas (p : Z) : nat := Z.to_nat (2 ^ (p - 1)).

(** The float with the exponent [- (e + 1)] and the mantissa bits [m], and its probability. *)
Definition unit_float (p : Z) (e m : nat) : R := (1 + INR m * bpow radix2 (1 - p)) * (/ 2) ^ S e.
Definition weight (p : Z) (e : nat) : R := bpow radix2 (1 - p) * (/ 2) ^ S e.

Fixpoint sum_below (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 0
  | S n => sum_below n f + f n
  end.

(** [chance p E] is the probability of the event [E]. *)
Definition binade_chance (p : Z) (E : R -> bool) (e : nat) : R :=
  sum_below (mantissas p) (fun m => if E (unit_float p e m) then weight p e else 0).
Definition chance (p : Z) (E : R -> bool) : R := Series (binade_chance p E).

Definition is_unit (p : Z) (u : R) : Prop :=
  exists e m, (m < mantissas p)%nat /\ u = unit_float p e m.

(** ** Finite sums *)

Lemma sum_below_ext n f g : (forall m, (m < n)%nat -> f m = g m) -> sum_below n f = sum_below n g.
Proof.
  induction n as [| n IH]; intros H; [reflexivity |]. simpl. rewrite IH, H; [reflexivity | lia |].
  intros m Hm. apply H. lia.
Qed.

Lemma sum_below_le n f g :
  (forall m, (m < n)%nat -> f m <= g m) -> sum_below n f <= sum_below n g.
Proof.
  induction n as [| n IH]; intros H; [apply Rle_refl |]. simpl.
  apply Rplus_le_compat; [apply IH; intros m Hm |]; apply H; lia.
Qed.

Lemma sum_below_const n c : sum_below n (fun _ => c) = INR n * c.
Proof. induction n as [| n IH]; [simpl; ring |]. rewrite S_INR. simpl. rewrite IH. ring. Qed.

Lemma sum_below_minus n f g : sum_below n (fun m => f m - g m) = sum_below n f - sum_below n g.
Proof. induction n as [| n IH]; simpl; [ring |]. rewrite IH. ring. Qed.

(** A sum over the first [k] places. *)
Lemma sum_below_initial n k c :
  (k <= n)%nat -> sum_below n (fun m => if (m <? k)%nat then c else 0) = INR k * c.
Proof.
  induction n as [| n IH]; intros Hk.
  - replace k with O by lia. simpl. ring.
  - simpl. destruct (Nat.ltb_spec n k) as [H | H].
    + replace k with (S n) by lia. rewrite S_INR.
      rewrite (sum_below_ext n _ (fun _ => c)).
      * rewrite sum_below_const. ring.
      * intros m Hm. destruct (Nat.ltb_spec m (S n)); [reflexivity | lia].
    + rewrite IH by lia. ring.
Qed.

(** ** The law *)

Section Law.

Variable p : Z.
Context {p_positive : Prec_gt_0 p}.

Lemma mantissas_IZR : INR (mantissas p) = bpow radix2 (p - 1).
Proof.
  unfold Prec_gt_0 in p_positive. unfold mantissas. rewrite INR_IZR_INZ, Z2Nat.id.
  - apply (IZR_Zpower radix2). lia.
  - apply Z.pow_nonneg. lia.
Qed.

Lemma mantissas_fill : INR (mantissas p) * bpow radix2 (1 - p) = 1.
Proof. rewrite mantissas_IZR, <- bpow_plus. now replace (p - 1 + (1 - p))%Z with 0%Z by ring. Qed.

Lemma half_power_positive n : 0 < (/ 2) ^ n.
Proof. apply pow_lt. lra. Qed.

Lemma weight_positive e : 0 < weight p e.
Proof. apply Rmult_lt_0_compat; [apply bpow_gt_0 | apply half_power_positive]. Qed.

Lemma binade_chance_range E e : 0 <= binade_chance p E e <= (/ 2) ^ S e.
Proof.
  pose proof (weight_positive e) as Hw. unfold binade_chance. split.
  - apply Rle_trans with (sum_below (mantissas p) (fun _ => 0)).
    { rewrite sum_below_const. lra. }
    apply sum_below_le. intros m _. destruct (E _); lra.
  - replace ((/ 2) ^ S e) with (INR (mantissas p) * weight p e).
    + rewrite <- sum_below_const. apply sum_below_le. intros m _. destruct (E _); lra.
    + unfold weight. rewrite <- Rmult_assoc, mantissas_fill. ring.
Qed.

Lemma binade_chance_full E e :
  (forall m, (m < mantissas p)%nat -> E (unit_float p e m) = true) ->
  binade_chance p E e = (/ 2) ^ S e.
Proof.
  intros H. unfold binade_chance. rewrite (sum_below_ext _ _ (fun _ => weight p e)).
  - rewrite sum_below_const. unfold weight. rewrite <- Rmult_assoc, mantissas_fill. ring.
  - intros m Hm. now rewrite H.
Qed.

Lemma binade_chance_empty E e :
  (forall m, (m < mantissas p)%nat -> E (unit_float p e m) = false) -> binade_chance p E e = 0.
Proof.
  intros H. unfold binade_chance. rewrite (sum_below_ext _ _ (fun _ => 0)).
  - rewrite sum_below_const. ring.
  - intros m Hm. now rewrite H.
Qed.

Lemma halves_series n : is_series (fun e => (/ 2) ^ (S n + e)) ((/ 2) ^ n).
Proof.
  replace ((/ 2) ^ n) with ((/ 2) ^ S n * / (1 - / 2)) by (simpl; field).
  apply is_series_ext with (fun e => scal ((/ 2) ^ S n) ((/ 2) ^ e)).
  - intros e. rewrite pow_add. reflexivity.
  - apply (is_series_scal (V := R_NormedModule)). apply is_series_geom. rewrite Rabs_right; lra.
Qed.

Lemma chance_converges E : ex_series (binade_chance p E).
Proof.
  apply (ex_series_le (V := R_CompleteNormedModule)) with (fun e => (/ 2) ^ S e).
  - intros e. pose proof (binade_chance_range E e) as H. unfold norm; simpl. unfold abs; simpl.
    rewrite Rabs_right; simpl in H; lra.
  - exists ((/ 2) ^ 0). exact (halves_series 0).
Qed.

(** A certain event has probability 1. *)
Lemma chance_full E : (forall u, is_unit p u -> E u = true) -> chance p E = 1.
Proof.
  intros H. apply is_series_unique. apply is_series_ext with (fun e => (/ 2) ^ (1 + e)).
  - intros e. symmetry. apply binade_chance_full. intros m Hm. apply H. now exists e, m.
  - exact (halves_series 0).
Qed.

Lemma chance_ext E E' : (forall u, is_unit p u -> E u = E' u) -> chance p E = chance p E'.
Proof.
  intros H. apply Series_ext. intros e. apply sum_below_ext. intros m Hm.
  rewrite H; [reflexivity |]. now exists e, m.
Qed.

Lemma chance_monotone E E' :
  (forall u, is_unit p u -> E u = true -> E' u = true) -> chance p E <= chance p E'.
Proof.
  intros H. apply Series_le; [| apply chance_converges]. intros e.
  split; [apply binade_chance_range |]. apply sum_below_le. intros m Hm.
  pose proof (weight_positive e). specialize (H (unit_float p e m)).
  destruct (E (unit_float p e m)); [rewrite H; [lra | now exists e, m | reflexivity] |].
  destruct (E' (unit_float p e m)); lra.
Qed.

(** The probability of a difference is the difference of probabilities. *)
Lemma chance_minus E E' :
  (forall u, is_unit p u -> E' u = true -> E u = true) ->
  chance p (fun u => E u && negb (E' u)) = chance p E - chance p E'.
Proof.
  intros H. unfold chance. rewrite <- Series_minus by apply chance_converges.
  apply Series_ext. intros e. unfold binade_chance. rewrite <- sum_below_minus.
  apply sum_below_ext. intros m Hm. specialize (H (unit_float p e m)).
  destruct (E' (unit_float p e m)).
  - rewrite H; [simpl; ring | now exists e, m | reflexivity].
  - destruct (E (unit_float p e m)); simpl; ring.
Qed.

(** An impossible event has probability 0. *)
Lemma chance_empty E : (forall u, is_unit p u -> E u = false) -> chance p E = 0.
Proof.
  intros H. rewrite (chance_ext E (fun u => E u && negb (E u))).
  - rewrite chance_minus by auto. ring.
  - intros u Hu. now rewrite H.
Qed.

(** ** Below a float *)

Lemma unit_binade e m : (m < mantissas p)%nat -> (/ 2) ^ S e <= unit_float p e m < (/ 2) ^ e.
Proof.
  intros Hm. unfold unit_float. pose proof (half_power_positive (S e)) as Hs.
  assert (H : 0 <= INR m * bpow radix2 (1 - p) < 1).
  { pose proof (bpow_gt_0 radix2 (1 - p)) as Hb. split.
    - apply Rmult_le_pos; [apply pos_INR | lra].
    - rewrite <- mantissas_fill. apply Rmult_lt_compat_r; [exact Hb |]. now apply lt_INR. }
  replace ((/ 2) ^ e) with (2 * (/ 2) ^ S e) by (simpl; field). split.
  - rewrite <- (Rmult_1_l ((/ 2) ^ S e)) at 1. apply Rmult_le_compat_r; lra.
  - apply Rmult_lt_compat_r; lra.
Qed.

Lemma half_power_le m n : (m <= n)%nat -> (/ 2) ^ n <= (/ 2) ^ m.
Proof.
  intros H. induction H as [| n H IH]; [apply Rle_refl |].
  simpl. pose proof (half_power_positive n). lra.
Qed.

(** Random floats lie strictly between 0 and 1, and they are floats. *)
Lemma unit_range u : is_unit p u -> 0 < u < 1.
Proof.
  intros [e [m [Hm ->]]]. pose proof (unit_binade e m Hm). pose proof (half_power_positive (S e)).
  pose proof (half_power_le 0 e ltac:(lia)). simpl pow in *. lra.
Qed.

Lemma half_power_bpow n : (/ 2) ^ n = bpow radix2 (- Z.of_nat n).
Proof.
  induction n as [| n IH]; [reflexivity |].
  replace (- Z.of_nat (S n))%Z with (- (1) + - Z.of_nat n)%Z by lia.
  rewrite bpow_plus, <- IH. reflexivity.
Qed.

Lemma unit_scaled e m :
  unit_float p e m = IZR (2 ^ (p - 1) + Z.of_nat m) * bpow radix2 (- Z.of_nat e - p).
Proof.
  unfold Prec_gt_0 in p_positive. unfold unit_float.
  rewrite plus_IZR, <- INR_IZR_INZ, half_power_bpow.
  change (IZR (2 ^ (p - 1))) with (IZR (Zpower radix2 (p - 1))). rewrite IZR_Zpower by lia.
  replace (- Z.of_nat (S e))%Z with ((p - 1) + (- Z.of_nat e - p))%Z by lia.
  rewrite bpow_plus, <- Rmult_assoc, Rmult_plus_distr_r, Rmult_assoc, <- bpow_plus.
  replace (1 - p + (p - 1))%Z with 0%Z by ring. simpl. ring.
Qed.

Lemma unit_is_float u : is_unit p u -> is_float p u.
Proof.
  intros [e [m [Hm ->]]]. rewrite unit_scaled. apply generic_format_FLX.
  exists (Float radix2 (2 ^ (p - 1) + Z.of_nat m) (- Z.of_nat e - p)); [reflexivity |].
  unfold Prec_gt_0 in p_positive. unfold Fnum. unfold mantissas in Hm.
  assert (H : (2 ^ p = 2 * 2 ^ (p - 1))%Z).
  { rewrite <- Z.pow_succ_r by lia. f_equal. lia. }
  assert (0 <= 2 ^ (p - 1))%Z by (apply Z.pow_nonneg; lia).
  change (radix_val radix2) with 2%Z. rewrite Z.abs_eq by lia. lia.
Qed.

(** Every float below 1 is one of them. *)
Lemma float_is_unit t : is_float p t -> 0 < t < 1 -> is_unit p t.
Proof.
  intros Ht H01. destruct (FLXN_format_generic radix2 p t Ht) as [[M k] Hv HM].
  unfold Prec_gt_0 in p_positive. unfold Fnum in HM.
  specialize (HM ltac:(lra)). unfold F2R, Fnum, Fexp in Hv.
  change (radix_val radix2) with 2%Z in HM.
  pose proof (bpow_gt_0 radix2 k) as Hb.
  assert (HM0 : (0 < M)%Z).
  { apply lt_IZR. apply Rmult_lt_reg_r with (bpow radix2 k); lra. }
  rewrite Z.abs_eq in HM by lia.
  assert (H : (2 ^ p = 2 * 2 ^ (p - 1))%Z).
  { rewrite <- Z.pow_succ_r by lia. f_equal. lia. }
  assert (Hk : (p - 1 + k < 0)%Z).
  { apply (lt_bpow radix2). rewrite bpow_plus, <- IZR_Zpower by lia.
    change (bpow radix2 0) with 1. apply Rle_lt_trans with t; [| lra]. rewrite Hv.
    apply Rmult_le_compat_r; [lra |]. apply IZR_le. exact (proj1 HM). }
  exists (Z.to_nat (- k - p)), (Z.to_nat (M - 2 ^ (p - 1))). split.
  - unfold mantissas. lia.
  - rewrite unit_scaled, !Z2Nat.id by lia. rewrite Hv. f_equal; f_equal; ring.
Qed.

Lemma unit_order e m n : unit_float p e m < unit_float p e n <-> (m < n)%nat.
Proof.
  unfold unit_float. pose proof (half_power_positive (S e)) as Hs.
  pose proof (bpow_gt_0 radix2 (1 - p)) as Hb. split; intros H.
  - apply Rmult_lt_reg_r in H; [| exact Hs]. apply Rplus_lt_reg_l in H.
    apply Rmult_lt_reg_r in H; [| exact Hb]. now apply INR_lt.
  - apply Rmult_lt_compat_r; [exact Hs |]. apply Rplus_lt_compat_l.
    apply Rmult_lt_compat_r; [exact Hb |]. now apply lt_INR.
Qed.

(** The law of the random float: it lies below the float [t] with probability [t]. *)
Theorem chance_below t : is_float p t -> 0 < t <= 1 -> chance p (fun u => Rlt_bool u t) = t.
Proof.
  intros Ht H01. destruct (Req_dec t 1) as [-> | H1].
  { apply chance_full. intros u Hu. apply Rlt_bool_true. now apply unit_range. }
  destruct (float_is_unit t Ht ltac:(lra)) as [e [n [Hn ->]]].
  unfold chance. rewrite (Series_incr_n _ (S e)) by (lia || apply chance_converges).
  assert (Htail : Series (fun k =>
                    binade_chance p (fun u => Rlt_bool u (unit_float p e n)) (S e + k))
                  = (/ 2) ^ S e).
  { apply is_series_unique. apply is_series_ext with (2 := halves_series (S e)). intros k.
    rewrite binade_chance_full; [reflexivity |]. intros m Hm. apply Rlt_bool_true.
    apply Rlt_le_trans with (1 := proj2 (unit_binade _ m Hm)).
    apply Rle_trans with (2 := proj1 (unit_binade _ n Hn)). apply half_power_le. lia. }
  assert (Hhead : forall i, (i < e)%nat ->
                  binade_chance p (fun u => Rlt_bool u (unit_float p e n)) i = 0).
  { intros i Hi. apply binade_chance_empty. intros m Hm. apply Rlt_bool_false.
    apply Rle_trans with (2 := proj1 (unit_binade _ m Hm)). left.
    apply Rlt_le_trans with (1 := proj2 (unit_binade _ n Hn)). apply half_power_le. lia. }
  assert (Hsum : sum_f_R0 (binade_chance p (fun u => Rlt_bool u (unit_float p e n))) e
                 = binade_chance p (fun u => Rlt_bool u (unit_float p e n)) e).
  { destruct e as [| e]; [reflexivity |]. rewrite tech5.
    rewrite (sum_eq _ (fun _ => 0)) by (intros i Hi; apply Hhead; lia).
    rewrite sum_cte. ring. }
  simpl Init.Nat.pred. rewrite Hsum, Htail.
  unfold binade_chance.
  rewrite (sum_below_ext _ _ (fun m => if (m <? n)%nat then weight p e else 0)).
  - rewrite sum_below_initial by lia. unfold weight, unit_float. ring.
  - intros m _. pose proof (unit_order e m n) as Ho.
    destruct (Nat.ltb_spec m n) as [H | H].
    + rewrite Rlt_bool_true; [reflexivity | now apply Ho].
    + rewrite Rlt_bool_false; [reflexivity |]. apply Rnot_lt_le. intros H'. apply Ho in H'. lia.
Qed.

End Law.
