(** * The loss of snapping in floating point

    The theorem of proofs/snapping.md, for the floats that run: a precision of at least 7 bits, any
    real scale, any half-width up to 2^(p - 7) scales, any real inputs, every set of outputs. *)

From Coq Require Import Reals Lra Lia ZArith List Bool.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Import Laplace IdealSnapping Rounding UnitFloat Thresholds OneCell.
Local Open Scope R_scope.

Ltac nonnegative :=
  repeat first [apply Rplus_le_le_0_compat | apply Rmult_le_pos | apply pow_le]; lra.

Section Loss.

Variable p : Z.
Hypothesis p_large : (7 <= p)%Z.
Local Instance p_positive : Prec_gt_0 p.
Proof. unfold Prec_gt_0. lia. Qed.

Variables l B : R.
Variable k : Z.
Notation L := (bpow radix2 k).
Hypothesis l_positive : 0 < l.
Hypothesis B_positive : 0 < B.
(** The grid is the smallest power of two that is not below the scale. *)
Hypothesis grid_covers : l <= L < 2 * l.
Hypothesis width_limit : B <= bpow radix2 (p - 7) * l.

(** What the floats cost beyond the distance of the inputs. *)
Definition excess : R := (18 * (B / l) + 14) * eta p.

Definition reach : R := 2 * (B / l) + 1 + eta p * (B / l + 1).

Lemma L_positive : 0 < L.
Proof. apply bpow_gt_0. Qed.

Lemma eta_range : 0 < eta p <= 1 / 128.
Proof.
  split; [apply eta_positive |]. unfold eta.
  replace (1 / 128) with (bpow radix2 (- 7)) by (simpl; lra). apply bpow_le. lia.
Qed.

Lemma scaled_width_positive : 0 < B / l.
Proof. now apply Rdiv_lt_0_compat. Qed.

Lemma scaled_width_range : 0 < eta p * (B / l) <= 1 / 128.
Proof.
  pose proof eta_range as He. pose proof scaled_width_positive as Hb. split.
  - apply Rmult_lt_0_compat; lra.
  - apply Rle_trans with (eta p * bpow radix2 (p - 7)).
    + apply Rmult_le_compat_l; [lra |]. apply Rmult_le_reg_r with l; [exact l_positive |].
      replace (B / l * l) with B by (field; lra). exact width_limit.
    + right. unfold eta. rewrite <- bpow_plus. replace (- p + (p - 7))%Z with (- 7)%Z by ring.
      simpl. lra.
Qed.

Lemma reach_large : 1 <= reach.
Proof.
  pose proof eta_range as He. pose proof scaled_width_positive as Hb. unfold reach.
  assert (0 <= eta p * (B / l + 1)) by (apply Rmult_le_pos; lra). lra.
Qed.

Notation lower := (lower_error p reach).
Notation upper := (upper_error p reach).

Lemma lower_form :
  lower = (2 + eta p) ^ 2 * (eta p * (B / l)) + (2 + eta p) * (1 + eta p) * eta p.
Proof. unfold lower_error, reach. ring. Qed.

Lemma upper_form : upper = (4 + 2 * eta p) * (eta p * (B / l)) + (4 + 2 * eta p) * eta p.
Proof. unfold upper_error, reach. ring. Qed.

Lemma errors_range : 0 <= lower /\ 0 <= upper <= 0.0628.
Proof.
  pose proof eta_range as He. pose proof scaled_width_range as Hb.
  rewrite lower_form, upper_form. set (e := eta p) in *. set (y := e * (B / l)) in *.
  clearbody y e. assert (0 <= e <= 1 / 128) by lra. assert (0 <= y <= 1 / 128) by lra.
  split; [nonnegative |]. split; [nonnegative |].
  assert ((4 + 2 * e) * y <= 4.016 * (1 / 128)) by (apply Rmult_le_compat; lra).
  assert ((4 + 2 * e) * e <= 4.016 * (1 / 128)) by (apply Rmult_le_compat; lra). lra.
Qed.

(** The excess covers an input outside of the cell, *)
Lemma excess_covers_outside q :
  0 <= q <= 0.3733 ->
  exp upper - q * exp (- lower) <= exp excess * (exp (- lower) - q * exp upper).
Proof.
  intros Hq. pose proof eta_range as He. pose proof scaled_width_range as Hb.
  set (s := lower + upper).
  assert (Hs : s = (8 + 6 * eta p + eta p ^ 2) * (eta p * (B / l))
                   + (6 + 5 * eta p + eta p ^ 2) * eta p).
  { unfold s. rewrite lower_form, upper_form. ring. }
  assert (Hs2 : 0 <= s <= 0.1101 /\ 2.236 * s <= excess).
  { unfold excess. rewrite Hs.
    replace ((18 * (B / l) + 14) * eta p) with (18 * (eta p * (B / l)) + 14 * eta p) by ring.
    set (e := eta p) in *. set (y := e * (B / l)) in *.
    clearbody y e.
    assert (He' : 0 <= e <= 1 / 128) by lra. assert (Hy' : 0 <= y <= 1 / 128) by lra.
    assert (He2 : e * e <= 1 / 128 * (1 / 128)) by (apply Rmult_le_compat; lra).
    assert ((8 + 6 * e + e ^ 2) * y <= 8.047 * y) by (apply Rmult_le_compat_r; lra).
    assert ((6 + 5 * e + e ^ 2) * e <= 6.04 * e) by (apply Rmult_le_compat_r; lra).
    split; [split; [nonnegative | lra] | lra]. }
  destruct Hs2 as [Hs2 Hs3].
  assert (Hu : exp upper = exp (- lower) * exp s).
  { rewrite <- exp_plus. f_equal. unfold s. ring. }
  rewrite Hu. pose proof (excess_outside s q Hs2 Hq) as H.
  assert (Hqs : 0 <= 1 - q * exp s).
  { assert (q * exp s <= 0.3733 * exp s) by (apply Rmult_le_compat_r; [left; apply exp_pos | lra]).
    assert (exp s <= 2).
    { pose proof (exp_above s). apply Rmult_le_reg_l with (1 - s); lra. }
    lra. }
  replace (exp (- lower) * exp s - q * exp (- lower)) with (exp (- lower) * (exp s - q)) by ring.
  replace (exp excess * (exp (- lower) - q * (exp (- lower) * exp s)))
    with (exp (- lower) * (exp excess * (1 - q * exp s))) by ring.
  apply Rmult_le_compat_l; [left; apply exp_pos |].
  apply Rle_trans with (1 := H). apply Rmult_le_compat_r; [exact Hqs |].
  now apply exp_le_compat.
Qed.

(** and an input inside. *)
Lemma excess_covers_inside q :
  0 <= q <= 0.3733 ->
  exp upper - q * exp (- lower) <= exp excess * ((1 - 5.74 * eta p) * (1 - q)).
Proof.
  intros Hq. pose proof eta_range as He. pose proof scaled_width_range as Hb.
  destruct errors_range as [Hl Hu].
  pose proof (exp_small_above upper Hu) as H1. pose proof (exp_ineq1_le (- lower)) as H2.
  assert (H3 : 1 + 18 * (eta p * (B / l)) + 7.98 * eta p <= exp excess * (1 - 5.74 * eta p)).
  { replace excess with (18 * (eta p * (B / l)) + 7.98 * eta p + 6.02 * eta p)
      by (unfold excess; lra).
    rewrite exp_plus. set (r := 18 * (eta p * (B / l)) + 7.98 * eta p).
    pose proof (exp_ineq1_le r) as Hr. pose proof (exp_ineq1_le (6.02 * eta p)) as Hx.
    assert (Hk : 1 <= exp (6.02 * eta p) * (1 - 5.74 * eta p)).
    { apply Rle_trans with ((1 + 6.02 * eta p) * (1 - 5.74 * eta p)).
      - assert (eta p * eta p <= 1 / 128 * eta p) by (apply Rmult_le_compat_r; lra). lra.
      - apply Rmult_le_compat_r; lra. }
    rewrite Rmult_assoc. apply Rle_trans with (exp r * 1); [unfold r in *; lra |].
    apply Rmult_le_compat_l; [left; apply exp_pos | exact Hk]. }
  rewrite <- Rmult_assoc.
  apply Rle_trans with ((1 + 18 * (eta p * (B / l)) + 7.98 * eta p) * (1 - q)).
  2: { apply Rmult_le_compat_r; lra. }
  assert (H4 : q * (1 - lower) <= q * exp (- lower)) by (apply Rmult_le_compat_l; lra).
  assert (H5 : q * lower <= 0.3733 * lower) by (apply Rmult_le_compat_r; lra).
  assert (H6 : (18 * (eta p * (B / l)) + 7.98 * eta p) * 0.6267
               <= (18 * (eta p * (B / l)) + 7.98 * eta p) * (1 - q))
    by (apply Rmult_le_compat_l; lra).
  assert (H7 : 1.051 * upper + 0.3733 * lower
               <= (18 * (eta p * (B / l)) + 7.98 * eta p) * 0.6267).
  { rewrite lower_form, upper_form. set (e := eta p) in *. set (y := e * (B / l)) in *.
    clearbody y e.
    assert (4 + 2 * e <= 4.016) by lra.
    assert (He' : 0 <= e <= 1 / 128) by lra.
    assert (He2 : e * e <= 1 / 128 * (1 / 128)) by (apply Rmult_le_compat; lra).
    assert ((4 + 2 * e) * y <= 4.016 * y) by (apply Rmult_le_compat_r; lra).
    assert ((4 + 2 * e) * e <= 4.016 * e) by (apply Rmult_le_compat_r; lra).
    assert ((2 + e) ^ 2 * y <= 4.032 * y) by (apply Rmult_le_compat_r; lra).
    assert ((2 + e) * (1 + e) * e <= 2.024 * e) by (apply Rmult_le_compat_r; lra).
    lra. }
  lra.
Qed.

(** So two inputs differ in the probability of a cell by the loss of real noise and the excess. *)
Lemma cell_loss q P Q P' Q' D :
  0 <= q <= 0.3733 -> 0 <= Q' -> Q <= exp D * Q' ->
  bounded_above p reach q P Q -> bounded_below p reach q P' Q' -> P <= exp (D + excess) * P'.
Proof.
  intros Hq HQ' HQ Ha Hb. destruct errors_range as [Hl Hu].
  pose proof (excess_covers_outside q Hq) as H1. pose proof (excess_covers_inside q Hq) as H2.
  unfold bounded_above in Ha.
  set (U := exp upper - q * exp (- lower)) in *.
  assert (HU : 0 <= U).
  { pose proof (exp_ineq1_le upper).
    assert (exp (- lower) <= 1) by (apply exp_minus_at_most_one; lra).
    assert (q * exp (- lower) <= q * 1) by (apply Rmult_le_compat_l; lra). unfold U. lra. }
  assert (H3 : P * (1 - q) <= exp D * (U * Q')).
  { apply Rle_trans with (1 := Ha). replace (exp D * (U * Q')) with (U * (exp D * Q')) by ring.
    now apply Rmult_le_compat_l. }
  apply Rmult_le_reg_r with (1 - q); [lra |]. apply Rle_trans with (1 := H3).
  rewrite exp_plus, !Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos |].
  destruct Hb as [Hb | Hb].
  - apply Rle_trans with (exp excess * (exp (- lower) - q * exp upper) * Q').
    + now apply Rmult_le_compat_r.
    + rewrite Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos | exact Hb].
  - apply Rle_trans with (exp excess * ((1 - 5.74 * eta p) * (1 - q)) * Q').
    + now apply Rmult_le_compat_r.
    + replace (exp excess * ((1 - 5.74 * eta p) * (1 - q)) * Q')
        with (exp excess * ((1 - 5.74 * eta p) * Q' * (1 - q))) by ring.
      apply Rmult_le_compat_l; [left; apply exp_pos |]. apply Rmult_le_compat_r; lra.
Qed.

(** ** The cells of the outputs *)

(** Where the sum of input and noise begins to give [j L]. *)
Definition start (j : Z) : R := midpoint p (boundary L j).

Lemma boundary_size j :
  (- last B L <= j <= last B L + 1)%Z -> Rabs (boundary L j) <= B + L / 2.
Proof.
  intros [H1 H2]. pose proof L_positive as HL. destruct (last_spec B L HL) as [HK _].
  unfold boundary. apply IZR_le in H1. apply IZR_le in H2. rewrite opp_IZR in H1.
  rewrite plus_IZR in H2.
  assert (IZR j * L <= (IZR (last B L) + 1) * L) by (apply Rmult_le_compat_r; lra).
  assert (- IZR (last B L) * L <= IZR j * L) by (apply Rmult_le_compat_r; lra).
  apply Rabs_le. lra.
Qed.

Lemma boundary_float j :
  (- last B L <= j <= last B L + 1)%Z -> is_float p (boundary L j).
Proof.
  intros Hj. apply boundary_is_float. pose proof L_positive as HL.
  pose proof (last_nonnegative B L HL B_positive) as HK0.
  destruct (last_spec B L HL) as [HK _].
  assert (H : IZR (last B L) < bpow radix2 (p - 7)).
  { apply Rmult_lt_reg_r with L; [exact HL |]. apply Rlt_le_trans with (1 := HK).
    apply Rle_trans with (1 := width_limit). apply Rmult_le_compat_l; [apply bpow_ge_0 | lra]. }
  rewrite <- (IZR_Zpower radix2 (p - 7)) in H by lia. apply lt_IZR in H.
  change (Zpower radix2 (p - 7)) with (2 ^ (p - 7))%Z in H.
  assert (H2 : (2 ^ p = 128 * 2 ^ (p - 7))%Z).
  { replace 128%Z with (2 ^ 7)%Z by reflexivity. rewrite <- Z.pow_add_r by lia. f_equal. lia. }
  lia.
Qed.

Lemma start_close j :
  (- last B L <= j <= last B L + 1)%Z ->
  0 <= boundary L j - start j <= eta p * (B + L / 2).
Proof.
  intros Hj. pose proof (midpoint_close p _ (boundary_float j Hj)
                           (boundary_nonzero L j L_positive)) as [H1 H2].
  split; [exact H1 |]. apply Rle_trans with (1 := H2). apply Rmult_le_compat_l.
  - pose proof eta_range. lra.
  - now apply boundary_size.
Qed.

(** Ends of cells are within reach of every clamped input. *)
Lemma start_within_reach j x :
  (- last B L <= j <= last B L + 1)%Z -> - B <= x <= B -> Rabs (start j - x) / l <= reach.
Proof.
  intros Hj Hx. pose proof (start_close j Hj) as Hs. pose proof (boundary_size j Hj) as Hb.
  apply Rabs_le_inv in Hb. pose proof eta_range as He.
  apply Rmult_le_reg_r with l; [exact l_positive |].
  replace (Rabs (start j - x) / l * l) with (Rabs (start j - x)) by (field; lra).
  replace (reach * l) with (2 * B + l + eta p * (B + l)) by (unfold reach; field; lra).
  assert (eta p * (B + L / 2) <= eta p * (B + l)) by (apply Rmult_le_compat_l; lra).
  apply Rabs_le. lra.
Qed.

Lemma start_distances j x :
  (- last B L <= j <= last B L + 1)%Z -> - B <= x <= B ->
  (start j - x) / l <= reach /\ (x - start j) / l <= reach.
Proof.
  intros Hj Hx. pose proof (start_within_reach j x Hj Hx) as H.
  assert (Hl : 0 <= / l) by (left; now apply Rinv_0_lt_compat).
  split; apply Rle_trans with (2 := H); (apply Rmult_le_compat_r; [exact Hl |]).
  - apply Rle_abs.
  - rewrite Rabs_minus_sym. apply Rle_abs.
Qed.

(** Cells are about as wide as the grid. *)
Lemma cell_width j :
  (- last B L <= j <= last B L)%Z -> 0.98828 <= (start (j + 1) - start j) / l <= 3.
Proof.
  intros Hj. pose proof (start_close j ltac:(lia)) as H1.
  pose proof (start_close (j + 1) ltac:(lia)) as H2.
  pose proof eta_range as He. pose proof scaled_width_range as Hy.
  assert (Hw : boundary L (j + 1) - boundary L j = L).
  { unfold boundary. rewrite plus_IZR. ring. }
  assert (HB : eta p * B <= 1 / 128 * l).
  { replace (eta p * B) with (eta p * (B / l) * l) by (field; lra).
    apply Rmult_le_compat_r; lra. }
  assert (HL : eta p * L <= 1 / 128 * L) by (apply Rmult_le_compat_r; pose proof L_positive; lra).
  split; apply Rmult_le_reg_r with l; try exact l_positive;
    replace ((start (j + 1) - start j) / l * l) with (start (j + 1) - start j) by (field; lra); lra.
Qed.

Lemma inside_cell j :
  (- last B L <= j <= last B L)%Z ->
  is_cell (gives (release p B L) (IZR j * L)) (start j) (start (j + 1)).
Proof.
  intros Hj. pose proof L_positive as HL.
  pose proof (proj2 (inside_both_iff B L j HL) Hj) as Hi.
  split; intros w; simpl.
  - intros H1 H2. apply gives_iff, finish_inside; auto. split.
    + apply (fl_above_midpoint p); [apply boundary_float; lia | exact H1].
    + apply (fl_below_midpoint p); [| | exact H2].
      * apply boundary_float; lia.
      * now apply boundary_nonzero.
  - intros H. apply gives_false. unfold release. rewrite finish_inside by auto. intros [F1 F2].
    destruct H as [H | H].
    + apply (Rle_not_lt _ _ F1).
      apply (fl_below_midpoint p); [| | exact H].
      * apply boundary_float; lia.
      * now apply boundary_nonzero.
    + apply (Rlt_not_le _ _ F2). apply (fl_above_midpoint p); [apply boundary_float; lia | exact H].
Qed.

Lemma top_cell : is_cell (gives (release p B L) B) (start (last B L + 1)) p_infty.
Proof.
  pose proof L_positive as HL. pose proof (last_nonnegative B L HL B_positive) as HK.
  split; intros w; simpl.
  - intros H _. apply gives_iff, finish_top; auto.
    apply (fl_above_midpoint p); [apply boundary_float; lia | exact H].
  - intros [H | []]. apply gives_false. unfold release. rewrite finish_top by auto.
    apply Rlt_not_le.
    apply (fl_below_midpoint p); [apply boundary_float; lia | now apply boundary_nonzero | exact H].
Qed.

Lemma bottom_cell : is_cell (gives (release p B L) (- B)) m_infty (start (- last B L)).
Proof.
  pose proof L_positive as HL. pose proof (last_nonnegative B L HL B_positive) as HK.
  split; intros w; simpl.
  - intros _ H. apply gives_iff, finish_bottom; auto.
    apply (fl_below_midpoint p); [apply boundary_float; lia | now apply boundary_nonzero | exact H].
  - intros [[] | H]. apply gives_false. unfold release. rewrite finish_bottom by auto.
    apply Rle_not_lt. apply (fl_above_midpoint p); [apply boundary_float; lia | exact H].
Qed.

(** ** The theorem *)

(** The probability that the snapping mechanism in floats gives the output [o] on the input [x]. *)
Definition snapping_chance (x o : R) : R :=
  float_chance p l (clamp B x) (gives (release p B L) o).

Lemma upper_at_most_half : upper <= / 2.
Proof. destruct errors_range. lra. Qed.

Lemma pair_loss x x' S a b q :
  0 <= q <= 0.3733 -> Rbar_le a b -> a <> p_infty -> b <> m_infty ->
  bounded_above p reach q (float_chance p l (clamp B x) S) (mass l (clamp B x) a b) ->
  bounded_below p reach q (float_chance p l (clamp B x') S) (mass l (clamp B x') a b) ->
  float_chance p l (clamp B x) S
  <= exp (Rabs (x - x') / l + excess) * float_chance p l (clamp B x') S.
Proof.
  intros Hq Hab Ha Hb H1 H2.
  pose proof (mass_nonnegative l (clamp B x') a b l_positive Hab Ha Hb) as H0.
  apply (cell_loss q _ (mass l (clamp B x) a b) _ (mass l (clamp B x') a b)); try assumption.
  apply Rle_trans with (exp (Rabs (clamp B x - clamp B x') / l) * mass l (clamp B x') a b).
  - now apply mass_private.
  - apply Rmult_le_compat_r; [exact H0 |]. apply exp_le_compat.
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat |]. now apply clamp_contracts.
Qed.

Lemma impossible_output x o :
  (forall w, release p B L w <> o) -> snapping_chance x o = 0.
Proof.
  intros H. unfold snapping_chance, float_chance.
  rewrite !(chance_empty p); [lra | |]; intros u _; now apply gives_false.
Qed.

Lemma cell_q j :
  (- last B L <= j <= last B L)%Z -> 0 <= exp (- ((start (j + 1) - start j) / l)) <= 0.3733.
Proof.
  intros Hj. pose proof (cell_width j Hj) as Hc. split; [left; apply exp_pos |].
  apply Rle_trans with (exp (Ropp 0.988)); [apply exp_le_compat; lra |].
  pose proof exp_width as Hw. pose proof (exp_inverse 0.988) as Hi.
  pose proof (exp_pos (Ropp 0.988)) as Hp.
  assert (exp (Ropp 0.988) * 2.6795 <= exp (Ropp 0.988) * exp 0.988)
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** The loss theorem, on one output: for all real inputs, the probability of an output changes by a
    factor of at most exp (distance / scale + (18 B / scale + 14) eta). *)
Theorem snapping_loss x x' o :
  snapping_chance x o <= exp (Rabs (x - x') / l + excess) * snapping_chance x' o.
Proof.
  pose proof L_positive as HL. pose proof (last_nonnegative B L HL B_positive) as HK.
  pose proof (clamp_range B x B_positive) as Hx. pose proof (clamp_range B x' B_positive) as Hx'.
  pose proof (proj2 eta_range) as He. pose proof upper_at_most_half as Hu.
  pose proof reach_large as HE.
  destruct (Req_EM_T o (- B)) as [-> | Hbottom].
  { apply pair_loss with m_infty (start (- last B L)) 0; try easy; try lra;
      apply (ray_bounds_left p); auto using bottom_cell; apply start_within_reach; lia || lra. }
  destruct (Req_EM_T o B) as [-> | Htop].
  { apply pair_loss with (start (last B L + 1)) p_infty 0; try easy; try lra;
      apply (ray_bounds p); auto using top_cell; apply start_within_reach; lia || lra. }
  set (j := Zfloor (o / L + / 2)).
  assert (Hcase : (o = IZR j * L /\ (- last B L <= j <= last B L)%Z)
                  \/ forall w, release p B L w <> o).
  { destruct (Req_EM_T o (IZR j * L)) as [E | E].
    - destruct (Z_le_gt_dec (- last B L) j) as [H1 | H1];
        [destruct (Z_le_gt_dec j (last B L)) as [H2 | H2]; [now left |] |]; right; intros w F;
        destruct (finish_outputs B L (fl p w) HL B_positive) as [G | [G | [i [Hi G]]]];
        unfold release in F; try congruence;
        rewrite G, E in F; apply Rmult_eq_reg_r in F; try lra; apply eq_IZR in F; lia.
    - right. intros w F.
      destruct (finish_outputs B L (fl p w) HL B_positive) as [G | [G | [i [Hi G]]]];
        unfold release in F; try congruence.
      apply E. assert (Ho : o = IZR i * L) by congruence. unfold j. rewrite Ho.
      replace (IZR i * L / L + / 2) with (IZR i + / 2) by (field; lra).
      do 2 f_equal. symmetry. apply Zfloor_imp. rewrite plus_IZR. lra. }
  clearbody j. destruct Hcase as [[-> Hj] | Hnone].
  - assert (Hab : start j <= start (j + 1)).
    { pose proof (cell_width j Hj) as Hw. apply Rmult_le_reg_r with (/ l).
      - now apply Rinv_0_lt_compat.
      - unfold Rdiv in Hw. lra. }
    pose proof (cell_width j Hj) as Hw.
    apply pair_loss with (start j) (start (j + 1)) (exp (- ((start (j + 1) - start j) / l)));
      try easy; [now apply cell_q | |];
      apply (interval_bounds p); auto using inside_cell; try lra;
      apply start_distances; lia || lra.
  - rewrite !(impossible_output _ o Hnone). lra.
Qed.

(** The same for a set of outputs. *)
Definition set_chance (x : R) (S : R -> bool) : R :=
  float_chance p l (clamp B x) (fun w => S (release p B L w)).

Lemma float_chance_ext x S S' :
  (forall w, S w = S' w) -> float_chance p l x S = float_chance p l x S'.
Proof.
  intros H. unfold float_chance. do 2 f_equal; apply chance_ext; intros u _; apply H.
Qed.

Lemma float_chance_plus x S S' :
  (forall w, S w && S' w = false) ->
  float_chance p l x (fun w => S w || S' w) = float_chance p l x S + float_chance p l x S'.
Proof.
  intros H.
  assert (Hc : forall f : R -> R, chance p (fun u => S (f u) || S' (f u))
                                  = chance p (fun u => S (f u)) + chance p (fun u => S' (f u))).
  { intros f. pose proof (chance_minus p (fun u => S (f u) || S' (f u)) (fun u => S' (f u))) as Hm.
    cbv beta in Hm.
    rewrite (chance_ext p (fun u => (S (f u) || S' (f u)) && negb (S' (f u))) (fun u => S (f u)))
      in Hm.
    - rewrite Hm; [ring |]. intros u _ ->. apply orb_true_r.
    - intros u _. specialize (H (f u)). now destruct (S (f u)), (S' (f u)). }
  unfold float_chance. rewrite !Hc. field.
Qed.

(** All outputs together have probability 1. *)
Theorem set_chance_total x : set_chance x (fun _ => true) = 1.
Proof. unfold set_chance, float_chance. rewrite !(chance_full p) by easy. field. Qed.

Theorem snapping_set_loss x x' S :
  set_chance x S <= exp (Rabs (x - x') / l + excess) * set_chance x' S.
Proof.
  assert (H : forall os, set_chance x (restricted S os)
                         <= exp (Rabs (x - x') / l + excess) * set_chance x' (restricted S os)).
  { unfold set_chance. induction os as [| o os IH].
    - unfold float_chance.
      rewrite !(chance_empty p) by (intros u _; apply restricted_nil). lra.
    - destruct (restricted_cases S o os) as [Ho | [Hn Ho]].
      + rewrite !(float_chance_ext _ (fun w => restricted S (o :: os) (release p B L w))
                    (fun w => restricted S os (release p B L w))); [exact IH | |];
          intros w; now apply restricted_skip.
      + assert (E : forall y, float_chance p l y (fun w => restricted S (o :: os) (release p B L w))
                    = float_chance p l y (gives (release p B L) o)
                      + float_chance p l y (fun w => restricted S os (release p B L w))).
        { intros y. rewrite <- float_chance_plus by (intros w; now apply restricted_disjoint).
          apply float_chance_ext. intros w. now apply restricted_add. }
        rewrite !E.
        pose proof (snapping_loss x x' o) as Hone. unfold snapping_chance in Hone. lra. }
  specialize (H (outputs B L)). unfold set_chance in *.
  rewrite !(float_chance_ext _ (fun w => S (release p B L w))
              (fun w => restricted S (outputs B L) (release p B L w))); [exact H | |];
    intros w; symmetry; apply restricted_all, finish_listed; auto using L_positive.
Qed.

End Loss.
