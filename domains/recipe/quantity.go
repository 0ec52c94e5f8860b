package recipe

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
	published "agentd/domains/published/recipe"
	"agentd/internal/lazyregexp"
)

// item is an ingredient as a cook reads it.
type item struct {
	amount      string // a number or "2-3", in its plainest form, of the unit
	unit        string // "" for what is counted on its own
	name        string
	preparation string // what stands after a comma or in parentheses: "softened"
}

// readIngredient takes "2 tablespoons butter, softened" apart. A text that does not begin with an amount is all name.
func readIngredient(text string) item {
	numbers, rest := readAmount(text)
	var found item
	if len(numbers) > 0 {
		u, after := readUnit(rest)
		amounts := make([]string, len(numbers))
		for i, n := range numbers {
			n.numerator *= max(u.scale, 1)
			amounts[i] = n.String()
		}
		found.amount, found.unit, rest = strings.Join(amounts, "-"), u.name, after
	}
	found.name, found.preparation = dividedName(pytext.Strip(rest))
	return found
}

func dividedName(text string) (name, preparation string) {
	at := strings.IndexAny(text, ",(")
	if at <= 0 {
		return pytext.Collapse(text), ""
	}
	return pytext.Collapse(text[:at]), pytext.Collapse(strings.TrimPrefix(text[at:], ","))
}

// readAmount reads a number or a range at the beginning of a text. It returns
// none where more than a unit stands against it, as in "70% chocolate".
func readAmount(text string) (numbers []fraction, rest string) {
	first, end := readNumber(text)
	if end == 0 {
		return nil, text
	}
	numbers = append(numbers, first)
	for _, to := range []string{"-", "–", " - ", " – ", " to "} {
		if after, found := strings.CutPrefix(text[end:], to); found {
			if second, size := readNumber(after); size > 0 {
				numbers = append(numbers, second)
				end = len(text) - len(after) + size
				break
			}
		}
	}
	rest = text[end:]
	if pytext.StripLeft(rest) != rest || rest == "" {
		return numbers, rest
	}
	if u, _ := readUnit(rest); u.name != "" {
		return numbers, rest
	}
	return nil, text
}

// fraction is a number, exact.
type fraction struct{ numerator, denominator int64 }

// numeral is "2", "2.5", "1½" or "1 ½", "1/2" or "1 1/2", or "½". Numbers are small, so that they stay exact.
var numeral = lazyregexp.New(`^(?:([0-9]{1,5})(?:\.([0-9]{1,4})| ?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])|` +
	`(?: ([0-9]{1,5}))?[/⁄]+(0{0,4}[1-9][0-9]{0,4}))?|([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]))`)

var vulgar = map[string]fraction{
	"½": {1, 2}, "⅓": {1, 3}, "⅔": {2, 3}, "¼": {1, 4}, "¾": {3, 4}, "⅕": {1, 5}, "⅖": {2, 5}, "⅗": {3, 5},
	"⅘": {4, 5}, "⅙": {1, 6}, "⅚": {5, 6}, "⅛": {1, 8}, "⅜": {3, 8}, "⅝": {5, 8}, "⅞": {7, 8},
}

// readNumber reads the numeral at the beginning of a text and returns its length, 0 if there is none.
func readNumber(text string) (number fraction, size int) {
	if word, after, _ := strings.Cut(text, " "); after != "" && after[0] >= 'A' && after[0] < utf8.RuneSelf {
		// Most are whole numbers before a word, which need no pattern.
		if n, err := strconv.ParseUint(word, 10, 16); err == nil && len(word) <= 5 {
			return fraction{int64(n), 1}, len(word)
		}
	}
	found := numeral.FindStringSubmatch(text)
	if found == nil {
		return fraction{}, 0
	}
	integer := func(text string) int64 {
		n, _ := strconv.ParseInt(text, 10, 64) // empty text is 0
		return n
	}
	whole, part := integer(found[1]), fraction{0, 1}
	switch decimals, sign := found[2], found[3]+found[6]; {
	case decimals != "":
		part = fraction{integer(decimals), integer("1" + strings.Repeat("0", len(decimals)))}
	case sign != "":
		part = vulgar[sign]
	case found[4] != "":
		part = fraction{integer(found[4]), integer(found[5])}
	case found[5] != "":
		whole, part = 0, fraction{whole, integer(found[5])}
	}
	return fraction{whole*part.denominator + part.numerator, part.denominator}, len(found[0])
}

// String writes equal numbers equally: "250", "1.5", "1/3".
func (f fraction) String() string {
	const mostDecimals = 4
	if f.numerator%f.denominator == 0 {
		return strconv.FormatInt(f.numerator/f.denominator, 10)
	}
	n := big.NewRat(f.numerator, f.denominator)
	if decimals, exact := n.FloatPrec(); exact && decimals <= mostDecimals {
		return n.FloatString(decimals)
	}
	return n.RatString()
}

// readUnit reads a unit with a name after it; without one the word is the name,
// as in "5 cloves". The zero unit says that there is none.
func readUnit(text string) (u unit, rest string) {
	first, after := published.CutWord(pytext.StripLeft(text))
	u, known := units[first]
	if !known {
		u, known = units[strings.ToLower(strings.TrimSuffix(first, "."))]
	}
	isFluid := !known && strings.TrimSuffix(strings.ToLower(first), ".") == "fl" || strings.EqualFold(first, "fluid")
	if second, last := published.CutWord(after); isFluid {
		if u, known = units[strings.ToLower(strings.TrimSuffix(second, "."))]; known && u.name == "oz" {
			u, after = fluidOunce, last
		} else {
			known = false
		}
	}
	if !known || after == "" {
		return unit{}, text
	}
	return u, after
}

// unit is a kitchen measure.
type unit struct {
	name  string // what is compared
	scale int64  // how many of that it is; 0 is one, too
	size  size
}

// size is what a unit holds, in grams or millilitres. Kitchens differ: a cup is
// 236.6 mL, 240 or 250. A unit of no dimension cannot be restated in another.
type size struct {
	dimension   dimension
	least, most float64
}

type dimension uint8

const (
	mass dimension = iota + 1
	volume
)

var (
	gram       = unit{"g", 1, size{mass, 1, 1}}
	kilogram   = unit{"g", 1000, gram.size}
	ounce      = unit{"oz", 1, size{mass, 28, 28.4}}
	pound      = unit{"lb", 1, size{mass, 450, 454}}
	millilitre = unit{"mL", 1, size{volume, 1, 1}}
	centilitre = unit{"mL", 10, millilitre.size}
	decilitre  = unit{"mL", 100, millilitre.size}
	litre      = unit{"mL", 1000, millilitre.size}
	teaspoon   = unit{"tsp", 1, size{volume, 4.9, 5}}
	tablespoon = unit{"tbsp", 1, size{volume, 14.7, 15}}
	cup        = unit{"cup", 1, size{volume, 236, 250}}
	fluidOunce = unit{"fl oz", 1, size{volume, 28.4, 30}}
)

// units has the units by their spellings. Case matters in T and t alone.
var units = map[string]unit{
	"g": gram, "gr": gram, "gram": gram, "grams": gram,
	"kg": kilogram, "kilo": kilogram, "kilos": kilogram, "kilogram": kilogram, "kilograms": kilogram,
	"oz": ounce, "ounce": ounce, "ounces": ounce,
	"lb": pound, "lbs": pound, "pound": pound, "pounds": pound,
	"ml": millilitre, "milliliter": millilitre, "milliliters": millilitre, "millilitre": millilitre, "millilitres": millilitre,
	"cl": centilitre, "dl": decilitre,
	"l": litre, "liter": litre, "liters": litre, "litre": litre, "litres": litre,
	"tsp": teaspoon, "tsps": teaspoon, "teaspoon": teaspoon, "teaspoons": teaspoon, "t": teaspoon,
	"tbsp": tablespoon, "tbsps": tablespoon, "tbs": tablespoon, "tablespoon": tablespoon, "tablespoons": tablespoon, "T": tablespoon,
	"cup": cup, "cups": cup,
	"pint": {name: "pint"}, "pints": {name: "pint"}, "pt": {name: "pint"},
	"quart": {name: "quart"}, "quarts": {name: "quart"}, "qt": {name: "quart"},
	"pinch": {name: "pinch"}, "pinches": {name: "pinch"}, "dash": {name: "dash"}, "dashes": {name: "dash"},
	"drop": {name: "drop"}, "drops": {name: "drop"}, "knob": {name: "knob"}, "knobs": {name: "knob"},
	"clove": {name: "clove"}, "cloves": {name: "clove"}, "slice": {name: "slice"}, "slices": {name: "slice"},
	"sprig": {name: "sprig"}, "sprigs": {name: "sprig"}, "stalk": {name: "stalk"}, "stalks": {name: "stalk"},
	"stick": {name: "stick"}, "sticks": {name: "stick"}, "strip": {name: "strip"}, "strips": {name: "strip"},
	"bunch": {name: "bunch"}, "bunches": {name: "bunch"}, "handful": {name: "handful"}, "handfuls": {name: "handful"},
	"leaf": {name: "leaf"}, "leaves": {name: "leaf"}, "sheet": {name: "sheet"}, "sheets": {name: "sheet"},
	"can": {name: "can"}, "cans": {name: "can"}, "tin": {name: "tin"}, "tins": {name: "tin"},
	"packet": {name: "packet"}, "packets": {name: "packet"}, "piece": {name: "piece"}, "pieces": {name: "piece"},
}

// sizes has the units that can be restated by the name that is compared.
var sizes = func() map[string]size {
	all := map[string]size{}
	for _, u := range []unit{gram, ounce, pound, millilitre, teaspoon, tablespoon, cup, fluidOunce} {
		all[u.name] = u.size
	}
	return all
}()

// rounding is how much a restated amount may be off in addition.
const rounding = 0.005

// restates reports whether two amounts of different units, as Strict compares them, are the same.
func restates(amount, unit, other, otherUnit string) bool {
	a, b := sizes[unit], sizes[otherUnit]
	if unit == otherUnit || a.dimension == 0 || a.dimension != b.dimension {
		return false
	}
	first, last, isRange := strings.Cut(amount, "-")
	otherFirst, otherLast, otherIsRange := strings.Cut(other, "-")
	if isRange != otherIsRange || !a.meets(first, b, otherFirst) {
		return false
	}
	return !isRange || a.meets(last, b, otherLast)
}

// meets reports whether a number of one unit can be a number of the other.
func (a size) meets(number string, b size, other string) bool {
	x, y := numberOf(number), numberOf(other)
	return x*a.least*(1-rounding) <= y*b.most && y*b.least*(1-rounding) <= x*a.most
}

// numberOf reads what fraction.String writes.
func numberOf(text string) float64 {
	numerator, denominator, isFraction := strings.Cut(text, "/")
	if !isFraction {
		denominator = "1"
	}
	n, _ := strconv.ParseFloat(numerator, 64)
	d, _ := strconv.ParseFloat(denominator, 64)
	return n / d
}
