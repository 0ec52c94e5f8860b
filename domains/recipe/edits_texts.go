package recipe

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// scaleAmounts writes the ingredients of another number of portions. On the way back amounts
// that the table does not have are divided.
func scaleAmounts(p struct {
	Document, To   string
	From, Portions int64
	Table          string
}) exact.Steps {
	if p.From < 1 || p.Portions < 1 || max(p.From, p.Portions) > 1000 {
		return exact.Refuse("from and portions must be from 1 to 1000")
	}
	amounts := func(lines []line, change func(l *line, numbers []fraction, written string) string) {
		for i := range lines {
			l := &lines[i]
			if numbers, rest := readAmount(l.text); l.label == ingredient && len(numbers) > 0 {
				*l = l.with(change(l, numbers, l.text[:len(l.text)-len(rest)]) + rest)
			}
		}
	}
	change := func(lines *[]line) (vfs.Files, error) {
		rows := [][]string{{"number", "amount"}}
		amounts(*lines, func(l *line, numbers []fraction, written string) string {
			rows = append(rows, []string{string(l.number), written})
			return scaled(numbers, p.Portions, p.From)
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return recipes.Rewrite(p.Document, p.To, change, func(lines *[]line, files vfs.Files) error {
		listed, err := numbered(files, p.Table, "number", "amount")
		amounts(*lines, func(l *line, numbers []fraction, _ string) string {
			if amount, ok := listed[l.number]; ok {
				return amount
			}
			return scaled(numbers, p.From, p.Portions)
		})
		return err
	})
}

// scaled writes numbers times a factor as whole numbers and fractions.
func scaled(numbers []fraction, numerator, denominator int64) string {
	times := func(n fraction) string { return mixed(big.NewRat(n.numerator*numerator, n.denominator*denominator)) }
	return strings.Join(lists.Map(numbers, times), "-")
}

// mixed writes a number as "3", "3/4" or "1 3/4".
func mixed(n *big.Rat) string {
	whole, rest := new(big.Int).QuoRem(n.Num(), n.Denom(), new(big.Int))
	switch {
	case rest.Sign() == 0:
		return whole.String()
	case whole.Sign() == 0:
		return n.RatString()
	}
	return fmt.Sprintf("%d %d/%d", whole, rest, n.Denom())
}

var (
	figure      = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)
	figureToken = regexp.MustCompile(`\[n[0-9]+\]`)
)

// takeFigures puts tokens for the figures of steps and tips. Tokens that the table does not
// have stay on the way back.
func takeFigures(p struct{ Document, To, Table string }) exact.Steps {
	change := func(lines *[]line) (vfs.Files, error) {
		rows := [][]string{{"token", "figure"}}
		inTexts(*lines, func(text string) string {
			return figure.ReplaceAllStringFunc(text, func(found string) string {
				token := fmt.Sprintf("n%d", len(rows))
				rows = append(rows, []string{token, found})
				return "[" + token + "]"
			})
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return recipes.Rewrite(p.Document, p.To, change, func(lines *[]line, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "token", "figure")
		figures := map[string]string{}
		for _, row := range rows {
			figures["["+strings.Trim(row[0], " []")+"]"] = row[1]
		}
		inTexts(*lines, func(text string) string {
			return figureToken.ReplaceAllStringFunc(text, func(token string) string {
				if found, ok := figures[token]; ok {
					return found
				}
				return token
			})
		})
		return err
	})
}

var (
	tipReference = regexp.MustCompile(`\(See Tip ([0-9]+)\)`)
	inlined      = regexp.MustCompile(`\{Tip ([0-9]+): ([^{}]*)\}`)
)

// tipsInSteps puts tips into the steps that refer to them.
func tipsInSteps(p struct{ Document, To string }) exact.Steps {
	inSteps := func(lines []line, form *regexp.Regexp, change func(found []string) string) {
		for i := range lines {
			if lines[i].label == step {
				lines[i] = lines[i].with(form.ReplaceAllStringFunc(lines[i].text, func(found string) string {
					return change(form.FindStringSubmatch(found))
				}))
			}
		}
	}
	change := func(lines *[]line) (vfs.Files, error) {
		texts, used := textsOf(*lines), map[id]bool{}
		inSteps(*lines, tipReference, func(found []string) string {
			tip := id{tip, ordinalOf(found[1])}
			text, ok := texts[tip]
			if !ok {
				return found[0]
			}
			used[tip] = true
			return fmt.Sprintf("{Tip %s: %s}", tip.number, text)
		})
		*lines, _ = takeOut(*lines, func(l *line) bool { return used[l.id()] })
		return nil, nil
	}
	return recipes.Rewrite(p.Document, p.To, change, func(lines *[]line, _ vfs.Files) error {
		tips := map[id]string{}
		inSteps(*lines, inlined, func(found []string) string {
			tip := id{tip, ordinalOf(found[1])}
			if _, twice := tips[tip]; !twice {
				tips[tip] = found[2]
			}
			return fmt.Sprintf("(See Tip %s)", tip.number)
		})
		*lines = putBack(*lines, tips)
		return nil
	})
}

var (
	celsius    = regexp.MustCompile(`(-?[0-9]+)(?:(–|-| to )(-?[0-9]+))?( ?)°C`)
	fahrenheit = regexp.MustCompile(`(-?[0-9]+)(?:(–|-| to )(-?[0-9]+))?( ?)°F`)
)

// inFahrenheit writes the temperatures of steps and tips in °F.
func inFahrenheit(p struct{ Document, To string }) exact.Steps {
	change := func(lines *[]line) (vfs.Files, error) {
		inTexts(*lines, func(text string) string {
			return convert(text, celsius, "°F", func(c int) int { return rounded(9*c+5*32, 5) })
		})
		return nil, nil
	}
	return recipes.Rewrite(p.Document, p.To, change, func(lines *[]line, _ vfs.Files) error {
		inTexts(*lines, func(text string) string {
			return convert(text, fahrenheit, "°C", func(f int) int { return rounded(5*(f-32), 9) })
		})
		return nil
	})
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
