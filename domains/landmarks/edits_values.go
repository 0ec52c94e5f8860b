package landmarks

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// lacksField is an error if a document has a field of a name that an edit adds.
func lacksField(doc *xml.Document, name string) error {
	if hasField(doc, name) {
		return errors.New("there is a field " + name)
	}
	return nil
}

var marker = regexp.MustCompile(`\[[0-9]+\]`)

// takeContacts moves mail and web addresses and phone numbers out of a field, a marker in their
// place.
func takeContacts(p struct {
	Document, To, Field string
	Country             string // what phone numbers begin with
	Table               string
}) exact.Steps {
	contact := regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[^\s,;()]*[^\s,;().]|` +
		regexp.QuoteMeta(p.Country) + `[0-9 ]*[0-9]`)
	return charts.Rewrite(p.Document, p.To, func(doc *xml.Document) (vfs.Files, error) {
		table := [][]string{{"marker", "id", "kind", "contact"}}
		marked := false
		fieldTexts(doc, p.Field, func(n, text *xml.Node) {
			marked = marked || marker.MatchString(text.Text)
			text.Text = contact.ReplaceAllStringFunc(text.Text, func(found string) string {
				mark := fmt.Sprintf("[%d]", len(table))
				kind := "web"
				switch {
				case strings.Contains(found, "@"):
					kind = "mail"
				case strings.HasPrefix(found, p.Country):
					kind = "phone"
				}
				table = append(table, []string{mark, n.Value("id"), kind, found})
				return mark
			})
		})
		if marked {
			return nil, errors.New("there are markers in " + p.Field)
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}, func(doc *xml.Document, files vfs.Files) error {
		contacts, err := exact.ReadRegister(files, p.Table, "marker", "contact")
		decode(doc, p.Field, marker, contacts)
		return err
	})
}

// decode puts values in the place of the codes for them in the texts of a field. Blanks before a
// code stay.
func decode(doc *xml.Document, field string, code *regexp.Regexp, values map[string]string) {
	fieldTexts(doc, field, func(_, text *xml.Node) {
		text.Text = code.ReplaceAllStringFunc(text.Text, func(found string) string {
			code := strings.TrimSpace(found)
			if value, known := values[code]; known {
				return strings.TrimSuffix(found, code) + value
			}
			return found
		})
	})
}

var streetEnd = regexp.MustCompile(`,|\s+[0-9]|\s*$`)

// streetOf returns where the name of a street stands in an address.
func streetOf(address string) (start, end int) {
	start = len(address) - len(strings.TrimLeft(address, " \t\r\n"))
	return start, start + streetEnd.FindStringIndex(address[start:])[0]
}

// codeStreets replaces the streets of addresses by codes, in alphabetical order.
func codeStreets(p struct{ Document, To, Field, First, Table string }) exact.Steps {
	code := regexp.MustCompile(`^\s*` + regexp.QuoteMeta(strings.TrimRight(p.First, "0123456789")) + `[0-9]+`)
	return charts.Rewrite(p.Document, p.To, func(doc *xml.Document) (vfs.Files, error) {
		places := map[string]int{}
		var addresses []*xml.Node
		coded := false
		fieldTexts(doc, p.Field, func(_, text *xml.Node) {
			coded = coded || code.MatchString(text.Text)
			if start, end := streetOf(text.Text); start < end {
				places[text.Text[start:end]]++
				addresses = append(addresses, text)
			}
		})
		if coded {
			return nil, errors.New("there is a code in " + p.Field)
		}
		codes := exact.Codes{New: exact.Counting(p.First)}
		for _, street := range slices.Sorted(maps.Keys(places)) {
			codes.Of(street)
		}
		for _, text := range addresses {
			start, end := streetOf(text.Text)
			text.Text = text.Text[:start] + codes.Of(text.Text[start:end]) + text.Text[end:]
		}
		count := func(street string) []string { return []string{strconv.Itoa(places[street])} }
		return vfs.Files{p.Table: codes.Table(count, "code", "street", "places")}, nil
	}, func(doc *xml.Document, files vfs.Files) error {
		streets, err := exact.ReadRegister(files, p.Table, "code", "street")
		decode(doc, p.Field, code, streets)
		return err
	})
}

// mostDecimals are those that a thousandth of a second still tells.
const mostDecimals = 6

// degreesMinutes writes positions in degrees, minutes and seconds into a field.
func degreesMinutes(p struct{ Document, To, Field, Table string }) exact.Steps {
	columns := []string{numberKey, "lat_decimals", "lon_decimals", "altitude"}
	return charts.Rewrite(p.Document, p.To, func(doc *xml.Document) (vfs.Files, error) {
		if err := lacksField(doc, p.Field); err != nil {
			return nil, err
		}
		table := [][]string{columns}
		for n, s := range spots(doc) {
			coordinates, text := point(s.Node)
			if coordinates == nil {
				continue
			}
			parts := append(strings.Split(text, ","), "")
			lon, okLon := readDegrees(parts[0])
			lat, okLat := readDegrees(parts[1])
			if !okLon || !okLat {
				continue
			}
			takePoint(s.Node, coordinates)
			addField(s.Node, p.Field, sexagesimal(lat, "N", "S")+" "+sexagesimal(lon, "E", "W"))
			table = append(table, []string{strconv.Itoa(n + 1), decimals(lat), decimals(lon), parts[2]})
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}, func(doc *xml.Document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, columns...)
		if err != nil {
			return err
		}
		byNumber := map[int][]string{}
		for _, row := range rows {
			n, err := strconv.Atoi(strings.TrimSpace(row[0]))
			if err != nil {
				return fmt.Errorf("reading %s: %q is no number", p.Table, row[0])
			}
			byNumber[n] = row
		}
		for n, s := range spots(doc) {
			row, listed := byNumber[n+1]
			latText, lonText, found := strings.Cut(strings.TrimSpace(fieldText(s.Node, p.Field)), " ")
			if !listed || !found {
				continue
			}
			lat, err := readSexagesimal(latText, row[1])
			if err != nil {
				return err
			}
			lon, err := readSexagesimal(lonText, row[2])
			if err != nil {
				return err
			}
			takeField(s.Node, p.Field)
			setPoint(s.Node, strings.TrimSuffix(lon+","+lat+","+row[3], ","))
		}
		return nil
	})
}

func decimals(d decimal.Decimal) string { return strconv.Itoa(int(max(-d.Exponent(), 0))) }

// readDegrees reads a decimal number of degrees with few decimals.
func readDegrees(text string) (decimal.Decimal, bool) {
	const longest = 16
	if len(text) > longest || strings.Trim(text, "+-.0123456789") != "" {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(text)
	return d, err == nil && -d.Exponent() <= mostDecimals && d.Abs().LessThanOrEqual(decimal.NewFromInt(180))
}

var sixty = decimal.NewFromInt(60)

// sexagesimal writes degrees to a thousandth of a second.
func sexagesimal(d decimal.Decimal, positive, negative string) string {
	side := positive
	if d.IsNegative() {
		side = negative
	}
	const thousandths, second, minute = 3, 1000, 60 * 1000
	all := d.Abs().Mul(sixty).Mul(sixty).Round(thousandths).Shift(thousandths).IntPart()
	return fmt.Sprintf(`%d°%02d'%02d.%03d"%s`, all/(60*minute), all/minute%60, all/second%60, all%second, side)
}

var sexagesimalText = regexp.MustCompile(`^([0-9]+)°([0-9]+)'([0-9]+(?:\.[0-9]+)?)"([NSEW])$`)

// readSexagesimal is the reverse, to a number of decimals.
func readSexagesimal(text, places string) (string, error) {
	found := sexagesimalText.FindStringSubmatch(text)
	count, err := strconv.Atoi(strings.TrimSpace(places))
	const longest = 12
	if found == nil || err != nil || count < 0 || count > mostDecimals || len(text) > 3*longest {
		return "", fmt.Errorf("%q to %q decimals is no position", text, places)
	}
	sum := decimal.RequireFromString(found[1]).Mul(sixty)
	sum = sum.Add(decimal.RequireFromString(found[2])).Mul(sixty).Add(decimal.RequireFromString(found[3]))
	degrees := sum.DivRound(sixty.Mul(sixty), int32(count))
	if found[4] == "S" || found[4] == "W" {
		degrees = degrees.Neg()
	}
	return degrees.StringFixed(int32(count)), nil
}
