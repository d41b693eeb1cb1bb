(** * Snapping with real noise

    The mechanism clamp_B (round_L (clamp_B x + noise)) with noise of the real Laplace law. Here the
    outputs are computed from cells of the line that do not depend on the input, so that snapping
    costs nothing: the loss is that of the noise. *)

From Coq Require Import Reals Lra Lia ZArith List Bool.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Import Laplace.
Local Open Scope R_scope.

Definition clamp (B t : R) : R := Rmax (- B) (Rmin B t).

(** Rounding to the nearest multiple of [L], ties upward. *)
Definition to_grid (L t : R) : R := IZR (Zfloor (t / L + / 2)) * L.

(** What happens to the sum of input and noise. *)
Definition finish (B L w : R) : R := clamp B (to_grid L w).

(** The largest integer [K] with [K L < B]; the outputs are [j L] with [|j| <= K], and [-B], [B]. *)
Definition last (B L : R) : Z := (Zceil (B / L) - 1)%Z.

(** Where the output [j L] begins. *)
Definition boundary (L : R) (j : Z) : R := (IZR j - / 2) * L.

(** The event that the function [g] gives the output [o]. *)
Definition gives (g : R -> R) (o w : R) : bool := if Req_EM_T (g w) o then true else false.

(** [snaps_with_probability l B L x o v]: on the input [x] the output is [o] with
    probability [v]. *)
Definition snaps_with_probability (l B L x o v : R) : Prop :=
  is_probability l (clamp B x) (gives (finish B L) o) v.

(** ** Clamping and rounding *)

Lemma clamp_range B t : 0 < B -> - B <= clamp B t <= B.
Proof.
  intros HB. unfold clamp. split; [apply Rmax_l |].
  apply Rmax_lub; [lra | apply Rmin_l].
Qed.

Lemma clamp_inside B t : - B <= t <= B -> clamp B t = t.
Proof. intros H. unfold clamp. rewrite Rmin_right, Rmax_right; lra. Qed.

Lemma clamp_high B t : 0 < B -> B <= t -> clamp B t = B.
Proof. intros HB H. unfold clamp. rewrite Rmin_left, Rmax_right; lra. Qed.

Lemma clamp_low B t : 0 < B -> t <= - B -> clamp B t = - B.
Proof. intros HB H. unfold clamp. rewrite Rmin_right, Rmax_left; lra. Qed.

Lemma clamp_cases B t :
  0 < B ->
  (t <= - B /\ clamp B t = - B) \/ (- B < t < B /\ clamp B t = t) \/ (B <= t /\ clamp B t = B).
Proof.
  intros HB. destruct (Rle_lt_dec t (- B)); [left; auto using clamp_low |].
  destruct (Rle_lt_dec B t); [right; right; auto using clamp_high |].
  right; left. split; [lra |]. apply clamp_inside. lra.
Qed.

Lemma clamp_monotone B s t : s <= t -> clamp B s <= clamp B t.
Proof.
  intros H. unfold clamp. apply Rmax_lub; [apply Rmax_l |].
  apply Rle_trans with (Rmin B t); [| apply Rmax_r].
  apply Rmin_glb; [apply Rmin_l |]. apply Rle_trans with s; [apply Rmin_r | exact H].
Qed.

(** Clamping brings inputs closer at most. *)
Lemma clamp_contracts B x x' : 0 < B -> Rabs (clamp B x - clamp B x') <= Rabs (x - x').
Proof.
  intros HB.
  destruct (clamp_cases B x HB) as [[H E] | [[H E] | [H E]]],
           (clamp_cases B x' HB) as [[H' E'] | [[H' E'] | [H' E']]]; rewrite E, E';
    unfold Rabs; repeat destruct Rcase_abs; lra.
Qed.

Lemma to_grid_cell L j w :
  0 < L -> to_grid L w = IZR j * L <-> boundary L j <= w < boundary L (j + 1).
Proof.
  intros HL. unfold to_grid, boundary. rewrite plus_IZR.
  assert (Hw : w = w / L * L) by (field; lra).
  split.
  - intros H. apply Rmult_eq_reg_r in H; [| lra]. apply eq_IZR in H.
    pose proof (Zfloor_lb (w / L + / 2)) as H1. pose proof (Zfloor_ub (w / L + / 2)) as H2.
    rewrite H in H1, H2. rewrite Hw.
    split; [apply Rmult_le_compat_r | apply Rmult_lt_compat_r]; lra.
  - intros [H1 H2]. do 2 f_equal. apply Zfloor_imp. rewrite plus_IZR.
    rewrite Hw in H1, H2. apply Rmult_le_reg_r in H1; [| exact HL].
    apply Rmult_lt_reg_r in H2; [| exact HL]. lra.
Qed.

Lemma to_grid_monotone L s t : 0 < L -> s <= t -> to_grid L s <= to_grid L t.
Proof.
  intros HL H. unfold to_grid. apply Rmult_le_compat_r; [lra |]. apply IZR_le, Zfloor_le.
  apply Rplus_le_compat_r. unfold Rdiv. apply Rmult_le_compat_r; [| exact H].
  left. now apply Rinv_0_lt_compat.
Qed.

(** The whole of what follows the noise is increasing. *)
Theorem finish_monotone B L s t : 0 < L -> s <= t -> finish B L s <= finish B L t.
Proof. intros HL H. apply clamp_monotone. now apply to_grid_monotone. Qed.

(** ** The multiples of the grid inside the bounds *)

Lemma last_spec B L : 0 < L -> IZR (last B L) * L < B <= (IZR (last B L) + 1) * L.
Proof.
  intros HL. unfold last. rewrite minus_IZR.
  assert (HB : B = B / L * L) by (field; lra). rewrite HB at 2 3.
  assert (H1 : IZR (Zceil (B / L)) < B / L + 1).
  { pose proof (Zfloor_ub (- (B / L))). unfold Zceil. rewrite opp_IZR. lra. }
  pose proof (Zceil_ub (B / L)).
  split; [apply Rmult_lt_compat_r | apply Rmult_le_compat_r]; lra.
Qed.

Lemma last_nonnegative B L : 0 < L -> 0 < B -> (0 <= last B L)%Z.
Proof.
  intros HL HB. destruct (last_spec B L HL) as [_ H].
  assert (H' : 0 < IZR (last B L) + 1).
  { apply Rmult_lt_reg_r with L; [exact HL |]. lra. }
  rewrite <- plus_IZR in H'. apply lt_IZR in H'. lia.
Qed.

Lemma inside_iff B L j : 0 < L -> IZR j * L < B <-> (j <= last B L)%Z.
Proof.
  intros HL. destruct (last_spec B L HL) as [H1 H2]. split; intros H.
  - assert (H' : IZR j < IZR (last B L) + 1).
    { apply Rmult_lt_reg_r with L; [exact HL |]. lra. }
    rewrite <- plus_IZR in H'. apply lt_IZR in H'. lia.
  - apply Rle_lt_trans with (2 := H1). apply Rmult_le_compat_r; [lra |]. now apply IZR_le.
Qed.

Lemma inside_both_iff B L j :
  0 < L -> - B < IZR j * L < B <-> (- last B L <= j <= last B L)%Z.
Proof.
  intros HL. pose proof (inside_iff B L j HL) as H1. pose proof (inside_iff B L (- j) HL) as H2.
  rewrite opp_IZR in H2. split; intros [H H'].
  - split; [| now apply H1]. assert (- j <= last B L)%Z by (apply H2; lra). lia.
  - split; [| now apply H1]. assert (- IZR j * L < B) by (apply H2; lia). lra.
Qed.

(** ** The cell of every output *)

(** An output inside the bounds comes from the points that are nearest to it, half a step on each
    side, whether or not [B] is a multiple of [L]. *)
Theorem finish_inside B L j w :
  0 < L -> 0 < B -> - B < IZR j * L < B ->
  finish B L w = IZR j * L <-> boundary L j <= w < boundary L (j + 1).
Proof.
  intros HL HB Hj. rewrite <- to_grid_cell by exact HL. unfold finish.
  destruct (clamp_cases B (to_grid L w) HB) as [[H E] | [[H E] | [H E]]]; rewrite E; lra.
Qed.

(** The upper bound is the output on a ray. *)
Theorem finish_top B L w : 0 < L -> 0 < B -> finish B L w = B <-> boundary L (last B L + 1) <= w.
Proof.
  intros HL HB.
  set (j := Zfloor (w / L + / 2)). assert (Hj : to_grid L w = IZR j * L) by reflexivity.
  pose proof (proj1 (to_grid_cell L j w HL) Hj) as [H1 H2].
  assert (Hb : finish B L w = B <-> (last B L + 1 <= j)%Z).
  { unfold finish. rewrite Hj. pose proof (inside_iff B L j HL) as Hi.
    destruct (clamp_cases B (IZR j * L) HB) as [[H E] | [[H E] | [H E]]]; rewrite E.
    - split; [lra |]. intros Hk. assert (j <= last B L)%Z by (apply Hi; lra). lia.
    - split; [lra |]. intros Hk. assert (j <= last B L)%Z by (apply Hi; lra). lia.
    - split; [| reflexivity]. intros _. destruct (Z_le_gt_dec (last B L + 1) j); [assumption |].
      assert (IZR j * L < B) by (apply Hi; lia). lra. }
  rewrite Hb. unfold boundary in *. split; intros H.
  - apply Rle_trans with (2 := H1). apply Rmult_le_compat_r; [lra |].
    apply IZR_le in H. lra.
  - assert (H' : IZR (last B L + 1) < IZR (j + 1)).
    { apply Rmult_lt_reg_r with L; [exact HL |]. lra. }
    apply lt_IZR in H'. lia.
Qed.

(** So is the lower bound. *)
Theorem finish_bottom B L w : 0 < L -> 0 < B -> finish B L w = - B <-> w < boundary L (- last B L).
Proof.
  intros HL HB.
  set (j := Zfloor (w / L + / 2)). assert (Hj : to_grid L w = IZR j * L) by reflexivity.
  pose proof (proj1 (to_grid_cell L j w HL) Hj) as [H1 H2].
  assert (Hb : finish B L w = - B <-> (j + 1 <= - last B L)%Z).
  { unfold finish. rewrite Hj. pose proof (inside_iff B L (- j) HL) as Hi. rewrite opp_IZR in Hi.
    destruct (clamp_cases B (IZR j * L) HB) as [[H E] | [[H E] | [H E]]]; rewrite E.
    - split; [| reflexivity]. intros _. destruct (Z_le_gt_dec (j + 1) (- last B L)); [assumption |].
      assert (- IZR j * L < B) by (apply Hi; lia). lra.
    - split; [lra |]. intros Hk. assert (- j <= last B L)%Z by (apply Hi; lra). lia.
    - split; [lra |]. intros Hk. assert (- j <= last B L)%Z by (apply Hi; lra). lia. }
  rewrite Hb. unfold boundary in *. split; intros H.
  - apply Rlt_le_trans with (1 := H2). apply Rmult_le_compat_r; [lra |].
    apply IZR_le in H. lra.
  - assert (H' : IZR j < IZR (- last B L)).
    { apply Rmult_lt_reg_r with L; [exact HL |]. lra. }
    apply lt_IZR in H'. lia.
Qed.

(** There are no other outputs. *)
Theorem finish_outputs B L w :
  0 < L -> 0 < B ->
  finish B L w = - B \/ finish B L w = B \/
  exists j, (- last B L <= j <= last B L)%Z /\ finish B L w = IZR j * L.
Proof.
  intros HL HB. unfold finish.
  destruct (clamp_cases B (to_grid L w) HB) as [[H E] | [[H E] | [H E]]]; auto.
  right; right. exists (Zfloor (w / L + / 2)). split; [| exact E].
  now apply inside_both_iff.
Qed.

(** ** Probabilities of the outputs *)

Lemma gives_iff g o w : gives g o w = true <-> g w = o.
Proof. unfold gives. now destruct (Req_EM_T (g w) o). Qed.

Lemma gives_false g o w : gives g o w = false <-> g w <> o.
Proof. unfold gives. now destruct (Req_EM_T (g w) o). Qed.

Theorem inside_probability l B L x j :
  0 < l -> 0 < L -> 0 < B -> (- last B L <= j <= last B L)%Z ->
  snaps_with_probability l B L x (IZR j * L)
    (mass l (clamp B x) (boundary L j) (boundary L (j + 1))).
Proof.
  intros Hl HL HB Hj. apply (inside_both_iff B L j HL) in Hj.
  pose proof (fun w => finish_inside B L j w HL HB Hj) as H.
  apply cell_probability; try easy.
  - split; intros w; simpl.
    + intros H1 H2. apply gives_iff, H. lra.
    + intros [H1 | H1]; apply gives_false; rewrite H; lra.
  - simpl. unfold boundary. rewrite plus_IZR. apply Rmult_le_compat_r; lra.
Qed.

Theorem top_probability l B L x :
  0 < l -> 0 < L -> 0 < B ->
  snaps_with_probability l B L x B (mass l (clamp B x) (boundary L (last B L + 1)) p_infty).
Proof.
  intros Hl HL HB. pose proof (fun w => finish_top B L w HL HB) as H.
  apply cell_probability; try easy. split; intros w; simpl.
  - intros H1 _. apply gives_iff, H. lra.
  - intros [H1 | []]; apply gives_false; rewrite H; lra.
Qed.

Theorem bottom_probability l B L x :
  0 < l -> 0 < L -> 0 < B ->
  snaps_with_probability l B L x (- B) (mass l (clamp B x) m_infty (boundary L (- last B L))).
Proof.
  intros Hl HL HB. pose proof (fun w => finish_bottom B L w HL HB) as H.
  apply cell_probability; try easy. split; intros w; simpl.
  - intros _ H1. apply gives_iff, H. lra.
  - intros [[] | H1]; apply gives_false; rewrite H; lra.
Qed.

(** Every real number has a probability of being the output. *)
Theorem output_has_probability l B L x o :
  0 < l -> 0 < L -> 0 < B -> exists v, snaps_with_probability l B L x o v.
Proof.
  intros Hl HL HB.
  destruct (Req_EM_T o (- B)) as [-> |]; [eexists; now apply bottom_probability |].
  destruct (Req_EM_T o B) as [-> |]; [eexists; now apply top_probability |].
  set (j := Zfloor (o / L + / 2)).
  destruct (Req_EM_T o (IZR j * L)) as [E | E].
  - destruct (Z_le_gt_dec (- last B L) j) as [H1 | H1].
    + destruct (Z_le_gt_dec j (last B L)) as [H2 | H2].
      * rewrite E. eexists. now apply inside_probability.
      * exists 0. apply empty_probability. intros w. apply gives_false. intros F.
        destruct (finish_outputs B L w HL HB) as [G | [G | [i [Hi G]]]]; try congruence.
        rewrite G, E in F. apply Rmult_eq_reg_r in F; [| lra]. apply eq_IZR in F. lia.
    + exists 0. apply empty_probability. intros w. apply gives_false. intros F.
      destruct (finish_outputs B L w HL HB) as [G | [G | [i [Hi G]]]]; [congruence | congruence |].
      rewrite G, E in F. apply Rmult_eq_reg_r in F; [| lra]. apply eq_IZR in F. lia.
  - exists 0. apply empty_probability. intros w. apply gives_false. intros F.
    destruct (finish_outputs B L w HL HB) as [G | [G | [i [Hi G]]]]; [congruence | congruence |].
    apply E. rewrite <- F, G at 1. unfold j. rewrite <- F, G.
    replace (IZR i * L / L + / 2) with (IZR i + / 2) by (field; lra).
    do 2 f_equal. symmetry. apply Zfloor_imp. rewrite plus_IZR. lra.
Qed.

(** The probabilities of the outputs add up to 1: nothing is missing from the list. *)
Theorem output_probabilities_sum_to_one l B L x :
  0 < l -> 0 < L -> 0 < B ->
  mass l (clamp B x) m_infty (boundary L (- last B L))
  + sum_f_R0 (fun n => mass l (clamp B x) (boundary L (Z.of_nat n - last B L))
                         (boundary L (Z.of_nat n - last B L + 1)))
      (Z.to_nat (2 * last B L))
  + mass l (clamp B x) (boundary L (last B L + 1)) p_infty = 1.
Proof.
  intros Hl HL HB. pose proof (last_nonnegative B L HL HB) as HK.
  set (K := last B L) in *. set (F := fun j => cdf l (boundary L j - clamp B x)).
  assert (Hsum : forall n, sum_f_R0 (fun n => mass l (clamp B x) (boundary L (Z.of_nat n - K))
                                        (boundary L (Z.of_nat n - K + 1))) n
                           = F (Z.of_nat n - K + 1)%Z - F (- K)%Z).
  { induction n as [| n IH].
    - unfold mass, F; simpl. reflexivity.
    - rewrite tech5, IH.
      change (mass l (clamp B x) (boundary L (Z.of_nat (S n) - K))
                (boundary L (Z.of_nat (S n) - K + 1)))
        with (F (Z.of_nat (S n) - K + 1)%Z - F (Z.of_nat (S n) - K)%Z).
      replace (Z.of_nat n - K + 1)%Z with (Z.of_nat (S n) - K)%Z by lia. ring. }
  rewrite Hsum, Z2Nat.id by lia. replace (2 * K - K + 1)%Z with (K + 1)%Z by ring.
  unfold mass, cdf_at, F. ring.
Qed.

(** ** Privacy *)

(** Snapping with real noise is private on every output: for all bounds, grids and scales, and for
    inputs at any distance. *)
Theorem ideal_snapping_private l B L x x' o v v' :
  0 < l -> 0 < B -> snaps_with_probability l B L x o v -> snaps_with_probability l B L x' o v' ->
  v <= exp (Rabs (x - x') / l) * v'.
Proof.
  intros Hl HB Hv Hv'. pose proof (probability_nonnegative _ _ _ _ Hl Hv') as H0.
  apply Rle_trans with (exp (Rabs (clamp B x - clamp B x') / l) * v').
  - now apply event_private with (gives (finish B L) o).
  - apply Rmult_le_compat_r; [exact H0 |].
    apply exp_le. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat |].
    now apply clamp_contracts.
Qed.

(** A set of outputs, as an event: [S] says which outputs are meant. *)
Definition snaps_into_with_probability (l B L x : R) (S : R -> bool) (v : R) : Prop :=
  is_probability l (clamp B x) (fun w => S (finish B L w)) v.

Definition outputs (B L : R) : list R :=
  - B :: B :: map (fun n => IZR (Z.of_nat n - last B L) * L) (seq 0 (Z.to_nat (2 * last B L + 1))).

Lemma finish_listed B L w : 0 < L -> 0 < B -> In (finish B L w) (outputs B L).
Proof.
  intros HL HB. destruct (finish_outputs B L w HL HB) as [H | [H | [j [Hj H]]]].
  - now left.
  - right. now left.
  - right. right. apply in_map_iff. exists (Z.to_nat (j + last B L)). split.
    + rewrite H, Z2Nat.id by lia. do 2 f_equal. ring.
    + apply in_seq. lia.
Qed.

(** Sets of outputs are built one output at a time: [S] cut down to the outputs of a list. *)
Definition restricted (S : R -> bool) (os : list R) (r : R) : bool :=
  S r && if in_dec Req_EM_T r os then true else false.

Lemma restricted_nil S r : restricted S nil r = false.
Proof. apply andb_false_r. Qed.

Lemma restricted_skip S o os r :
  In o os \/ S o = false -> restricted S (o :: os) r = restricted S os r.
Proof.
  intros H. unfold restricted.
  destruct (in_dec Req_EM_T r os) as [H1 | H1].
  - now destruct (in_dec Req_EM_T r (o :: os)) as [| []]; [| right].
  - destruct (in_dec Req_EM_T r (o :: os)) as [[<- | H2] |]; try easy.
    destruct H as [H | ->]; easy.
Qed.

Lemma restricted_add S o os r :
  ~ In o os -> S o = true ->
  restricted S (o :: os) r = (if Req_EM_T r o then true else false) || restricted S os r.
Proof.
  intros Hn HS. unfold restricted. destruct (Req_EM_T r o) as [-> | E].
  - rewrite HS. destruct (in_dec Req_EM_T o (o :: os)) as [| []]; [easy | now left].
  - simpl orb. destruct (in_dec Req_EM_T r os) as [H1 | H1].
    + now destruct (in_dec Req_EM_T r (o :: os)) as [| []]; [| right].
    + destruct (in_dec Req_EM_T r (o :: os)) as [[H2 | H2] |]; congruence || easy.
Qed.

Lemma restricted_disjoint S o os r :
  ~ In o os -> (if Req_EM_T r o then true else false) && restricted S os r = false.
Proof.
  intros Hn. unfold restricted. destruct (Req_EM_T r o) as [-> |]; [| reflexivity].
  destruct (in_dec Req_EM_T o os); [easy |]. simpl. apply andb_false_r.
Qed.

Lemma restricted_all S os r : In r os -> restricted S os r = S r.
Proof.
  intros H. unfold restricted. destruct (in_dec Req_EM_T r os); [apply andb_true_r | easy].
Qed.

Lemma restricted_cases (S : R -> bool) o os :
  (In o os \/ S o = false) \/ (~ In o os /\ S o = true).
Proof. destruct (in_dec Req_EM_T o os), (S o); auto. Qed.

(** Every set of outputs has a probability. *)
Theorem set_has_probability l B L x S :
  0 < l -> 0 < L -> 0 < B -> exists v, snaps_into_with_probability l B L x S v.
Proof.
  intros Hl HL HB.
  assert (H : forall os, exists v,
             is_probability l (clamp B x) (fun w => restricted S os (finish B L w)) v).
  { induction os as [| o os [v IH]].
    - exists 0. apply empty_probability. intros w. apply restricted_nil.
    - destruct (restricted_cases S o os) as [Ho | [Hn Ho]].
      + exists v. refine (probability_ext _ _ _ _ _ _ IH). intros w. symmetry.
        now apply restricted_skip.
      + destruct (output_has_probability l B L x o Hl HL HB) as [u Hu]. exists (u + v).
        refine (probability_ext _ _ _ _ _ _ (probability_plus _ _ _ _ _ _ _ Hu IH)); intros w.
        * symmetry. now apply restricted_add.
        * now apply restricted_disjoint. }
  destruct (H (outputs B L)) as [v Hv]. exists v.
  refine (probability_ext _ _ _ _ _ _ Hv). intros w. apply restricted_all. now apply finish_listed.
Qed.

(** Snapping with real noise is e-differentially private: with sensitivity [D] and the scale [D /
    e], inputs at most [D] apart give every set of outputs with probabilities that differ by a
    factor of at most exp e. *)
Theorem ideal_snapping_differentially_private e D B L x x' S v v' :
  0 < e -> 0 < D -> 0 < B -> Rabs (x - x') <= D ->
  snaps_into_with_probability (D / e) B L x S v ->
  snaps_into_with_probability (D / e) B L x' S v' -> v <= exp e * v'.
Proof.
  intros He HD HB Hx Hv Hv'.
  assert (Hl : 0 < D / e) by now apply Rdiv_lt_0_compat.
  pose proof (probability_nonnegative _ _ _ _ Hl Hv') as H0.
  apply Rle_trans with (exp (Rabs (clamp B x - clamp B x') / (D / e)) * v').
  - now apply event_private with (fun w => S (finish B L w)).
  - apply Rmult_le_compat_r; [exact H0 |]. apply exp_le.
    apply Rmult_le_reg_r with (D / e); [exact Hl |].
    pose proof (clamp_contracts B x x' HB).
    replace (e * (D / e)) with D by (field; lra).
    replace (Rabs (clamp B x - clamp B x') / (D / e) * (D / e)) with (Rabs (clamp B x - clamp B x'))
      by (field; lra).
    lra.
Qed.
