import Mathlib.Algebra.Group.Even
import Mathlib.Tactic.Ring
open Nat
universe u
namespace Courtyard
/-- A tiling has a width
and a height. -/
structure Tiling where
  width : ℕ
  height : ℕ
/-- How many tiles there are. -/
def tiles (t : Tiling) : ℕ := t.width * t.height
/-- The tiling on its side. -/
@[simp] def turned (t : Tiling) : Tiling := ⟨t.height, t.width⟩
-- turning twice leads back
@[simp] theorem turned_turned (t : Tiling) : turned (turned t) = t := rfl
@[simp]
theorem tiles_turned (t : Tiling) : tiles (turned t) = tiles t := by
    simp [tiles, Nat.mul_comm]

private lemma even_of_width {t : Tiling}
    (h : Even t.width) :
    Even (tiles t) := by
    obtain ⟨k, hk⟩ := h
    exact ⟨k * t.height, by rw [tiles, hk]; ring⟩


private lemma even_of_height {t : Tiling} (h : Even t.height) : Even (tiles t) := by
	rw [← tiles_turned]
	exact even_of_width h
/-- One even side is enough. -/
theorem even_tiles {t : Tiling} (h : Even t.width ∨ Even t.height) : Even (tiles t) := by
  rcases h with h | h
  · exact even_of_width h
  · exact even_of_height h
noncomputable instance : Inhabited Tiling := ⟨⟨1, 1⟩⟩
theorem tiles_default : tiles ⟨1, 1⟩ = 1 := rfl
example : tiles ⟨2, 3⟩ = 6 := by decide
end Courtyard
