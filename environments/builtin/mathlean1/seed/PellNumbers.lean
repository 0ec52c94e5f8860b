/-
Copyright (c) 2024 Ilse Vandamme. All rights reserved.
Released under Apache 2.0 license as described in the file LICENSE.
Authors: Ilse Vandamme, Tuomas Arola
-/
import Mathlib.NumberTheory.Zsqrtd.Basic
import Mathlib.Algebra.BigOperators.Intervals
import Mathlib.Data.Nat.ModEq
import Mathlib.Tactic.Linarith
import Mathlib.Tactic.Ring

/-!
# Pell numbers

The Pell numbers `0, 1, 2, 5, 12, 29, …` and the half-companion numbers `1, 1, 3, 7, 17, 41, …`
both satisfy `u (n + 2) = 2 * u (n + 1) + u n`. They are the two coordinates of the powers of
`1 + √2` in `ℤ√2`, which gives most of the identities below.

## Main results

* `Pell.half_sq`: `h n ^ 2 = 2 * p n ^ 2 ± 1`, the sign being that of `(-1) ^ n`.
* `Pell.p_add`: the addition formula, from which divisibility follows.
* `Pell.two_dvd_p_iff`: `p n` is even exactly if `n` is.

## References

* [T. Koshy, *Pell and Pell–Lucas Numbers with Applications*][koshy2014]

## TODO

* Move the lemmas on `ℤ√2` to `Mathlib.NumberTheory.Zsqrtd` once they have settled.
-/

namespace Pell

/-- The Pell numbers, OEIS A000129. -/
def p : ℕ → ℕ
  | 0 => 0
  | 1 => 1
  | n + 2 => 2 * p (n + 1) + p n

/-- The half-companion Pell numbers, OEIS A001333. -/
def h : ℕ → ℕ
  | 0 => 1
  | 1 => 1
  | n + 2 => 2 * h (n + 1) + h n

section Recurrence

@[simp]
theorem p_zero : p 0 = 0 := rfl

@[simp]
theorem p_one : p 1 = 1 := rfl

@[simp]
theorem h_zero : h 0 = 1 := rfl

@[simp]
theorem h_one : h 1 = 1 := rfl

theorem p_add_two (n : ℕ) : p (n + 2) = 2 * p (n + 1) + p n := rfl

theorem h_add_two (n : ℕ) : h (n + 2) = 2 * h (n + 1) + h n := rfl

/-- `p (n + 1) = p n + h n`; with `h_succ` this is one step of Theon's ladder. -/
theorem p_succ (n : ℕ) : p (n + 1) = p n + h n := by
  induction n using Nat.twoStepInduction with
  | zero => rfl
  | one => rfl
  | more n ih₀ ih₁ =>
    rw [p_add_two, h_add_two]
    -- both sides are `2 * _ + _` by now
    omega

theorem h_succ (n : ℕ) : h (n + 1) = h n + 2 * p n := by
  induction n using Nat.twoStepInduction with
  | zero => rfl
  | one => rfl
  | more n ih₀ ih₁ =>
    rw [h_add_two, p_add_two]
    omega

lemma p_pos {n : ℕ} (hn : 0 < n) : 0 < p n := by
  obtain ⟨k, rfl⟩ : ∃ k, n = k + 1 := ⟨n - 1, by omega⟩
  induction k with
  | zero => decide
  | succ k ih => rw [p_succ]; have := ih (by omega); omega

lemma h_pos (n : ℕ) : 0 < h n := by
  induction n with
  | zero => decide
  | succ n ih => rw [h_succ]; omega

/-- From `1` on the Pell numbers grow; `p 0 < p 1 < p 2` is included. -/
theorem p_strictMono : StrictMono p :=
  strictMono_nat_of_lt_succ fun n ↦ by
    rw [p_succ]
    exact Nat.lt_add_of_pos_right (h_pos n)

end Recurrence

section Addition

variable (m n : ℕ)

/-- The addition formula. Compare `Nat.fib_add`. -/
theorem p_add : p (m + n + 1) = p (m + 1) * p (n + 1) + p m * p n := by
  induction n using Nat.twoStepInduction generalizing m with
  | zero => simp
  | one =>
    rw [show m + 1 + 1 = m + 2 from rfl, p_add_two]
    simp [p_add_two]
    ring
  | more n ih₀ ih₁ =>
    have key := p_add_two (m + n + 1)
    rw [show m + (n + 2) + 1 = m + n + 1 + 2 by ring, key]
    rw [show m + n + 1 + 1 = m + (n + 1) + 1 by ring, ih₁, ih₀]
    simp only [p_add_two]
    ring

theorem p_two_mul : p (2 * n) = 2 * p n * h n := by
  cases n with
  | zero => rfl
  | succ k =>
    have e := p_add k (k + 1)
    rw [show k + (k + 1) + 1 = 2 * (k + 1) by ring] at e
    rw [e, p_add_two, p_succ k]
    have := h_succ k
    have := p_succ k
    nlinarith

theorem p_dvd_p_mul : p m ∣ p (m * n) := by
  induction n with
  | zero => simp
  | succ n ih =>
    rcases m with _ | m
    · simp
    · rw [show (m + 1) * (n + 1) = (m + 1) * n + m + 1 by ring, p_add]
      exact dvd_add (dvd_mul_left _ _) (ih.mul_right _)

/-- Twice the sum of the first Pell numbers, up to `p n`. -/
theorem two_mul_sum_p : 2 * ∑ k ∈ Finset.range (n + 1), p k = p (n + 1) + p n - 1 := by
  induction n with
  | zero => simp
  | succ n ih =>
    rw [Finset.sum_range_succ, mul_add, ih, p_add_two]
    have := p_pos n.succ_pos
    omega

end Addition

section Parity

/-- Every half-companion number is odd. -/
theorem h_odd (n : ℕ) : h n % 2 = 1 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [h_succ]; omega

theorem p_mod_two (n : ℕ) : p n % 2 = n % 2 := by
  induction n with
  | zero => rfl
  | succ n ih =>
    rw [p_succ]
    have := h_odd n
    omega

theorem two_dvd_p_iff (n : ℕ) : 2 ∣ p n ↔ 2 ∣ n := by
  rw [Nat.dvd_iff_mod_eq_zero, Nat.dvd_iff_mod_eq_zero, p_mod_two]

/-- Consecutive Pell numbers are coprime. -/
theorem coprime_p_succ (n : ℕ) : Nat.Coprime (p n) (p (n + 1)) := by
  induction n with
  | zero => simp
  | succ n ih =>
    rw [p_add_two, Nat.coprime_mul_right_add_right]
    exact ih.symm

end Parity

section Norm

open Zsqrtd

/-- The fundamental unit `1 + √2`, of norm `-1`. -/
abbrev unit : ℤ√2 := ⟨1, 1⟩

theorem unit_mul (a b : ℤ) : unit * (⟨a, b⟩ : ℤ√2) = ⟨a + 2 * b, a + b⟩ := by
  ext <;> simp

theorem unit_pow (n : ℕ) : unit ^ n = ⟨h n, p n⟩ := by
  induction n with
  | zero => rfl
  | succ n ih =>
    rw [pow_succ', ih, unit_mul, h_succ, p_succ]
    ext
    · push_cast; ring
    · push_cast; ring

@[simp]
theorem norm_unit : Zsqrtd.norm unit = -1 := by decide

/-- `h n ^ 2 - 2 * p n ^ 2 = (-1) ^ n`, so `(h n, p n)` solves one of the two Pell equations. -/
theorem half_sq (n : ℕ) : (h n : ℤ) ^ 2 - 2 * (p n : ℤ) ^ 2 = (-1) ^ n := by
  have e : Zsqrtd.norm (unit ^ n) = (-1) ^ n := by
    rw [map_pow Zsqrtd.normMonoidHom unit n]
    exact congrArg (· ^ n) norm_unit
  rw [unit_pow, Zsqrtd.norm_def] at e
  linarith [sq (h n : ℤ), sq (p n : ℤ)]

/-- Simpson's identity for Pell numbers, with the index shifted to stay in `ℕ`. -/
theorem simpson (n : ℕ) : (p (n + 2) : ℤ) * p n - (p (n + 1) : ℤ) ^ 2 = (-1) ^ (n + 1) := by
  have e := half_sq n
  have e₁ : (p (n + 1) : ℤ) = p n + h n := by exact_mod_cast p_succ n
  have e₂ : (p (n + 2) : ℤ) = 2 * p (n + 1) + p n := by exact_mod_cast p_add_two n
  rw [e₂, e₁, pow_succ, ← e]
  ring

/-- A solution of `x ^ 2 - 2 * y ^ 2 = 1` in natural numbers. -/
structure Solution where
  /-- the larger coordinate -/
  x : ℕ
  y : ℕ
  eqn : x ^ 2 = 2 * y ^ 2 + 1
  deriving DecidableEq

/-- Even indices give the solutions; the `n`-th one is `(h (2 * n), p (2 * n))`. -/
def Solution.ofIndex (n : ℕ) : Solution where
  x := h (2 * n)
  y := p (2 * n)
  eqn := by
    have e := half_sq (2 * n)
    rw [pow_mul, neg_one_sq, one_pow] at e
    zify
    linarith

instance : Inhabited Solution := ⟨Solution.ofIndex 0⟩

end Norm

noncomputable section Convergents

variable {ε : ℝ}

/-- The convergent `h n / p n` of `√2`, `1 / 0 = 0` for `n = 0`. -/
def convergent (n : ℕ) : ℝ := (h n : ℝ) / p n

theorem abs_convergent_sq_sub_two {n : ℕ} (hn : n ≠ 0) :
    |convergent n ^ 2 - 2| = 1 / (p n : ℝ) ^ 2 := by
  have hp : (0 : ℝ) < p n := by exact_mod_cast p_pos (Nat.pos_of_ne_zero hn)
  have e : (h n : ℝ) ^ 2 - 2 * (p n : ℝ) ^ 2 = (-1) ^ n := by exact_mod_cast half_sq n
  rw [convergent, div_pow, div_sub' hp.ne'.pow, ← mul_comm 2, e, abs_div, abs_pow]
  simp [abs_of_pos hp]

theorem exists_convergent_near (hε : 0 < ε) :
    ∃ N, ∀ n ≥ N, |convergent n ^ 2 - 2| < ε := by
  obtain ⟨N, hN⟩ := exists_nat_gt (1 / ε)
  refine ⟨N + 1, fun n hn ↦ ?_⟩
  rw [abs_convergent_sq_sub_two (by omega)]
  -- TODO: `p_strictMono.id_le` should do all of this
  have h₁ : (n : ℝ) ≤ (p n : ℝ) ^ 2 := by
    exact_mod_cast (p_strictMono.id_le n).trans (Nat.le_self_pow two_ne_zero _)
  have h₂ : 1 / ε < n := hN.trans (by exact_mod_cast hn)
  exact (one_div_lt (by linarith [one_div_pos.mpr hε]) hε).mpr (h₂.trans_le h₁)

end Convergents

section Values

/-! Values from Koshy's Table 7.1, as a check on the indices. -/

example : p 10 = 2378 := rfl

example : h 10 = 3363 := by decide

/-- The only Pell number above `1` that is a square. -/
theorem p_seven : p 7 = 13 ^ 2 := rfl

theorem p_twelve : p 12 = 13860 := rfl

example : Solution.ofIndex 2 = ⟨17, 12, by norm_num⟩ := by decide

/-- Twenty steps are good for fifteen places: `√2 ≈ 22619537 / 15994428`. -/
theorem h_twenty : h 20 = 22619537 ∧ p 20 = 15994428 := by
  constructor <;> rfl

end Values

end Pell
