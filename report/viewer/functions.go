package viewer

import (
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/internal/printable"
	"agentd/report"
	"agentd/results"
)

// none is shown instead of a missing number.
const none = "–"

// mostUnfolded is how many differences of a list are visible; the rest is collapsed.
const mostUnfolded = 30

var functions = template.FuncMap{
	"segment": url.PathEscape, // a part of a path
	"percent": percent,
	"points":  points,
	"grade":   gradeClass,
	"usd":     usd,
	"dollars": dollars,
	"join":    func(all []string) string { return strings.Join(all, ", ") },
	"value":   func(n *float64) float64 { return *n },
	"deref":   func(b *bool) bool { return *b },
	"moment":  func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") },
	"machine": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"lasting": lasting,
	"bytes":   bytesText,
	"plural":  printable.Count,
	"arm":     arm,
	"calls":   callSequence,
	"why":     func(in results.Interaction) string { return report.ReasonOf(&in) },
	"short":   short,
	"first":   func(all []domains.Difference) []domains.Difference { return all[:min(len(all), mostUnfolded)] },
	"rest":    func(all []domains.Difference) []domains.Difference { return all[min(len(all), mostUnfolded):] },
}

// score is a number or a pointer to one; nil if there is none.
func score(v any) *float64 {
	if n, ok := v.(float64); ok {
		return &n
	}
	p, _ := v.(*float64)
	return p
}

func percent(v any) string {
	n := score(v)
	if n == nil {
		return none
	}
	return strconv.FormatFloat(100**n, 'f', 1, 64)
}

func points(change *float64) string {
	if change == nil {
		return none
	}
	return strings.Replace(fmt.Sprintf("%+.1f", 100**change), "-", "−", 1)
}

func gradeClass(v any) string {
	n := score(v)
	if n == nil {
		return ""
	}
	return report.GradeClass(*n)
}

func usd(cost *float64) string {
	if cost == nil {
		return "unknown"
	}
	return strconv.FormatFloat(*cost, 'f', 4, 64) + " USD"
}

// dollars formats an amount in USD with as many decimals as are useful.
func dollars(v any) string {
	n := score(v)
	if n == nil {
		return none
	}
	if *n != 0 && *n < 1 {
		return strconv.FormatFloat(*n, 'f', 4, 64)
	}
	return strconv.FormatFloat(*n, 'f', 2, 64)
}

func lasting(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

func bytesText(n int) string {
	switch {
	case n < 1000:
		return printable.Count(n, "byte")
	case n < 1_000_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " kB"
	}
	return strconv.FormatFloat(float64(n)/1_000_000, 'f', 1, 64) + " MB"
}

// short cuts a text to the length of a long line.
func short(text string) string {
	if shown := cut(text, mostLine); len(shown) < len(text) {
		return shown + "…"
	}
	return text
}

// arm names a model with its policy.
func arm(model, policy string) string { return strings.TrimSpace(model + " " + policy) }

// callSequence is a sequence of tool names with blanks between, runs shortened.
func callSequence(tools string) string {
	var parts []string
	names := strings.Fields(tools)
	for i := 0; i < len(names); {
		n := 1
		for i+n < len(names) && names[i+n] == names[i] {
			n++
		}
		part := names[i]
		if n > 1 {
			part += fmt.Sprintf(" ×%d", n)
		}
		parts = append(parts, part)
		i += n
	}
	return strings.Join(parts, ", ")
}

func experimentAddress(name string) string { return "/experiments/" + url.PathEscape(name) }

func matrixAddress(name string) string { return experimentAddress(name) + "/matrix" }

func relayAddress(id int64) string { return fmt.Sprintf("/relays/%d", id) }

func interactionAddress(relay int64, number int) string {
	return fmt.Sprintf("/relays/%d/%d", relay, number)
}

func relayTitle(r results.Relay) string {
	return fmt.Sprintf("%s on %s, repeat %d", arm(r.Model, r.Policy), r.Environment, r.Repeat)
}
