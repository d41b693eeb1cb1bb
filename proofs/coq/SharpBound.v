(** * The sharper bound, for the program

    What lastbit/verify/floats/bound.h computes is a bound on the loss of the program: the theorem of
    proofs/snapping.md#sharp, for all real inputs and every set of outputs. *)

From Coq Require Import Reals Lra Lia ZArith Bool List Classical.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.
From Lastbit Require Import Laplace IdealSnapping Rounding UnitFloat Thresholds Exponential OneCell.
From Lastbit Require Import SnappingLoss Snapping Steps Levels SharpLoss SharpCells SharpTable.
Local Open Scope R_scope.

Section Bound.

Variable p : Z.
Hypothesis p_large : (7 <= p)%Z.
Local Instance precision_positive : Prec_gt_0 p.
Proof. unfold Prec_gt_0. lia. Qed.

Variables l B : R.
Variable k : Z.
Notation L := (bpow radix2 k).
Hypothesis l_positive : 0 < l.
Hypothesis B_positive : 0 < B.
Hypothesis grid_covers : l <= L < 2 * l.
Hypothesis width_limit : B <= bpow radix2 (p - 7) * l.

(** ** The quantities of the bound *)

(** The boundary of the last cell, the largest distance of an input from an end of a cell, the least
    and the largest width of a cell in units of the scale, and the half gap between floats at the
    largest logarithm. *)
Definition last_boundary : R := (IZR (last B L) + / 2) * L.
Definition farthest : R := B + (1 + eta p) * last_boundary.
Definition least_width : R := (L - eta p * last_boundary) / l.
Definition largest_width : R := (L + eta p * last_boundary) / l.
Definition logarithm_half_gap : R :=
  half_gap p Above ((farthest + half_gap p Above farthest) / l).

(** What the rounding of the logarithm adds to a threshold. When the scale is a power of two, its
    product with the rounded logarithm is a float, and one rounding is all there is. *)
Definition logarithm_adds (H2 : R) : Prop :=
  H2 = logarithm_half_gap \/ (H2 = 0 /\ l = L).

(** The excess for inputs at most [D] apart, when the rounding of the logarithm adds [H2] and that
    of the product costs [near] half gaps at the near end of a cell and [far] at the far end. *)
Definition sharp_excess (H2 near far D : R) : R :=
  table_excess p l least_width largest_width farthest H2 near far (Rmin D (2 * B)).

Lemma last_boundary_range : 0 < last_boundary <= B + L / 2.
Proof.
  pose proof (bpow_gt_0 radix2 k) as HL. destruct (last_spec B L HL) as [HK _].
  pose proof (last_nonnegative B L HL B_positive) as HK0. apply IZR_le in HK0.
  unfold last_boundary. split; [apply Rmult_lt_0_compat; lra | lra].
Qed.

Lemma eta_last_boundary : eta p * last_boundary <= l / 128 + L / 256.
Proof.
  pose proof (eta_range p p_large) as He. pose proof last_boundary_range as HY.
  pose proof (scaled_width_range p p_large l B l_positive B_positive width_limit) as [_ Hb].
  apply Rmult_le_compat_r with (r := l) in Hb; [| lra].
  replace (eta p * (B / l) * l) with (eta p * B) in Hb by (field; lra).
  apply Rle_trans with (eta p * (B + L / 2)); [apply Rmult_le_compat_l; lra |].
  assert (eta p * (L / 2) <= 1 / 128 * (L / 2)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma widths_range : 0.988 <= least_width <= 2 /\ 0 <= largest_width <= 3.
Proof.
  pose proof eta_last_boundary as HY. pose proof last_boundary_range as HY0.
  pose proof (eta_range p p_large) as He.
  assert (H0 : 0 <= eta p * last_boundary) by (apply Rmult_le_pos; lra).
  assert (Hdiv : forall s t, s * l <= t -> s <= t / l).
  { intros s t H. apply Rmult_le_reg_r with l; [exact l_positive |].
    replace (t / l * l) with t by (field; lra). exact H. }
  assert (Hdiv' : forall s t, t <= s * l -> t / l <= s).
  { intros s t H. apply Rmult_le_reg_r with l; [exact l_positive |].
    replace (t / l * l) with t by (field; lra). exact H. }
  unfold least_width, largest_width. repeat split; (apply Hdiv || apply Hdiv'); lra.
Qed.

Lemma farthest_positive : 0 < farthest.
Proof.
  pose proof last_boundary_range as HY. pose proof (eta_range p p_large) as He. unfold farthest.
  assert (0 < (1 + eta p) * last_boundary) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma eta_farthest : eta p * (farthest / l) <= 0.0236.
Proof.
  pose proof eta_last_boundary as HY. pose proof last_boundary_range as HY0.
  pose proof (eta_range p p_large) as He.
  pose proof (scaled_width_range p p_large l B l_positive B_positive width_limit) as [_ Hb].
  assert (Hy : eta p * (last_boundary / l) <= 1 / 64).
  { apply Rmult_le_reg_r with l; [exact l_positive |].
    replace (eta p * (last_boundary / l) * l) with (eta p * last_boundary) by (field; lra). lra. }
  replace (eta p * (farthest / l))
    with (eta p * (B / l) + (1 + eta p) * (eta p * (last_boundary / l)))
    by (unfold farthest; field; lra).
  assert ((1 + eta p) * (eta p * (last_boundary / l)) <= (1 + 1 / 128) * (1 / 64)).
  { apply Rmult_le_compat; try lra. apply Rmult_le_pos; [lra |].
    left. apply Rdiv_lt_0_compat; lra. }
  lra.
Qed.

(** A cell stays wide enough, whatever the roundings do to its ends. *)
Lemma width_stays H2 :
  H2 <= eta p * (1 + eta p) * (farthest / l) ->
  exp (- safe_width p l least_width farthest H2) <= / 2.
Proof.
  intros HH2. pose proof eta_farthest as Hx. pose proof (eta_range p p_large) as He.
  destruct widths_range as [Hw _]. pose proof farthest_positive as HX.
  assert (Hh : half_gap p Above farthest / l <= 0.0236).
  { apply Rle_trans with (2 := Hx). unfold Rdiv. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat |]. now apply half_gap_relative. }
  assert (Hl : H2 <= 0.0239).
  { apply Rle_trans with (1 := HH2).
    replace (eta p * (1 + eta p) * (farthest / l)) with ((1 + eta p) * (eta p * (farthest / l)))
      by ring.
    assert ((1 + eta p) * (eta p * (farthest / l)) <= (1 + 1 / 128) * 0.0236); [| lra].
    apply Rmult_le_compat; try lra. apply Rmult_le_pos; [lra |].
    left. now apply Rdiv_lt_0_compat. }
  set (g := safe_width p l least_width farthest H2).
  assert (Hg : 0.89 <= g) by (unfold g, safe_width, shift_error; lra).
  apply Rle_trans with (exp (Ropp 0.89)); [apply exp_le_compat; lra |].
  pose proof (exp_quadratic_below 0.89 ltac:(lra)) as Hq. pose proof (exp_inverse 0.89) as Hi.
  rewrite exp_Ropp. apply Rinv_le_contravar; lra.
Qed.

(** ** The cells of the program *)

Lemma start_near j :
  (- last B L <= j <= last B L + 1)%Z ->
  Rabs (boundary L j) <= last_boundary /\
  0 <= boundary L j - start p k j <= eta p * last_boundary.
Proof.
  intros Hj. pose proof (bpow_gt_0 radix2 k) as HL.
  assert (Hb : Rabs (boundary L j) <= last_boundary).
  { destruct Hj as [H1 H3]. apply IZR_le in H1. apply IZR_le in H3.
    rewrite opp_IZR in H1. rewrite plus_IZR in H3. unfold boundary, last_boundary.
    rewrite Rabs_mult, (Rabs_right L) by lra. apply Rmult_le_compat_r; [lra |].
    apply Rabs_le. lra. }
  split; [exact Hb |].
  pose proof (boundary_float p p_large l B k B_positive grid_covers width_limit j Hj) as Hf.
  destruct (midpoint_close p _ Hf (boundary_nonzero L j HL)) as [H1 H3]. split; [exact H1 |].
  apply Rle_trans with (1 := H3). apply Rmult_le_compat_l; [| exact Hb].
  left. apply eta_positive.
Qed.

Lemma start_distance j x :
  (- last B L <= j <= last B L + 1)%Z -> - B <= x <= B -> Rabs (start p k j - x) <= farthest.
Proof.
  intros Hj Hx. destruct (start_near j Hj) as [Hb Hs]. apply Rabs_le_inv in Hb.
  apply Rabs_le. unfold farthest. lra.
Qed.

Lemma start_width j :
  (- last B L <= j <= last B L)%Z ->
  start p k j < start p k (j + 1) /\
  least_width <= (start p k (j + 1) - start p k j) / l <= largest_width.
Proof.
  intros Hj. destruct (start_near j ltac:(lia)) as [_ H1].
  destruct (start_near (j + 1) ltac:(lia)) as [_ H3].
  assert (HL : boundary L (j + 1) - boundary L j = L).
  { unfold boundary. rewrite plus_IZR. ring. }
  assert (Hw : least_width <= (start p k (j + 1) - start p k j) / l <= largest_width).
  { unfold least_width, largest_width. split; apply divide_le; lra. }
  split; [| exact Hw]. destruct widths_range as [Hr _].
  apply Rmult_lt_reg_r with (/ l); [now apply Rinv_0_lt_compat |]. unfold Rdiv in Hw. lra.
Qed.

(** ** One output *)

Variables H2 near far D : R.
Hypothesis adds : logarithm_adds H2.

Lemma logarithm_levels : levels p l farthest H2.
Proof.
  destruct adds as [-> | [-> Hl]]; [apply levels_general | apply levels_power_of_two with k];
    auto using precision_positive, farthest_positive.
Qed.

Lemma logarithm_range : 0 <= H2 <= eta p * (1 + eta p) * (farthest / l).
Proof.
  pose proof farthest_positive as HX. pose proof (eta_positive p) as He.
  pose proof (half_gap_positive p Above farthest) as Hh.
  pose proof (half_gap_relative p Above _ HX) as Hr.
  destruct adds as [-> | [-> _]].
  - split; [left; apply half_gap_positive |]. unfold logarithm_half_gap.
    assert (Hd : 0 < (farthest + half_gap p Above farthest) / l)
      by (apply Rdiv_lt_0_compat; lra).
    apply Rle_trans with (1 := half_gap_relative p Above _ Hd). rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [lra |]. unfold Rdiv. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra].
  - split; [apply Rle_refl |]. apply Rmult_le_pos; [apply Rmult_le_pos; lra |].
    left. now apply Rdiv_lt_0_compat.
Qed.

Definition input_costs (x x' : R) : Prop :=
  costs p l least_width farthest H2 near far (clamp B x) (clamp B x').

Theorem sharp_output x x' o :
  Rabs (x - x') <= D -> input_costs x x' ->
  snapping_chance p l B k x o
  <= exp (Rabs (x - x') / l + sharp_excess H2 near far D) * snapping_chance p l B k x' o.
Proof.
  intros HD Hcost. pose proof (bpow_gt_0 radix2 k) as HL. destruct (eta_range p p_large) as [_ He].
  pose proof logarithm_levels as Hlevels. pose proof logarithm_range as H2_range.
  pose proof (last_nonnegative B L HL B_positive) as HK.
  pose proof (clamp_range B x B_positive) as Hx. pose proof (clamp_range B x' B_positive) as Hx'.
  pose proof (clamp_contracts B x x' B_positive) as Hc. destruct widths_range as [Hw1 Hw2].
  pose proof (width_stays H2 (proj2 H2_range)) as Hg.
  assert (Hs : Rabs (clamp B x - clamp B x') <= Rmin D (2 * B)).
  { apply Rmin_glb; [lra |]. apply Rabs_le. lra. }
  unfold snapping_chance. set (S := gives (release p B L) o).
  assert (Hpos : 0 <= float_chance p l (clamp B x') S) by apply float_chance_positive, _.
  assert (Hmain : float_chance p l (clamp B x) S
    <= exp (Rabs (clamp B x - clamp B x') / l + sharp_excess H2 near far D)
       * float_chance p l (clamp B x') S).
  2: { apply Rle_trans with (1 := Hmain). apply Rmult_le_compat_r; [exact Hpos |].
       apply exp_le_compat. pose proof (divide_le l l_positive _ _ Hc). lra. }
  destruct (classic (exists w, release p B L w = o)) as [[w Ho] | Hnone].
  2: { unfold S, float_chance. rewrite !(chance_empty p); [lra | | | |]; intros u _;
         apply gives_false; intros E; apply Hnone; now eexists; exact E. }
  unfold release in Ho. unfold S. rewrite <- Ho. unfold sharp_excess.
  destruct (finish_outputs B L (fl p w) HL B_positive) as [E | [E | [j [Hj E]]]]; rewrite E.
  - apply (ray_loss_mirror p l least_width largest_width farthest H2 near far)
      with (start p k (- last B L));
      auto using precision_positive; try (apply start_distance; lia || lra); try lra.
    now apply bottom_cell with l.
  - apply (ray_loss p l least_width largest_width farthest H2 near far)
      with (start p k (last B L + 1));
      auto using precision_positive; try (apply start_distance; lia || lra); try lra.
    now apply top_cell with l.
  - destruct (start_width j Hj) as [Hab Hw].
    apply (interval_loss p l least_width largest_width farthest H2 near far)
      with (start p k j) (start p k (j + 1));
      auto using precision_positive; try (apply start_distance; lia || lra); try lra.
    now apply inside_cell with l.
Qed.

(** ** Sets of outputs *)

Theorem sharp_set x x' S :
  Rabs (x - x') <= D -> input_costs x x' ->
  set_chance p l B k x S
  <= exp (Rabs (x - x') / l + sharp_excess H2 near far D) * set_chance p l B k x' S.
Proof.
  intros HD Hcost. set (F := exp (Rabs (x - x') / l + sharp_excess H2 near far D)).
  assert (H : forall os, set_chance p l B k x (restricted S os)
                         <= F * set_chance p l B k x' (restricted S os)).
  { unfold set_chance. induction os as [| o os IH].
    - unfold float_chance.
      rewrite !(chance_empty p) by (intros u _; apply restricted_nil). lra.
    - destruct (restricted_cases S o os) as [Ho | [Hn Ho]].
      + rewrite !(float_chance_ext _ _ _ (fun w => restricted S (o :: os) (release p B L w))
                    (fun w => restricted S os (release p B L w))); [exact IH | |];
          intros w; now apply restricted_skip.
      + assert (E : forall y, float_chance p l y (fun w => restricted S (o :: os) (release p B L w))
                    = float_chance p l y (gives (release p B L) o)
                      + float_chance p l y (fun w => restricted S os (release p B L w))).
        { intros y. rewrite <- (float_chance_plus p p_large) by
            (intros w; now apply restricted_disjoint).
          apply float_chance_ext. intros w. now apply restricted_add. }
        rewrite !E. pose proof (sharp_output x x' o HD Hcost) as Hone. fold F in Hone.
        unfold snapping_chance in Hone. lra. }
  specialize (H (outputs B L)). unfold set_chance in *.
  rewrite !(float_chance_ext _ _ _ (fun w => S (release p B L w))
              (fun w => restricted S (outputs B L) (release p B L w))); [exact H | |];
    intros w; symmetry; apply restricted_all, finish_listed; auto using bpow_gt_0.
Qed.

(** ** What it costs to move an input *)

Lemma clamped_apart x x' : clamp B x <> clamp B x' -> 0 < Rabs (clamp B x - clamp B x').
Proof. intros H. apply Rabs_pos_lt. lra. Qed.

Lemma clamp_on_grid u i m x :
  x = IZR i * u -> B = IZR m * u -> exists j, clamp B x = IZR j * u.
Proof.
  intros Hx HB. destruct (clamp_cases B x B_positive) as [[_ E] | [[_ E] | [_ E]]]; rewrite E.
  - exists (- m)%Z. rewrite HB, opp_IZR. ring.
  - now exists i.
  - now exists m.
Qed.

(** The distance of two clamped inputs of a grid is a multiple of its step. *)
Lemma distance_on_grid u q i i' m x x' :
  u = IZR q * (2 * half_gap p Above farthest) ->
  x = IZR i * u -> x' = IZR i' * u -> B = IZR m * u ->
  exists n, Rabs (clamp B x - clamp B x') = IZR n * (2 * half_gap p Above farthest).
Proof.
  intros Hu Hx Hx' HB. destruct (clamp_on_grid u i m x Hx HB) as [j ->].
  destruct (clamp_on_grid u i' m x' Hx' HB) as [j' ->]. rewrite Hu.
  assert (E : IZR j * (IZR q * (2 * half_gap p Above farthest))
              - IZR j' * (IZR q * (2 * half_gap p Above farthest))
              = IZR ((j - j') * q) * (2 * half_gap p Above farthest)).
  { rewrite mult_IZR, minus_IZR. ring. }
  rewrite E. exists (Z.abs ((j - j') * q)). rewrite Rabs_mult, abs_IZR. f_equal.
  apply Rabs_right. pose proof (half_gap_positive p Above farthest). lra.
Qed.

End Bound.

(** ** The theorems *)

(** What a user may rely on. For a precision of at least 7 bits, a positive scale, the smallest
    power of two that is not below it as the grid and a half-width of at most 2^(p - 7) scales, real
    inputs at most [D] apart give every set of outputs with probabilities that differ by a factor of
    at most exp (|x - x'| / scale + sharp_excess). *)
Theorem sharp_private p k l B H2 D x x' S :
  (7 <= p)%Z -> 0 < l -> 0 < B -> l <= bpow radix2 k < 2 * l -> B <= bpow radix2 (p - 7) * l ->
  logarithm_adds p l B k H2 -> Rabs (x - x') <= D ->
  snap_chance p k l B x S
  <= exp (Rabs (x - x') / l + sharp_excess p l B k H2 2 0 D) * snap_chance p k l B x' S.
Proof.
  intros Hp Hl HB Hk Hw HH2 HD. rewrite !snap_chance_is_set_chance.
  pose proof (precision_positive p Hp) as Hpos.
  apply sharp_set; auto. intros Hne. apply costs_of_reals.
  - apply width_stays; auto. now apply logarithm_range.
  - now apply clamped_apart.
Qed.

(** When the inputs and the half-width are multiples of a step [u], as counts are of 1, and [u] is a
    multiple of the gap between floats at the largest distance, the products cost less: one half
    gap, or half of one if [D] is at most half of the power of two below that distance. *)
Theorem sharp_private_on_grid p k l B H2 D u q i i' m c S :
  (7 <= p)%Z -> 0 < l -> 0 < B -> l <= bpow radix2 k < 2 * l -> B <= bpow radix2 (p - 7) * l ->
  logarithm_adds p l B k H2 ->
  u = IZR q * (2 * half_gap p Above (farthest p B k)) -> B = IZR m * u ->
  c = 1 \/ (c = / 2 /\ 2 * D <= bpow radix2 (exponent Above (farthest p B k))) ->
  let x := IZR i * u in
  let x' := IZR i' * u in
  Rabs (x - x') <= D ->
  snap_chance p k l B x S
  <= exp (Rabs (x - x') / l + sharp_excess p l B k H2 c c D) * snap_chance p k l B x' S.
Proof.
  intros Hp Hl HB Hk Hw HH2 Hu Hm Hc x x' HD. rewrite !snap_chance_is_set_chance.
  pose proof (precision_positive p Hp) as Hpos.
  destruct (distance_on_grid p B k HB u q i i' m x x' Hu eq_refl eq_refl Hm) as [n Hn].
  assert (Hg : exp (- safe_width p l (least_width p l B k) (farthest p B k) H2) <= / 2).
  { apply width_stays; auto. now apply logarithm_range. }
  apply sharp_set; auto. intros Hne. pose proof (clamped_apart B x x' Hne) as H0.
  destruct Hc as [-> | [-> Hs]]; [now apply costs_on_grid with n |].
  apply costs_on_grid_small with n; auto.
  pose proof (clamp_contracts B x x' HB). lra.
Qed.
