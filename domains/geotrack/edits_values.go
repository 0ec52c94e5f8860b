package geotrack

import (
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/xml"
)

var (
	metresInFoot = decimal.RequireFromString("0.3048")
	degrees      = decimal.RequireFromString("1.8") // of Fahrenheit in one of Celsius
	freezing     = decimal.NewFromInt(32)
)

// imperial writes heights in feet and temperatures in Fahrenheit, with so many decimals that
// the metric value follows from them.
func imperial(p struct{ Document, To string }) exact.Steps {
	change := func(f *gpxFile) {
		f.eachReading(
			func(metres decimal.Decimal, places int32) string {
				return metres.DivRound(metresInFoot, places+2).StringFixed(places + 2)
			},
			func(celsius decimal.Decimal, places int32) string {
				return celsius.Mul(degrees).Add(freezing).StringFixed(places + 1)
			})
	}
	return logs.Change(p.Document, p.To, change, func(f *gpxFile) {
		f.eachReading(
			func(feet decimal.Decimal, places int32) string {
				return feet.Mul(metresInFoot).StringFixed(max(places-2, 0))
			},
			func(fahrenheit decimal.Decimal, places int32) string {
				return fahrenheit.Sub(freezing).DivRound(degrees, max(places-1, 0)).StringFixed(max(places-1, 0))
			})
	})
}

// eachReading replaces every height and temperature that is a number; the
// functions are also given how many decimals it is written with.
func (f *gpxFile) eachReading(height, temperature func(value decimal.Decimal, places int32) string) {
	f.Top.Walk(func(n *xml.Node) {
		convert := height
		switch {
		case n.Is("ele"):
		case n.Foreign && xml.Local(n.Name) == "atemp":
			convert = temperature
		default:
			return
		}
		if value, ok := readDecimal(n.Content()); ok {
			n.SetContent(convert(value, max(-value.Exponent(), 0)))
		}
	})
}

// readDecimal reads a number of a length that readings have.
func readDecimal(text string) (decimal.Decimal, bool) {
	const most = 24
	text = strings.TrimSpace(text)
	if len(text) > most {
		return decimal.Decimal{}, false
	}
	value, err := decimal.NewFromString(text)
	return value, err == nil && value.Exponent() > -most && value.Exponent() < most
}

// moveZone writes the times that are in UTC in another zone, such as +01:00.
func moveZone(p struct{ Document, To, Zone string }) exact.Steps {
	zone, err := time.Parse("Z07:00", p.Zone)
	if err != nil {
		return exact.Refuse("zone must be one such as +01:00")
	}
	_, seconds := zone.Zone()
	by := time.Duration(seconds) * time.Second
	return logs.Change(p.Document, p.To,
		func(f *gpxFile) { f.shiftTimes("Z", p.Zone, by) },
		func(f *gpxFile) { f.shiftTimes(p.Zone, "Z", -by) })
}

// shiftTimes moves the clock of all times of a zone to another zone. Fractions
// of seconds stay as they are written.
func (f *gpxFile) shiftTimes(from, to string, by time.Duration) {
	const layout = "2006-01-02T15:04:05"
	f.Top.Walk(func(n *xml.Node) {
		clock, ok := strings.CutSuffix(strings.TrimSpace(n.Content()), from)
		if !n.Is("time") || !ok || len(clock) < len(layout) {
			return
		}
		at, err := time.Parse(layout, clock[:len(layout)])
		fraction := clock[len(layout):]
		if err != nil || strings.Trim(fraction, ".0123456789") != "" {
			return
		}
		n.SetContent(at.Add(by).Format(layout) + fraction + to)
	})
}
