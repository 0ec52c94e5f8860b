package crystal

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

// uncertaintyEnd is the end of the tags of standard uncertainties.
const uncertaintyEnd = "_su"

var withUncertainty = regexp.MustCompile(`^([+-]?(?:\d+\.?\d*|\.\d+))\(([1-9]\d*)\)$`)

// divideUncertainties gives standard uncertainties tags of their own, in the units of the
// values.
func divideUncertainties(p struct{ Document, To string }) exact.Steps {
	return rewrite(p.Document, p.To,
		func(d *document) (vfs.Files, error) { return nil, d.divide() },
		func(d *document, _ vfs.Files) error { d.rejoin(); return nil })
}

func (d *document) divide() error {
	var out []part
	for i := range d.parts {
		p := &d.parts[i]
		if slices.ContainsFunc(p.tags(), isUncertainty) {
			return fmt.Errorf("there is a tag that ends in %s", uncertaintyEnd)
		}
		if p.kind == loopPart {
			p.loop.divideColumns()
		}
		number, su, ok := divided(p.value)
		if !ok {
			out = append(out, *p)
			continue
		}
		p.set(value{raw: number})
		out = append(out, *p, part{kind: itemPart, text: p.text + uncertaintyEnd, value: value{raw: su}})
	}
	d.parts = out
	return nil
}

func isUncertainty(tag string) bool { return strings.HasSuffix(strings.ToLower(tag), uncertaintyEnd) }

// divided splits a value such as 1.9450(10) into 1.9450 and 0.0010.
func divided(v value) (number, su string, ok bool) {
	found := withUncertainty.FindStringSubmatch(v.raw)
	if found == nil || v.form != bareForm {
		return "", "", false
	}
	number, su = found[1], found[2]
	if point := strings.IndexByte(number, '.'); point >= 0 && point < len(number)-1 {
		n := len(number) - point - 1
		su = strings.Repeat("0", max(n+1-len(su), 0)) + su
		su = su[:len(su)-n] + "." + su[len(su)-n:]
	}
	return number, su, true
}

// divideColumns adds a column after each that has uncertainties.
func (l *loop) divideColumns() {
	for column := len(l.tags) - 1; column >= 0; column-- {
		has := slices.ContainsFunc(l.rows, func(w row) bool {
			_, _, ok := divided(w.values[column])
			return ok
		})
		if !has {
			continue
		}
		l.tags = slices.Insert(l.tags, column+1, l.tags[column]+uncertaintyEnd)
		l.header = ""
		for k := range l.rows {
			w := &l.rows[k]
			number, su, ok := divided(w.values[column])
			if !ok {
				number, su = w.values[column].raw, "."
			}
			w.values = slices.Insert(w.values, column+1, value{raw: su})
			w.set(column, value{raw: number, form: w.values[column].form})
		}
	}
}

// joined is a number with its uncertainty after it in units of the last digit.
func joined(number, su value) value {
	digits := strings.TrimLeft(strings.ReplaceAll(su.text(), ".", ""), "0")
	if !isNumber(digits) {
		return number
	}
	return value{raw: number.text() + "(" + digits + ")"}
}

// rejoin writes uncertainties after their values, and drops the tags of their own.
func (d *document) rejoin() {
	uncertainties := map[string]value{}
	for i := range d.parts {
		switch p := &d.parts[i]; {
		case p.kind == loopPart:
			p.loop.joinColumns()
		case p.kind == itemPart && isUncertainty(p.text):
			uncertainties[strings.ToLower(p.text)] = p.value
		}
	}
	for i := range d.parts {
		p := &d.parts[i]
		if su, known := uncertainties[strings.ToLower(p.text)+uncertaintyEnd]; known && p.kind == itemPart {
			p.set(joined(p.value, su))
		}
	}
	d.parts = slices.DeleteFunc(d.parts, func(p part) bool { return p.kind == itemPart && isUncertainty(p.text) })
}

func (l *loop) joinColumns() {
	for column := len(l.tags) - 1; column >= 0; column-- {
		tag, isOne := strings.CutSuffix(strings.ToLower(l.tags[column]), uncertaintyEnd)
		at := slices.IndexFunc(l.tags, func(t string) bool { return strings.EqualFold(t, tag) })
		if !isOne || at < 0 {
			continue
		}
		for k := range l.rows {
			w := &l.rows[k]
			w.set(at, joined(w.values[at], w.values[column]))
			w.values = slices.Delete(w.values, column, column+1)
		}
		l.tags = slices.Delete(l.tags, column, column+1)
		l.header = ""
	}
}
