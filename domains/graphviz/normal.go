package graphviz

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"

	"agentd/domains/internal/plain"
)

// normalAttributes are attributes by name, the last of a name deciding.
func normalAttributes(attributes []attribute) settings {
	if len(attributes) == 0 {
		return nil
	}
	all := make(settings, len(attributes))
	for _, a := range attributes {
		name := normalName(a.name.text())
		if !a.value.isSet() {
			all[name] = "true" // as older versions of Graphviz read it
			continue
		}
		all[name] = normalValue(name, a.value)
	}
	return all
}

// normalName gives the two names for an address the same name.
func normalName(name string) string {
	if before, ok := strings.CutSuffix(name, "href"); ok {
		return before + "URL"
	}
	return name
}

// normalValue is equal for values that mean the same to Graphviz.
func normalValue(name string, value word) string {
	text := value.text()
	switch {
	case strings.HasPrefix(value.raw, "<"):
		return "html " + strings.Join(strings.Fields(text), " ")
	case isText(name):
		return strings.ReplaceAll(text, "\n", `\n`)
	case strings.HasSuffix(name, "color"): // and bgcolor, fillcolor and their like
		return normalColours(text)
	case name == "style":
		return normalStyles(text)
	}
	if plainNumber.MatchString(text) {
		return plain.Number(text)
	}
	switch strings.ToLower(text) {
	case "true", "yes":
		return "true"
	case "false", "no":
		return "false"
	}
	return text
}

// isText holds for attributes in which every character counts.
func isText(name string) bool {
	switch name {
	case "id", "class", "comment", "group", "samehead", "sametail", "layer", "lhead", "ltail", "headport", "tailport":
		return true
	}
	ends := []string{"label", "tooltip", "URL", "target"}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

var plainNumber = regexp.MustCompile(`^-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$`)

// normalStyles sorts a list of styles, whose order means nothing.
func normalStyles(text string) string {
	var styles []string
	for _, style := range splitOutside(text, '(', ')') {
		if style = strings.TrimSpace(style); style != "" {
			styles = append(styles, style)
		}
	}
	slices.Sort(styles)
	return strings.Join(styles, ",")
}

// normalColours writes the colours of a list by their values.
func normalColours(text string) string {
	colours := strings.Split(text, ":")
	for i, colour := range colours {
		colour, share, weighted := strings.Cut(colour, ";")
		colours[i] = normalColour(colour)
		if weighted {
			colours[i] += ";" + share
		}
	}
	return strings.Join(colours, ":")
}

// normalColour writes a colour as #rrggbb, or #rrggbbaa if one can see through
// it. A name that is not in the list, such as one of another scheme, is lowered.
func normalColour(text string) string {
	colour := strings.Replace(strings.ToLower(strings.TrimSpace(text)), "grey", "gray", 1)
	if value, known := x11Colours[colour]; known {
		return value
	}
	if c, known := colornames.Map[colour]; known {
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	if grey, ok := normalGrey(colour); ok {
		return grey
	}
	if digits, ok := strings.CutPrefix(colour, "#"); ok {
		if hexDigits(digits) != len(digits) {
			return colour
		}
		if len(digits) == 3 || len(digits) == 4 {
			var b strings.Builder
			for _, d := range digits {
				b.WriteString(strings.Repeat(string(d), 2))
			}
			digits = b.String()
		}
		if len(digits) == 8 {
			digits = strings.TrimSuffix(digits, "ff")
		}
		return "#" + digits
	}
	return normalHSV(colour)
}

// normalGrey writes gray0 to gray100, per cents of white.
func normalGrey(colour string) (string, bool) {
	percent, ok := strings.CutPrefix(colour, "gray")
	if !ok {
		return "", false
	}
	n, err := strconv.Atoi(percent)
	if err != nil || n < 0 || n > 100 {
		return "", false
	}
	level := (n*255 + 50) / 100
	return fmt.Sprintf("#%02x%02x%02x", level, level, level), true
}

// normalHSV writes hue, saturation and value, each from 0 to 1, with commas or blanks between.
func normalHSV(colour string) string {
	parts := strings.FieldsFunc(colour, func(r rune) bool { return r == ',' || r == ' ' })
	if len(parts) != 3 {
		return colour
	}
	var hsv [3]float64
	for i, part := range parts {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || math.IsNaN(v) {
			return colour
		}
		hsv[i] = min(max(v, 0), 1)
	}
	sector, fraction := math.Modf(hsv[0] * 6)
	s, v := hsv[1], hsv[2]
	p, q, t := v*(1-s), v*(1-float64(s*fraction)), v*(1-float64(s*(1-fraction)))
	rgb := [][3]float64{{v, t, p}, {q, v, p}, {p, v, t}, {p, q, v}, {t, p, v}, {v, p, q}}[int(sector)%6]
	return fmt.Sprintf("#%02x%02x%02x", int(rgb[0]*255), int(rgb[1]*255), int(rgb[2]*255))
}

// x11Colours are the colours of the X11 scheme, which is Graphviz's own, that SVG lacks or has with another value.
var x11Colours = map[string]string{
	"gray": "#c0c0c0", "green": "#00ff00", "lightgoldenrod": "#eedd82", "lightslateblue": "#8470ff", "maroon": "#b03060",
	"navyblue": "#000080", "purple": "#a020f0", "rebeccapurple": "#663399", "violetred": "#d02090",
}
