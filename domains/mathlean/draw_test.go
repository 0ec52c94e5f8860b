package mathlean

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawSource draws a Lean file as projects have them: by several hands, with
// sections inside a namespace, quirks of layout, comments and declarations that
// use those above.
func drawSource(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	if d.sometimes("copyright") {
		d.write("/-\nCopyright (c) 2023 Ó. Þórðarson.\nReleased under /- some -/ licence.\n-/\n")
	}
	if d.sometimes("module") {
		d.write("module\n\n")
	}
	for _, line := range []string{"import Mathlib.Data.Nat.Basic\n", "public import Mathlib.Order.Lattice\n", "import Mathlib.Tactic -- for now\n"} {
		if d.sometimes("import") {
			d.write(line)
		}
	}
	if d.sometimes("module doc") {
		d.write("\n/-!\n# Lattices\n\nWe collect what `import` and \"section\" do not say: `a ≤ b`.\n\n* one\n* two\n-/\n")
	}
	namespace := d.one("namespace", "", "", "Tide", "Order.Ideal'")
	if namespace != "" {
		d.write("\nnamespace " + namespace + "\n")
	}
	for n := range 1 + d.upTo(2, "sections") {
		d.section(n)
	}
	if namespace != "" {
		d.write("\nend " + namespace + d.one("last line", "\n", "\n\n", " -- of the file\n"))
	}
	return vfs.Files{document: d.text.String()}
}

type drawer struct {
	*rapid.T
	text  strings.Builder
	names []string // of the declarations above
}

func (d *drawer) write(text string) { d.text.WriteString(text) }

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) section(n int) {
	name := fmt.Sprintf("%s%d", d.one("section", "Basic", "Bounds", "Sums.finite", "Ω"), n)
	d.write(d.one("gap", "\n", "\n\n\n", "\n/-! ### Next -/\n\n"))
	d.write(d.one("kind of section", "section ", "section ", "noncomputable section ") + name + "\n\n")
	if d.sometimes("open") {
		d.write(d.one("command", "open Nat Finset\n\n", "variable {α : Type*} [Lattice α] (a b : α)\n\n", "universe u v\n\n", "set_option maxHeartbeats 400000 in\n",
			"attribute [simp] Nat.succ_le\n\n", "local notation \"‖\" x \"‖\" => norm x\n\n", "#check Nat.le -- why\n\n"))
	}
	d.write(fmt.Sprintf("/-- Nr. %d. -/\ntheorem first_%d (n : ℕ) : n + %d = %d + n := by\n  exact Nat.add_comm n _\n\n", n, n, 10*n+7, 10*n+7))
	d.names = append(d.names, fmt.Sprintf("first_%d", n))
	for range d.upTo(4, "declarations") {
		d.declaration()
		d.write(d.one("gap below", "\n", "\n\n", "\n-- see above\n\n", "\n/- kept:\n  theorem old : False := sorry\n-/\n"))
	}
	d.write("end " + name + "\n")
}

func (d *drawer) declaration() {
	d.write(d.one("doc", "", "", "/-- The usual one, see \"p. 7\". -/\n", "/--\nIn two\n\nparagraphs.\n-/\n", "/-- So. -/ "))
	d.write(d.one("attributes", "", "", "@[simp]\n", "@[simp, norm_cast] ", "@[ext (iff := false)]\n@[deprecated foo (since := \"2024-02-29\")]\n"))
	d.write(d.one("modifiers", "", "", "", "private ", "protected ", "private noncomputable "))
	name := fmt.Sprintf("%s_%d", d.one("name", "le_sup", "Foo.bar", "aux'", "sum₀"), len(d.names))
	use := d.one("use", d.names...)
	shape := d.one("shape",
		"theorem NAME {m n : ℕ} (h : m ≤ 12 * n) : ∃ k, m + k = 0x1F ∨ k = 1_000 := by\n  obtain ⟨k, rfl⟩ := h\n  -- now it is easy\n  refine ⟨k, ?_⟩\n  · simp [USE]\n    ring\n  · exact USE.symm",
		"lemma NAME : (2378 : ℤ) ^ 2 ≠ 10 := by decide",
		"lemma NAME : ∀ x ∈ ({1, 22} : Set ℕ), x < 30 :=\n  fun x hx ↦ by\n    rcases hx with rfl | rfl <;> norm_num",
		"theorem NAME\n    (f : ℕ → ℕ) (hf : ∀ n, f n = USE n) :\n    f 3 = 4 := by sorry",
		"def NAME (n : ℕ := 12) : String := s!\"{n} of \\\"100\\\" -- no comment\"",
		"def NAME : ℕ → ℕ\n  | 0 => 0\n  | n + 1 => NAME n + 11",
		"abbrev NAME := ℕ × ℕ",
		"instance : Inhabited (Fin 13) := ⟨0⟩",
		"instance (priority := 100) NAME : Nonempty ℕ := ⟨'x'.toNat⟩",
		"example : 10 + 10 = 20 := rfl",
		"structure NAME (α : Type*) extends Foo α where\n  /-- of 25 -/\n  x : α\n  y : ℕ := 15\n  deriving Repr",
		"inductive NAME\n  | red | green\n  | blue (n : ℕ)\n  deriving DecidableEq",
		"axiom NAME : 1 < 2")
	d.write(strings.ReplaceAll(strings.ReplaceAll(shape, "NAME", name), "USE", use) + "\n")
	d.names = append(d.names, name)
}
