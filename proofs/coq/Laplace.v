(** * Real Laplace noise

    The noise that snapping would add if computers had real numbers. A probability is defined as an
    integral of the density, so that no formula below has to be trusted: the formulas
    are theorems. *)

From Coq Require Import Reals Lra Bool.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

(** The density of Laplace noise of scale [l]. *)
Definition density (l t : R) : R := exp (- Rabs t / l) / (2 * l).

(** [is_probability l x S v]: when [x] is the input and Laplace noise is added to it, the sum lies
    in the set [S] with probability [v]. *)
Definition is_probability (l x : R) (S : R -> bool) (v : R) : Prop :=
  is_RInt_gen (fun w => if S w then density l (w - x) else 0)
    (Rbar_locally m_infty) (Rbar_locally p_infty) v.

(** [is_cell S a b]: the set [S] is the interval, or ray, or line, with the ends [a] and [b]. Which
    ends belong to it is left open. *)
Definition is_cell (S : R -> bool) (a b : Rbar) : Prop :=
  (forall w : R, Rbar_lt a w -> Rbar_lt w b -> S w = true) /\
  (forall w : R, Rbar_lt w a \/ Rbar_lt b w -> S w = false).

(** The distribution function, in closed form, and its extension to infinite ends. *)
Definition cdf (l t : R) : R :=
  if Rle_dec t 0 then exp (t / l) / 2 else 1 - exp (- t / l) / 2.

Definition cdf_at (l x : R) (e : Rbar) : R :=
  match e with
  | Finite e => cdf l (e - x)
  | p_infty => 1
  | m_infty => 0
  end.

Definition mass (l x : R) (a b : Rbar) : R := cdf_at l x b - cdf_at l x a.

Lemma cdf_left l t : t <= 0 -> cdf l t = exp (t / l) / 2.
Proof. intros H. unfold cdf. destruct (Rle_dec t 0); [reflexivity | lra]. Qed.

Lemma cdf_right l t : 0 <= t -> cdf l t = 1 - exp (- t / l) / 2.
Proof.
  intros H. unfold cdf. destruct (Rle_dec t 0) as [H' | _]; [| reflexivity].
  replace t with 0 by lra. unfold Rdiv. rewrite Ropp_0, Rmult_0_l, exp_0. lra.
Qed.

(** ** The integral of the density *)

Lemma density_integral_left l a b :
  0 < l -> a <= b -> b <= 0 -> is_RInt (density l) a b (cdf l b - cdf l a).
Proof.
  intros Hl Hab Hb. rewrite !cdf_left by lra.
  apply is_RInt_ext with (f := fun t => exp (t / l) / (2 * l)).
  { rewrite Rmin_left, Rmax_right by lra. intros t Ht. unfold density.
    rewrite Rabs_left by lra. now rewrite Ropp_involutive. }
  apply (is_RInt_derive (fun t => exp (t / l) / 2) (fun t => exp (t / l) / (2 * l))).
  - intros t _. auto_derive; [exact I |]. unfold Rdiv. field. lra.
  - intros t _. apply (ex_derive_continuous (fun t => exp (t / l) / (2 * l))).
    auto_derive. exact I.
Qed.

Lemma density_integral_right l a b :
  0 < l -> 0 <= a -> a <= b -> is_RInt (density l) a b (cdf l b - cdf l a).
Proof.
  intros Hl Ha Hab. rewrite !cdf_right by lra.
  apply is_RInt_ext with (f := fun t => exp (- t / l) / (2 * l)).
  { rewrite Rmin_left, Rmax_right by lra. intros t Ht. unfold density.
    rewrite Rabs_right by lra. reflexivity. }
  apply (is_RInt_derive (fun t => 1 - exp (- t / l) / 2) (fun t => exp (- t / l) / (2 * l))).
  - intros t _. auto_derive; [exact I |]. unfold Rdiv. field. lra.
  - intros t _. apply (ex_derive_continuous (fun t => exp (- t / l) / (2 * l))).
    auto_derive. exact I.
Qed.

Lemma integral_chain (f : R -> R) a b c u v :
  is_RInt f a b u -> is_RInt f b c v -> is_RInt f a c (u + v).
Proof. apply (is_RInt_Chasles (V := R_NormedModule)). Qed.

Lemma density_integral_centred l a b :
  0 < l -> a <= b -> is_RInt (density l) a b (cdf l b - cdf l a).
Proof.
  intros Hl Hab.
  destruct (Rle_lt_dec b 0) as [Hb | Hb]; [now apply density_integral_left |].
  destruct (Rle_lt_dec 0 a) as [Ha | Ha]; [now apply density_integral_right |].
  replace (cdf l b - cdf l a) with (cdf l 0 - cdf l a + (cdf l b - cdf l 0)) by ring.
  apply integral_chain with 0.
  - apply density_integral_left; lra.
  - apply density_integral_right; lra.
Qed.

(** The closed form is the integral of the density, wherever the input is. *)
Lemma density_integral l x a b :
  0 < l -> a <= b -> is_RInt (fun w => density l (w - x)) a b (cdf l (b - x) - cdf l (a - x)).
Proof.
  intros Hl Hab.
  apply is_RInt_ext with (f := fun w => scal 1 (density l (1 * w + - x))).
  { intros w _. unfold scal; simpl; unfold mult; simpl. rewrite Rmult_1_l. f_equal. ring. }
  apply (is_RInt_comp_lin (density l) 1 (- x) a b).
  replace (1 * a + - x) with (a - x) by ring. replace (1 * b + - x) with (b - x) by ring.
  apply density_integral_centred; lra.
Qed.

(** ** Limits at infinity *)

Lemma exp_small l : 0 < l -> forall eps : posreal, exists M, forall t, t < M -> exp (t / l) < eps.
Proof.
  intros Hl [eps Heps]. exists (l * ln eps). intros t Ht. simpl.
  rewrite <- (exp_ln eps Heps). apply exp_increasing.
  apply Rmult_lt_reg_r with l; [exact Hl |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(** What stands for an end [e] while the line is cut off at [t]. *)
Definition cut (e : Rbar) (t : R) : R := match e with Finite e => e | _ => t end.

Lemma cdf_limit_right l x e :
  0 < l -> e <> m_infty ->
  filterlim (fun t => cdf l (cut e t - x)) (Rbar_locally p_infty) (locally (cdf_at l x e)).
Proof.
  intros Hl He. destruct e as [e | |]; [apply (filterlim_const (cdf l (e - x))) | | easy].
  apply filterlim_locally. intros eps. destruct (exp_small l Hl eps) as [M HM].
  exists (Rmax x (x - M)). intros t Ht.
  pose proof (Rmax_l x (x - M)). pose proof (Rmax_r x (x - M)).
  unfold cut, cdf_at. rewrite cdf_right by lra.
  assert (Hs : exp (- (t - x) / l) < eps) by (apply HM; lra).
  pose proof (exp_pos (- (t - x) / l)).
  change (Rabs (1 - exp (- (t - x) / l) / 2 - 1) < eps). rewrite Rabs_left; lra.
Qed.

Lemma cdf_limit_left l x e :
  0 < l -> e <> p_infty ->
  filterlim (fun t => cdf l (cut e t - x)) (Rbar_locally m_infty) (locally (cdf_at l x e)).
Proof.
  intros Hl He. destruct e as [e | |]; [apply (filterlim_const (cdf l (e - x))) | easy |].
  apply filterlim_locally. intros eps. destruct (exp_small l Hl eps) as [M HM].
  exists (Rmin x (x + M)). intros t Ht.
  pose proof (Rmin_l x (x + M)). pose proof (Rmin_r x (x + M)).
  unfold cut, cdf_at. rewrite cdf_left by lra.
  assert (Hs : exp ((t - x) / l) < eps) by (apply HM; lra).
  pose proof (exp_pos ((t - x) / l)).
  change (Rabs (exp ((t - x) / l) / 2 - 0) < eps). rewrite Rabs_right; lra.
Qed.

(** ** Probabilities of intervals and rays *)

Lemma zero_integral (f : R -> R) a b :
  a <= b -> (forall w, a < w < b -> f w = 0) -> is_RInt f a b 0.
Proof.
  intros Hab Hf. replace 0 with (scal (b - a) 0) by (unfold scal; simpl; apply Rmult_0_r).
  apply is_RInt_ext with (f := fun _ => 0).
  - rewrite Rmin_left, Rmax_right by lra. intros w Hw. symmetry. now apply Hf.
  - apply (@is_RInt_const R_NormedModule).
Qed.

Lemma cut_integral l x S a b s t :
  0 < l -> is_cell S a b -> s <= cut a s -> cut a s <= cut b t -> cut b t <= t ->
  a <> p_infty -> b <> m_infty ->
  is_RInt (fun w => if S w then density l (w - x) else 0) s t
    (cdf l (cut b t - x) - cdf l (cut a s - x)).
Proof.
  intros Hl [Hin Hout] H1 H2 H3 Ha Hb.
  replace (cdf l (cut b t - x) - cdf l (cut a s - x))
    with (0 + (cdf l (cut b t - x) - cdf l (cut a s - x)) + 0) by ring.
  apply integral_chain with (cut b t); [apply integral_chain with (cut a s) |].
  - apply zero_integral; [exact H1 |]. intros w Hw.
    rewrite Hout; [reflexivity |]. left. destruct a; simpl in *; easy || lra.
  - apply is_RInt_ext with (f := fun w => density l (w - x)).
    + rewrite Rmin_left, Rmax_right by lra. intros w Hw.
      rewrite Hin; [reflexivity | |].
      * destruct a; simpl in *; easy || lra.
      * destruct b; simpl in *; easy || lra.
    + now apply density_integral.
  - apply zero_integral; [exact H3 |]. intros w Hw.
    rewrite Hout; [reflexivity |]. right. destruct b; simpl in *; easy || lra.
Qed.

(** The probability of an interval, a ray or the line is the difference of the distribution function
    at its ends. *)
Theorem cell_probability l x S a b :
  0 < l -> is_cell S a b -> Rbar_le a b -> a <> p_infty -> b <> m_infty ->
  is_probability l x S (mass l x a b).
Proof.
  intros Hl HS Hab Ha Hb. unfold is_probability, is_RInt_gen.
  apply filterlimi_lim_ext_loc
    with (f := fun st => cdf l (cut b (snd st) - x) - cdf l (cut a (fst st) - x)).
  - apply Filter_prod with (Q := fun s => s < Rmin 0 (cut b 0) /\ s <= cut a s)
                           (R := fun t => Rmax 0 (cut a 0) < t /\ cut b t <= t).
    + destruct a as [a | |]; [| easy |].
      * exists (Rmin a (Rmin 0 (cut b 0))). intros s Hs. simpl.
        pose proof (Rmin_l a (Rmin 0 (cut b 0))). pose proof (Rmin_r a (Rmin 0 (cut b 0))). lra.
      * exists (Rmin 0 (cut b 0)). intros s Hs. simpl. lra.
    + destruct b as [b | |]; [| | easy].
      * exists (Rmax b (Rmax 0 (cut a 0))). intros t Ht. simpl.
        pose proof (Rmax_l b (Rmax 0 (cut a 0))). pose proof (Rmax_r b (Rmax 0 (cut a 0))). lra.
      * exists (Rmax 0 (cut a 0)). intros t Ht. simpl. lra.
    + intros s t [Hs Hs'] [Ht Ht']. simpl. apply cut_integral; try assumption.
      pose proof (Rmin_l 0 (cut b 0)). pose proof (Rmin_r 0 (cut b 0)).
      pose proof (Rmax_l 0 (cut a 0)). pose proof (Rmax_r 0 (cut a 0)).
      destruct a as [a | |], b as [b | |]; simpl in *; easy || lra.
  - unfold mass, Rminus.
    apply (filterlim_comp_2 (G := locally (cdf_at l x b)) (H := locally (- cdf_at l x a))
             (fun st => cdf l (cut b (snd st) - x)) (fun st => - cdf l (cut a (fst st) - x)) Rplus).
    + apply (filterlim_comp (R * R) R R snd (fun t => cdf l (cut b t - x)))
        with (G := Rbar_locally p_infty); [apply filterlim_snd | now apply cdf_limit_right].
    + apply (filterlim_comp (R * R) R R (fun st => cdf l (cut a (fst st) - x)) Ropp)
        with (G := locally (cdf_at l x a)).
      * apply (filterlim_comp (R * R) R R fst (fun t => cdf l (cut a t - x)))
          with (G := Rbar_locally m_infty); [apply filterlim_fst | now apply cdf_limit_left].
      * apply (filterlim_opp (V := R_NormedModule)).
    + apply (filterlim_plus (V := R_NormedModule)).
Qed.

(** The line has probability 1: the density is one of a distribution. *)
Theorem total_probability l x : 0 < l -> is_probability l x (fun _ => true) 1.
Proof.
  intros Hl. replace 1 with (mass l x m_infty p_infty) by (unfold mass; simpl; lra).
  apply cell_probability; try easy. split; [easy |]. intros w [H | H]; destruct H.
Qed.

(** A set without points has probability 0. *)
Lemma empty_probability l x S : (forall w, S w = false) -> is_probability l x S 0.
Proof.
  intros HS. apply filterlimi_lim_ext_loc with (f := fun _ => 0);
    [| apply (filterlim_const 0)].
  apply Filter_prod with (Q := fun s => s < 0) (R := fun t => 0 < t).
  - now exists 0.
  - now exists 0.
  - intros s t Hs Ht. simpl. apply zero_integral; [lra |]. intros w _. now rewrite HS.
Qed.

Lemma probability_ext l x S S' v :
  (forall w, S w = S' w) -> is_probability l x S v -> is_probability l x S' v.
Proof.
  intros HS. unfold is_probability.
  apply (is_RInt_gen_ext (V := R_NormedModule)), filter_forall. intros st w _. now rewrite HS.
Qed.

(** Probabilities of sets without a common point add up. *)
Lemma probability_plus l x S S' v v' :
  (forall w, S w && S' w = false) -> is_probability l x S v -> is_probability l x S' v' ->
  is_probability l x (fun w => S w || S' w) (v + v').
Proof.
  intros HS Hv Hv'.
  refine (is_RInt_gen_ext (V := R_NormedModule) _ _ _ _
            (is_RInt_gen_plus (V := R_NormedModule) _ _ v v' Hv Hv')).
  apply filter_forall. intros st w _. specialize (HS w). unfold plus; simpl.
  destruct (S w), (S' w); simpl in *; easy || lra.
Qed.

(** A set has one probability. *)
Lemma probability_unique l x S v v' : is_probability l x S v -> is_probability l x S v' -> v = v'.
Proof.
  intros H H'. rewrite <- (is_RInt_gen_unique _ _ H). now apply is_RInt_gen_unique.
Qed.

(** ** Privacy of real noise *)

Lemma density_ratio l x x' w :
  0 < l -> density l (w - x) <= exp (Rabs (x - x') / l) * density l (w - x').
Proof.
  intros Hl. unfold density, Rdiv. rewrite <- Rmult_assoc, <- exp_plus.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |].
  assert (H : - Rabs (w - x) <= Rabs (x - x') + - Rabs (w - x')).
  { pose proof (Rabs_triang (w - x) (x - x')).
    replace (w - x + (x - x')) with (w - x') in H by ring.
    lra. }
  rewrite <- Rmult_plus_distr_r.
  destruct H as [H | H]; [left | right].
  - apply exp_increasing. apply Rmult_lt_compat_r; [now apply Rinv_0_lt_compat | exact H].
  - now rewrite H.
Qed.

Lemma integral_monotone (f g : R -> R) v v' :
  (forall w, f w <= g w) ->
  is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) v ->
  is_RInt_gen g (Rbar_locally m_infty) (Rbar_locally p_infty) v' -> v <= v'.
Proof.
  intros Hfg Hv Hv'. apply Rnot_lt_le. intros Hlt.
  assert (He : 0 < (v - v') / 2) by lra.
  unfold is_RInt_gen in Hv, Hv'. rewrite filterlimi_locally in Hv, Hv'.
  specialize (Hv (mkposreal _ He)). specialize (Hv' (mkposreal _ He)).
  assert (Hord : filter_prod (Rbar_locally m_infty) (Rbar_locally p_infty)
                   (fun st => fst st <= snd st)).
  { apply Filter_prod with (Q := fun s => s < 0) (R := fun t => 0 < t).
    - now exists 0.
    - now exists 0.
    - intros s t Hs Ht. simpl. lra. }
  pose proof (filter_and _ _ (filter_and _ _ Hv Hv') Hord) as H. clear Hv Hv' Hord.
  apply filter_ex in H. destruct H as [[s t] [[[z [Hz Bz]] [z' [Hz' Bz']]] Hst]].
  simpl in *.
  assert (Hle : z <= z') by (apply (is_RInt_le f g s t); auto).
  apply Rabs_lt_between in Bz. apply Rabs_lt_between in Bz'.
  unfold minus, plus, opp in Bz, Bz'; simpl in Bz, Bz'. lra.
Qed.

Lemma density_positive l t : 0 < l -> 0 < density l t.
Proof. intros Hl. apply Rdiv_lt_0_compat; [apply exp_pos | lra]. Qed.

Lemma probability_nonnegative l x S v : 0 < l -> is_probability l x S v -> 0 <= v.
Proof.
  intros Hl Hv.
  apply integral_monotone with (f := fun w => if (fun _ => false) w then density l (w - x) else 0)
                               (g := fun w => if S w then density l (w - x) else 0).
  - intros w. destruct (S w); [left; now apply density_positive | apply Rle_refl].
  - exact (empty_probability l x (fun _ => false) (fun _ => eq_refl)).
  - exact Hv.
Qed.

(** Real Laplace noise is private for every event that has a probability: moving the input by a
    distance changes the probability by a factor of at most exp (distance / scale). *)
Theorem event_private l x x' S v v' :
  0 < l -> is_probability l x S v -> is_probability l x' S v' ->
  v <= exp (Rabs (x - x') / l) * v'.
Proof.
  intros Hl Hv Hv'. set (k := exp (Rabs (x - x') / l)).
  apply integral_monotone with (f := fun w => if S w then density l (w - x) else 0)
                               (g := fun w => scal k (if S w then density l (w - x') else 0)).
  - intros w. unfold scal; simpl; unfold mult; simpl. destruct (S w).
    + now apply density_ratio.
    + lra.
  - exact Hv.
  - apply (is_RInt_gen_scal (V := R_NormedModule)). exact Hv'.
Qed.

(** The open interval between two ends, as a set. *)
Definition between (a b : Rbar) (w : R) : bool :=
  if Rbar_lt_dec a w then if Rbar_lt_dec w b then true else false else false.

Lemma between_is_cell a b : is_cell (between a b) a b.
Proof.
  split; intros w; unfold between.
  - intros H1 H2. destruct (Rbar_lt_dec a w); [| easy]. now destruct (Rbar_lt_dec w b).
  - intros H. destruct (Rbar_lt_dec a w) as [H1 |]; [| reflexivity].
    destruct (Rbar_lt_dec w b) as [H2 |]; [| reflexivity]. exfalso. destruct H as [H | H].
    + apply (Rbar_lt_not_le _ _ H). now apply Rbar_lt_le.
    + apply (Rbar_lt_not_le _ _ H). now apply Rbar_lt_le.
Qed.

(** The same for the closed form: intervals and rays, wherever they lie to the two inputs. *)
Theorem mass_private l x x' a b :
  0 < l -> Rbar_le a b -> a <> p_infty -> b <> m_infty ->
  mass l x a b <= exp (Rabs (x - x') / l) * mass l x' a b.
Proof.
  intros Hl Hab Ha Hb. pose proof (between_is_cell a b) as HS.
  apply event_private with (between a b); [exact Hl | |]; now apply cell_probability.
Qed.

Lemma mass_nonnegative l x a b :
  0 < l -> Rbar_le a b -> a <> p_infty -> b <> m_infty -> 0 <= mass l x a b.
Proof.
  intros Hl Hab Ha Hb. apply probability_nonnegative with l x (between a b); [exact Hl |].
  pose proof (between_is_cell a b) as HS. now apply cell_probability.
Qed.
