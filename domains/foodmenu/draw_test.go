package foodmenu

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawMenu draws the menu of a small house. Its items have name, price and tags on
// one line, and the price in dollars and cents, as the exports want it.
func drawMenu(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.add(d.one("title", "=====\n  The Anchor\n=====\n\n", "=== LOBO'S ===\nsince 1921\n\n", "==========\nLA PALOMA\nTacos y más\n==========\n\n", ""))
	d.add(d.one("location", "Location: Fall River\n", "Location: 3 Pier St.\nDate: 1962-01-01\n", ""))
	d.add(d.one("ruler", "----------------\n\n", "\n", ""))
	if d.upTo(4, "an item without a section") == 0 {
		d.item()
		d.add("\n")
	}
	d.add("--- FIRST ---\n\n")
	d.item()
	d.add("\n")
	for range 1 + d.upTo(5, "sections") {
		d.section()
	}
	d.add(d.one("legend", "", "ALLERGEN LEGEND\n[D] Dairy\n[Sh] Shellfish, [F] fish\n", "------\nOTHER\n(A) alcohol  (V) vegetarian\n\n18 % service from six on\n", "* [N] nuts\n* [E] = egg\nThank you!\n"))
	text := d.text.String()
	if d.upTo(9, "line ends of another system") == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return vfs.Files{menuFile: text}
}

type drawer struct {
	*rapid.T
	text strings.Builder
}

func (d *drawer) add(text string)                 { d.text.WriteString(text) }
func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) section() {
	d.add(d.one("header", "--- DRINKS ---\n\n", "--- Soups & Salads ---\n", "--- 50s SPECIALS ---\n\n", "## CAFÉ\n\n", "--- FROM THE SEA ---\nAll from the morning's boat.\n\n", "--- TO SHARE ---\n--- and not to ---\n"))
	for range d.upTo(5, "items") {
		d.item()
		d.add(d.one("between items", "", "", "\n", "\nAsk for the specials, corkage $15 a bottle.\n\n", "WHOLE LOBSTER boiled, market price\n"))
	}
	d.add("\n")
}

func (d *drawer) item() {
	lead := d.one("lead", "  ", "", "  - ", "    * ", "12. ", "\t")
	name := d.one("name", "Martini", "Old Fashioned", "KUNG PAO SHRIMP", "CHOWDER", "Planter’s Punch", "LE STEAK", "1/2 lobster", "OTHER HALF", "Crêpe (2)", "12 oysters", "T-BONE 16 OZ", "No. 5", "A1 sauce")
	description := d.one("description", "", "", " diced, with peanuts", " Market greens and a soft egg", " see the board; also to share", " with our own rye")
	leader := d.one("leader", "  ", "          ", " ........ ", " ----- ", " — ", "\t", " ")
	price := "$" + strconv.Itoa(d.upTo(120, "dollars")) + "." + d.one("cents", "00", "50", "95", "05", "25")
	if d.upTo(9, "price first") == 0 {
		d.add(lead + price + "  " + name + description + d.tags() + "\n")
		return
	}
	d.add(lead + name + description + leader + price + d.one("also", "", "", "", " / $30.00", " per lb", " / $12.50 for two") + d.tags() + "\n")
	d.add(d.one("below", "", "", "", "", "          half bottle on request\n", "          hot, and slow to come\n          worth it\n"))
}

func (d *drawer) tags() string {
	return d.one("tags", "", "", "  (A)", "  (V) [D]", " [G] [Sh]", "  (VG)", "  [F]", " [N] (V) [E]", "  (A) [Se] [So]", "  (AV)")
}
