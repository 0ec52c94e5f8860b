package graphviz

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
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
	if number, ok := normalNumber(text); ok {
		return number
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

// normalNumber writes a plain decimal number without idle zeros.
func normalNumber(text string) (string, bool) {
	unsigned := strings.TrimPrefix(text, "-")
	whole, fraction, _ := strings.Cut(unsigned, ".")
	if whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return "", false
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if unsigned != text && whole != "0" {
		whole = "-" + whole
	}
	return whole, true
}

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
	if value, known := colourNames[colour]; known {
		return value
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

// normalHSV writes hue, saturation and value, each from 0 to 1, with commas or
// blanks between.
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

// colourNames are the names of the X11 scheme, which is Graphviz's own; the
// numbered variants are missing. Grey is written gray.
var colourNames = map[string]string{
	"aliceblue": "#f0f8ff", "antiquewhite": "#faebd7", "aqua": "#00ffff", "aquamarine": "#7fffd4",
	"azure": "#f0ffff", "beige": "#f5f5dc", "bisque": "#ffe4c4", "black": "#000000",
	"blanchedalmond": "#ffebcd", "blue": "#0000ff", "blueviolet": "#8a2be2", "brown": "#a52a2a",
	"burlywood": "#deb887", "cadetblue": "#5f9ea0", "chartreuse": "#7fff00", "chocolate": "#d2691e",
	"coral": "#ff7f50", "cornflowerblue": "#6495ed", "cornsilk": "#fff8dc", "crimson": "#dc143c",
	"cyan": "#00ffff", "darkblue": "#00008b", "darkcyan": "#008b8b", "darkgoldenrod": "#b8860b",
	"darkgray": "#a9a9a9", "darkgreen": "#006400", "darkkhaki": "#bdb76b", "darkmagenta": "#8b008b",
	"darkolivegreen": "#556b2f", "darkorange": "#ff8c00", "darkorchid": "#9932cc", "darkred": "#8b0000",
	"darksalmon": "#e9967a", "darkseagreen": "#8fbc8f", "darkslateblue": "#483d8b", "darkslategray": "#2f4f4f",
	"darkturquoise": "#00ced1", "darkviolet": "#9400d3", "deeppink": "#ff1493", "deepskyblue": "#00bfff",
	"dimgray": "#696969", "dodgerblue": "#1e90ff", "firebrick": "#b22222", "floralwhite": "#fffaf0",
	"forestgreen": "#228b22", "fuchsia": "#ff00ff", "gainsboro": "#dcdcdc", "ghostwhite": "#f8f8ff",
	"gold": "#ffd700", "goldenrod": "#daa520", "gray": "#c0c0c0", "green": "#00ff00", "greenyellow": "#adff2f",
	"honeydew": "#f0fff0", "hotpink": "#ff69b4", "indianred": "#cd5c5c", "indigo": "#4b0082",
	"ivory": "#fffff0", "khaki": "#f0e68c", "lavender": "#e6e6fa", "lavenderblush": "#fff0f5",
	"lawngreen": "#7cfc00", "lemonchiffon": "#fffacd", "lightblue": "#add8e6", "lightcoral": "#f08080",
	"lightcyan": "#e0ffff", "lightgoldenrod": "#eedd82", "lightgoldenrodyellow": "#fafad2",
	"lightgray": "#d3d3d3", "lightgreen": "#90ee90", "lightpink": "#ffb6c1", "lightsalmon": "#ffa07a",
	"lightseagreen": "#20b2aa", "lightskyblue": "#87cefa", "lightslateblue": "#8470ff",
	"lightslategray": "#778899", "lightsteelblue": "#b0c4de", "lightyellow": "#ffffe0", "lime": "#00ff00",
	"limegreen": "#32cd32", "linen": "#faf0e6", "magenta": "#ff00ff", "maroon": "#b03060",
	"mediumaquamarine": "#66cdaa", "mediumblue": "#0000cd", "mediumorchid": "#ba55d3",
	"mediumpurple": "#9370db", "mediumseagreen": "#3cb371", "mediumslateblue": "#7b68ee",
	"mediumspringgreen": "#00fa9a", "mediumturquoise": "#48d1cc", "mediumvioletred": "#c71585",
	"midnightblue": "#191970", "mintcream": "#f5fffa", "mistyrose": "#ffe4e1", "moccasin": "#ffe4b5",
	"navajowhite": "#ffdead", "navy": "#000080", "navyblue": "#000080", "oldlace": "#fdf5e6",
	"olive": "#808000", "olivedrab": "#6b8e23", "orange": "#ffa500", "orangered": "#ff4500",
	"orchid": "#da70d6", "palegoldenrod": "#eee8aa", "palegreen": "#98fb98", "paleturquoise": "#afeeee",
	"palevioletred": "#db7093", "papayawhip": "#ffefd5", "peachpuff": "#ffdab9", "peru": "#cd853f",
	"pink": "#ffc0cb", "plum": "#dda0dd", "powderblue": "#b0e0e6", "purple": "#a020f0",
	"rebeccapurple": "#663399", "red": "#ff0000", "rosybrown": "#bc8f8f", "royalblue": "#4169e1",
	"saddlebrown": "#8b4513", "salmon": "#fa8072", "sandybrown": "#f4a460", "seagreen": "#2e8b57",
	"seashell": "#fff5ee", "sienna": "#a0522d", "silver": "#c0c0c0", "skyblue": "#87ceeb",
	"slateblue": "#6a5acd", "slategray": "#708090", "snow": "#fffafa", "springgreen": "#00ff7f",
	"steelblue": "#4682b4", "tan": "#d2b48c", "teal": "#008080", "thistle": "#d8bfd8", "tomato": "#ff6347",
	"turquoise": "#40e0d0", "violet": "#ee82ee", "violetred": "#d02090", "wheat": "#f5deb3", "white": "#ffffff",
	"whitesmoke": "#f5f5f5", "yellow": "#ffff00", "yellowgreen": "#9acd32",
}
