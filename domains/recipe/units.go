package recipe

import (
	"strconv"
	"strings"
)

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

// restates reports whether two amounts of different units, as Strict compares
// them, are the same.
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
