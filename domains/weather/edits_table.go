package weather

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// The columns of the table after the line number. Each group of an observation
// is in the column of its kind, or, where that would lie before the column of
// the group ahead of it, with that group: so the cells joined are the report.
const (
	reportColumn = iota
	windColumn
	visibilityColumn
	weatherColumn
	skyColumn
	temperatureColumn
	altimeterColumn
	remarksColumn
	columns
)

const tableHeader = "| line | report | wind | visibility | weather | sky | temp (°F) | dew point (°F) | QNH (hPa) | remarks |\n" +
	"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"

// lineBreak stands for a line end inside of a report.
const lineBreak = "<br>"

// inTable makes a table of the observations, with temperatures and pressures converted.
func inTable(p struct {
	Document, Table, Rest string
	Coded                 string // a list of the groups that are converted
}) exact.Steps {
	forward := func(all []entry) (vfs.Files, error) {
		taken, rest := takeOut(all, func(_ int, e *entry) bool { return e.kind == observationEntry })
		var rows strings.Builder
		rows.WriteString(tableHeader)
		coded := [][]string{{"line", "temperature", "altimeter"}}
		for _, report := range taken {
			line, cells := strconv.Itoa(report.line), report.cells()
			coded = append(coded, []string{line, cells[temperatureColumn], cells[altimeterColumn]})
			row := append([]string{line}, cells[:temperatureColumn]...)
			temperature, dewPoint := report.fahrenheit()
			row = append(row, temperature, dewPoint, hectopascals(cells[altimeterColumn]), cells[remarksColumn])
			for _, cell := range row {
				rows.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
			}
			rows.WriteString("|\n")
		}
		return vfs.Files{p.Table: rows.String(), p.Rest: printed(rest), p.Coded: plain.WriteCSV(coded)}, nil
	}
	return bulletins.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		text, err := plain.File(files, p.Table)
		if err != nil {
			return nil, err
		}
		rest, err := bulletins.Named(files, p.Rest)
		if err != nil {
			return nil, err
		}
		rows, err := plain.Table(files, p.Coded, "line", "temperature", "altimeter")
		coded := map[int][]string{}
		for _, row := range rows {
			coded[plain.LineNumber(row[0])] = row[1:]
		}
		var taken []placed
		for _, line := range plain.Lines(text) {
			cells := tableCells(line)
			if len(cells) == columns+2 && plain.LineNumber(cells[0]) > 0 {
				taken = append(taken, observationOf(cells, coded[plain.LineNumber(cells[0])]))
			}
		}
		return putIn(taken, rest), err
	})
}

// observationOf is the observation of a row of the table with its groups as coded.
func observationOf(cells, coded []string) placed {
	const afterLine = 1
	words := slices.Concat(cells[afterLine:afterLine+temperatureColumn], coded, cells[len(cells)-1:])
	words = slices.DeleteFunc(words, func(cell string) bool { return cell == "" })
	lines := strings.Split(joined(words), " "+lineBreak+" ")
	return placed{plain.LineNumber(cells[0]), entry{kind: observationEntry, lines: lines}}
}

// cells divides an observation into the columns.
func (e *entry) cells() []string {
	words := make([][]string, columns)
	at := reportColumn
	for n, line := range e.lines {
		if n > 0 {
			words[at] = append(words[at], lineBreak)
		}
		of := strings.Fields(line)
		for k, word := range of {
			column := columnOf(strings.ToUpper(word))
			if k+1 < len(of) && isMixed(word, of[k+1]) {
				column = visibilityColumn
			}
			at = max(at, column)
			words[at] = append(words[at], word)
		}
	}
	cells := make([]string, columns)
	for i := range words {
		cells[i] = joined(words[i])
	}
	return cells
}

func columnOf(word string) int {
	switch word {
	case "RMK", "TEMPO", "BECMG", "NOSIG":
		return remarksColumn
	}
	switch groups.name(word) {
	case "wind", "variable wind":
		return windColumn
	case "visibility", "runway visual range":
		return visibilityColumn
	case "weather":
		return weatherColumn
	case "sky":
		return skyColumn
	case "altimeter":
		return altimeterColumn
	}
	if _, _, ok := cutTemperature(word); ok {
		return temperatureColumn
	}
	return reportColumn
}

// fahrenheit converts the exact temperatures of the remarks, or those of the
// body where there are none.
func (e *entry) fahrenheit() (temperature, dewPoint string) {
	body := e.body()
	for _, word := range body {
		if t, d, ok := cutTemperature(word); ok {
			temperature, dewPoint = wholeDegrees(t), wholeDegrees(d)
			break
		}
	}
	for _, word := range e.words[len(body):] {
		if parts := exactTemperature.FindStringSubmatch(word); parts != nil {
			temperature = fromTenths(parts[1], parts[2])
			if parts[3] != "" {
				dewPoint = fromTenths(parts[3], parts[4])
			}
		}
	}
	return temperature, dewPoint
}

func wholeDegrees(text string) string {
	figures, below := strings.CutPrefix(text, "M")
	if !plain.IsDigits(figures) {
		return ""
	}
	sign := "0"
	if below {
		sign = "1"
	}
	return fromTenths(sign, figures+"0")
}

// fromTenths converts tenths of a degree Celsius. No result lies half-way
// between two tenths.
func fromTenths(sign, text string) string {
	celsius := number(text)
	if sign == "1" {
		celsius = -celsius
	}
	text = strconv.FormatFloat(32+float64(celsius)*0.18, 'f', 1, 64)
	if text == "-0.0" {
		return "0.0"
	}
	return text
}

var altimeterGroup = regexp.MustCompile(`(?i)^([AQ])([0-9]{4})=?$`)

// hectopascals is the pressure of an altimeter group, with one decimal.
func hectopascals(cell string) string {
	const inInch = 33.8639
	for _, word := range strings.Fields(cell) {
		parts := altimeterGroup.FindStringSubmatch(word)
		switch {
		case parts == nil:
		case strings.EqualFold(parts[1], "A"):
			return strconv.FormatFloat(float64(number(parts[2]))/100*inInch, 'f', 1, 64)
		default:
			return fmt.Sprintf("%d.0", number(parts[2]))
		}
	}
	return ""
}

// tableCells are the cells of a row, nil of another line.
func tableCells(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '|' || line[len(line)-1] != '|' {
		return nil
	}
	var cells []string
	cell := ""
	for part := range strings.SplitSeq(line[1:len(line)-1], "|") {
		if before, escaped := strings.CutSuffix(part, `\`); escaped {
			cell += before + "|"
			continue
		}
		cells = append(cells, strings.TrimSpace(cell+part))
		cell = ""
	}
	return cells
}
