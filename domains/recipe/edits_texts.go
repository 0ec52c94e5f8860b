package recipe

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// A batch for twenty: amounts times 5/2.
const (
	batchFile   = "pithivier_20.txt"
	amountsFile = "amounts_8.csv"
)

func scaleUp(lines []line) (vfs.Files, error) {
	rows := [][]string{{"number", "amount"}}
	for i := range lines {
		l := &lines[i]
		numbers, rest := readAmount(l.text)
		if l.label != ingredient || len(numbers) == 0 {
			continue
		}
		rows = append(rows, []string{string(l.number), l.text[:len(l.text)-len(rest)]})
		*l = l.with(scaled(numbers, 5, 2) + rest)
	}
	return vfs.Files{batchFile: write(lines), amountsFile: plain.WriteCSV(rows)}, nil
}

// scaleDown puts back the amounts that are listed and divides the others.
func scaleDown(files vfs.Files) ([]line, error) {
	lines, err := recipeOf(files, batchFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, amountsFile, "number", "amount")
	if err != nil {
		return nil, err
	}
	amounts := map[ordinal]string{}
	for _, row := range rows {
		if number, ok := wholeNumber(row[0]); ok {
			amounts[number] = row[1]
		}
	}
	for i := range lines {
		l := &lines[i]
		numbers, rest := readAmount(l.text)
		if l.label != ingredient || len(numbers) == 0 {
			continue
		}
		amount, listed := amounts[l.number]
		if !listed {
			amount = scaled(numbers, 2, 5)
		}
		*l = l.with(amount + rest)
	}
	return lines, nil
}

// scaled writes numbers times a factor as whole numbers and fractions.
func scaled(numbers []rational, numerator, denominator int64) string {
	written := make([]string, len(numbers))
	for i, n := range numbers {
		written[i] = rational{n.numerator * numerator, n.denominator * denominator}.mixed()
	}
	return strings.Join(written, "-")
}

// mixed writes a number as "3", "3/4" or "1 3/4".
func (r rational) mixed() string {
	d := divisor(r.numerator, r.denominator)
	r.numerator, r.denominator = r.numerator/d, r.denominator/d
	whole, part := r.numerator/r.denominator, r.numerator%r.denominator
	switch {
	case part == 0:
		return strconv.FormatInt(whole, 10)
	case whole == 0:
		return fmt.Sprintf("%d/%d", part, r.denominator)
	}
	return fmt.Sprintf("%d %d/%d", whole, part, r.denominator)
}

// Figures of steps and tips in a table.
const (
	tokensFile  = "pithivier_tokens.txt"
	figuresFile = "figures.csv"
)

var (
	figure      = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)
	figureToken = regexp.MustCompile(`\[n[0-9]+\]`)
)

func takeFigures(lines []line) (vfs.Files, error) {
	rows := [][]string{{"token", "figure"}}
	inTexts(lines, func(text string) string {
		return figure.ReplaceAllStringFunc(text, func(found string) string {
			token := fmt.Sprintf("n%d", len(rows))
			rows = append(rows, []string{token, found})
			return "[" + token + "]"
		})
	})
	return vfs.Files{tokensFile: write(lines), figuresFile: plain.WriteCSV(rows)}, nil
}

// inTexts changes the texts of steps and tips.
func inTexts(lines []line, change func(string) string) {
	for i := range lines {
		if l := lines[i].label; l == step || l == tip {
			lines[i] = lines[i].with(change(lines[i].text))
		}
	}
}

// putFigures leaves tokens that are not listed.
func putFigures(files vfs.Files) ([]line, error) {
	lines, err := recipeOf(files, tokensFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, figuresFile, "token", "figure")
	if err != nil {
		return nil, err
	}
	figures := map[string]string{}
	for _, row := range rows {
		figures["["+strings.Trim(row[0], " []")+"]"] = row[1]
	}
	inTexts(lines, func(text string) string {
		return figureToken.ReplaceAllStringFunc(text, func(token string) string {
			if found, ok := figures[token]; ok {
				return found
			}
			return token
		})
	})
	return lines, nil
}

// Tips in the steps that refer to them.
const inlineFile = "pithivier_inline.txt"

var (
	tipReference = regexp.MustCompile(`\(See Tip ([0-9]+)\)`)
	inlined      = regexp.MustCompile(`\{Tip ([0-9]+): ([^{}]*)\}`)
)

func inlineTips(lines []line) (vfs.Files, error) {
	texts := textsOf(lines)
	used := map[id]bool{}
	for i := range lines {
		if lines[i].label != step {
			continue
		}
		lines[i] = lines[i].with(tipReference.ReplaceAllStringFunc(lines[i].text, func(found string) string {
			number := ordinalOf(tipReference.FindStringSubmatch(found)[1])
			text, ok := texts[id{tip, number}]
			if !ok {
				return found
			}
			used[id{tip, number}] = true
			return fmt.Sprintf("{Tip %s: %s}", number, text)
		}))
	}
	rest, _ := takeOut(lines, func(l *line) bool { return used[l.id()] })
	return vfs.Files{inlineFile: write(rest)}, nil
}

func collectTips(files vfs.Files) ([]line, error) {
	lines, err := recipeOf(files, inlineFile)
	if err != nil {
		return nil, err
	}
	tips := map[id]string{}
	for i := range lines {
		if lines[i].label != step {
			continue
		}
		lines[i] = lines[i].with(inlined.ReplaceAllStringFunc(lines[i].text, func(found string) string {
			m := inlined.FindStringSubmatch(found)
			number := ordinalOf(m[1])
			if _, twice := tips[id{tip, number}]; !twice {
				tips[id{tip, number}] = m[2]
			}
			return fmt.Sprintf("(See Tip %s)", number)
		}))
	}
	return putBack(lines, tips), nil
}

// Temperatures.
const fahrenheitFile = "pithivier_fahrenheit.txt"

var (
	celsius    = regexp.MustCompile(`(-?[0-9]+)(?:(–|-| to )(-?[0-9]+))?( ?)°C`)
	fahrenheit = regexp.MustCompile(`(-?[0-9]+)(?:(–|-| to )(-?[0-9]+))?( ?)°F`)
)

func toFahrenheit(lines []line) (vfs.Files, error) {
	inTexts(lines, func(text string) string {
		return convert(text, celsius, "°F", func(c int) int { return rounded(9*c+5*32, 5) })
	})
	return vfs.Files{fahrenheitFile: write(lines)}, nil
}

func toCelsius(files vfs.Files) ([]line, error) {
	lines, err := recipeOf(files, fahrenheitFile)
	if err != nil {
		return nil, err
	}
	inTexts(lines, func(text string) string {
		return convert(text, fahrenheit, "°C", func(f int) int { return rounded(5*(f-32), 9) })
	})
	return lines, nil
}

// rounded is a quotient rounded half up.
func rounded(numerator, denominator int) int {
	double := 2*numerator + denominator
	quotient := double / (2 * denominator)
	if double%(2*denominator) < 0 {
		quotient--
	}
	return quotient
}

// convert converts the temperatures of a text, both ends of ranges.
func convert(text string, temperature *regexp.Regexp, sign string, to func(int) int) string {
	number := func(written string) string {
		n, err := strconv.Atoi(written)
		if err != nil || n > 1e6 || n < -1e6 {
			return written
		}
		return strconv.Itoa(to(n))
	}
	return temperature.ReplaceAllStringFunc(text, func(found string) string {
		m := temperature.FindStringSubmatch(found)
		converted := number(m[1])
		if m[3] != "" {
			converted += m[2] + number(m[3])
		}
		return converted + m[4] + sign
	})
}
