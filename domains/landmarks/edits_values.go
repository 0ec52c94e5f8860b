package landmarks

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	contactsFile  = "contacts.kml"
	contactsTable = "contacts.csv"
	hoursField    = "OPENING_HOURS"
)

var (
	contact = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[^\s,;()]*[^\s,;().]|\+39[0-9 ]*[0-9]`)
	marker  = regexp.MustCompile(`\[[0-9]+\]`)
)

// takeContacts moves contacts out of the opening hours, a marker in their place.
func takeContacts(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"marker", "id", "kind", "contact"}}
	marked := false
	for _, s := range spots(doc) {
		id, _ := s.Attribute("id")
		fieldTexts(s.Node, hoursField, func(text *xml.Node) {
			marked = marked || marker.MatchString(text.Text)
			text.Text = contact.ReplaceAllStringFunc(text.Text, func(found string) string {
				mark := fmt.Sprintf("[%d]", len(table))
				table = append(table, []string{mark, id, kindOf(found), found})
				return mark
			})
		})
	}
	if marked {
		return nil, errors.New("there are markers in the opening hours")
	}
	return vfs.Files{contactsFile: print(doc), contactsTable: plain.WriteCSV(table)}, nil
}

func kindOf(contact string) string {
	switch {
	case strings.Contains(contact, "@"):
		return "mail"
	case strings.HasPrefix(contact, "+"):
		return "phone"
	}
	return "web"
}

func putContacts(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, contactsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, contactsTable, "marker", "contact")
	if err != nil {
		return nil, err
	}
	contacts := map[string]string{}
	for _, row := range rows {
		contacts[row[0]] = row[1]
	}
	for _, s := range spots(doc) {
		fieldTexts(s.Node, hoursField, func(text *xml.Node) {
			text.Text = marker.ReplaceAllStringFunc(text.Text, func(mark string) string {
				if found, known := contacts[mark]; known {
					return found
				}
				return mark
			})
		})
	}
	return asDocument(doc), nil
}

const (
	codesFile    = "street_codes.kml"
	streetsTable = "streets.csv"
	addressField = "ADDRESS"
)

var (
	streetEnd  = regexp.MustCompile(`,|\s+[0-9]|\s*$`)
	streetCode = regexp.MustCompile(`^\s*S[0-9]+`)
)

// streetOf returns where the name of a street stands in an address.
func streetOf(address string) (start, end int) {
	start = len(address) - len(strings.TrimLeft(address, " \t\r\n"))
	return start, start + streetEnd.FindStringIndex(address[start:])[0]
}

// toStreetCodes replaces the streets by codes, in alphabetical order.
func toStreetCodes(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	places := map[string]int{}
	var addresses []*xml.Node
	coded := false
	for _, s := range spots(doc) {
		fieldTexts(s.Node, addressField, func(text *xml.Node) {
			coded = coded || streetCode.MatchString(text.Text)
			if start, end := streetOf(text.Text); start < end {
				places[text.Text[start:end]]++
				addresses = append(addresses, text)
			}
		})
	}
	if coded {
		return nil, errors.New("there is a code in the addresses")
	}
	var streets []string
	for street := range places {
		streets = append(streets, street)
	}
	slices.Sort(streets)
	table := [][]string{{"code", "street", "places"}}
	codes := map[string]string{}
	for n, street := range streets {
		codes[street] = fmt.Sprintf("S%02d", n+1)
		table = append(table, []string{codes[street], street, strconv.Itoa(places[street])})
	}
	for _, text := range addresses {
		start, end := streetOf(text.Text)
		text.Text = text.Text[:start] + codes[text.Text[start:end]] + text.Text[end:]
	}
	return vfs.Files{codesFile: print(doc), streetsTable: plain.WriteCSV(table)}, nil
}

func fromStreetCodes(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, codesFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, streetsTable, "code", "street")
	if err != nil {
		return nil, err
	}
	streets := map[string]string{}
	for _, row := range rows {
		streets[strings.TrimSpace(row[0])] = row[1]
	}
	for _, s := range spots(doc) {
		fieldTexts(s.Node, addressField, func(text *xml.Node) {
			text.Text = streetCode.ReplaceAllStringFunc(text.Text, func(found string) string {
				code := strings.TrimSpace(found)
				street, known := streets[code]
				if !known {
					street = code
				}
				return strings.TrimSuffix(found, code) + street
			})
		})
	}
	return asDocument(doc), nil
}

const (
	dmsFile      = "degrees.kml"
	pointsTable  = "points.csv"
	dmsField     = "COORD_DMS"
	mostDecimals = 6 // that a thousandth of a second still tells
)

// toDegreesMinutes writes positions in degrees, minutes and seconds.
func toDegreesMinutes(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if hasField(doc, dmsField) {
		return nil, errors.New("there is a field " + dmsField)
	}
	table := [][]string{{numberKey, "lat_decimals", "lon_decimals", "altitude"}}
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
		addField(s.Node, dmsField, sexagesimal(lat, "N", "S")+" "+sexagesimal(lon, "E", "W"))
		table = append(table, []string{strconv.Itoa(n + 1), decimals(lat), decimals(lon), parts[2]})
	}
	return vfs.Files{dmsFile: print(doc), pointsTable: plain.WriteCSV(table)}, nil
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

func fromDegreesMinutes(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, dmsFile)
	if err != nil {
		return nil, err
	}
	rows, err := rowsByNumber(files, pointsTable, numberKey, "lat_decimals", "lon_decimals", "altitude")
	if err != nil {
		return nil, err
	}
	for n, s := range spots(doc) {
		row, listed := rows[n+1]
		latText, lonText, found := strings.Cut(strings.TrimSpace(fieldText(s.Node, dmsField)), " ")
		if !listed || !found {
			continue
		}
		lat, err := readSexagesimal(latText, row[1])
		if err != nil {
			return nil, err
		}
		lon, err := readSexagesimal(lonText, row[2])
		if err != nil {
			return nil, err
		}
		takeField(s.Node, dmsField)
		setPoint(s.Node, strings.TrimSuffix(lon+","+lat+","+row[3], ","))
	}
	return asDocument(doc), nil
}
