package recipe

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

var celsius = regexp.MustCompile(`(-?\d{1,5})(?:(–|-| to )(\d{1,5}))? ?°C`)

// inFahrenheit lists the temperatures of a part that are in °C in °F, rounded half up to whole
// degrees, both ends of ranges: "302 °F, 185–194 °F".
func inFahrenheit(part string) string {
	converted := func(text string) string {
		c, err := strconv.Atoi(text)
		if err != nil {
			return ""
		}
		return strconv.Itoa(int(math.Floor(float64(c*9+5*32)/5 + 0.5)))
	}
	var all []string
	for _, m := range celsius.FindAllStringSubmatch(part, -1) {
		all = append(all, converted(m[1])+m[2]+converted(m[3])+" °F")
	}
	return strings.Join(all, ", ")
}
