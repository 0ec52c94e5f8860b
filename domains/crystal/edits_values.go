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
		tags := []string{p.text}
		if p.kind == loopPart {
			tags = p.loop.tags
		}
		if slices.ContainsFunc(tags, isUncertainty) {
			return fmt.Errorf("there is a tag that ends in %s", uncertaintyEnd)
		}
		var item *part
		switch p.kind {
		case itemPart:
			if number, su, ok := divided(p.value); ok {
				item = &part{kind: itemPart, text: p.text + uncertaintyEnd, value: value{raw: su}}
				p.value = value{raw: number}
				p.changed()
			}
		case loopPart:
			divideColumns(p)
		}
		out = append(out, *p)
		if item != nil {
			out = append(out, *item)
		}
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
func divideColumns(p *part) {
	l := p.loop
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
		p.changed()
		for k := range l.rows {
			w := &l.rows[k]
			number, su, ok := divided(w.values[column])
			if ok {
				w.set(column, value{raw: number})
			} else {
				su = "."
			}
			w.source = ""
			w.values = slices.Insert(w.values, column+1, value{raw: su})
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
			joinColumns(p)
		case p.kind == itemPart && isUncertainty(p.text):
			uncertainties[strings.ToLower(p.text)] = p.value
		}
	}
	for i := range d.parts {
		p := &d.parts[i]
		if su, known := uncertainties[strings.ToLower(p.text)+uncertaintyEnd]; known && p.kind == itemPart {
			p.value = joined(p.value, su)
			p.changed()
		}
	}
	d.parts = slices.DeleteFunc(d.parts, func(p part) bool { return p.kind == itemPart && isUncertainty(p.text) })
}

func joinColumns(p *part) {
	l := p.loop
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
		p.changed()
	}
}
