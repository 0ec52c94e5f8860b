package obj3d

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/obj3d"
)

// shapeKinds are the kinds of elements that are numbered in their group. The first three are what corners refer to.
var shapeKinds = [...]string{vertexKind, "texture coordinate", "normal", counted, "polyline", "points"}

const (
	vertexShape = iota
	textureShape
	normalShape
	faceShape
	polylineShape
	pointsShape
)

// few is the number of corners for which a face needs no memory of its own.
const few = 8

// list is the vertices, texture coordinates or normals of a file.
type list struct {
	texts []string
	base  int // what is to be taken off from numbers that count from 1
}

// readLists reads what corners refer to, which may stand after them, each in a form that is equal for equal ones.
func (f *flattener) readLists(lines []string, isPart bool) {
	f.lists = [3]list{}
	var numbers []string
	eachStatement(lines, func(s *statement) {
		if which, yes := s.isData(); yes {
			numbers = s.appendNumbers(numbers[:0], which)
			f.lists[which].texts = plain.Append(f.lists[which].texts, short(strings.Join(numbers, " ")))
		}
	})
	if isPart {
		f.findBases(lines)
	}
}

// findBases finds what a part's numbers are too large by: if they lie beyond its list and span
// as many as that has, they still count from the beginning of the model.
func (f *flattener) findBases(lines []string) {
	least, most := [3]int{math.MaxInt, math.MaxInt, math.MaxInt}, [3]int{}
	eachStatement(lines, func(s *statement) {
		if _, yes := s.isShape(); !yes {
			return
		}
		for _, word := range s.words {
			corner, _ := readCorner(word)
			for which, r := range corner {
				if r.valid && r.number > 0 {
					least[which], most[which] = min(least[which], r.number), max(most[which], r.number)
				}
			}
		}
	})
	for which := range f.lists {
		l := &f.lists[which]
		if size := len(l.texts); most[which] > size && most[which]-least[which]+1 == size {
			l.base = least[which] - 1
		}
	}
}

// appendNumbers adds the numbers of a vertex, texture coordinate or normal in a
// form that is equal for equal ones, without those that are understood.
func (s *statement) appendNumbers(numbers []string, which int) []string {
	for _, word := range s.words {
		numbers = append(numbers, plainNumber(word))
	}
	switch {
	case which == vertexShape && len(numbers) == 4 && numbers[3] == "1":
		numbers = numbers[:3] // the weight
	case which == textureShape:
		for len(numbers) > 1 && numbers[len(numbers)-1] == "0" {
			numbers = numbers[:len(numbers)-1]
		}
	}
	return numbers
}

// plainNumber is plain.Number, sooner done for what is plain already.
func plainNumber(text string) string {
	digits := strings.TrimPrefix(text, "-")
	point, last := -1, len(digits)-1
	for n := range len(digits) {
		switch c := digits[n]; {
		case c == '.' && point < 0:
			point = n
		case c < '0' || c > '9':
			return plain.Number(text)
		}
	}
	isWhole := point < 0 && last >= 0 && (digits[0] != '0' || text == "0")
	isFraction := point > 0 && (digits[0] != '0' || point == 1) && digits[last] != '0' && digits[last] != '.'
	if isWhole || isFraction {
		return text
	}
	return plain.Number(text)
}

var (
	axes      = []string{"x", "y", "z", "w"}
	listNames = [...][]string{axes, {"u", "v", "w"}, axes}
	// coloured are the names for a vertex with a colour after its place.
	coloured = []string{"x", "y", "z", "red", "green", "blue"}
)

func (f *flattener) datum(which int, text string) {
	names := listNames[which]
	size := 1 + strings.Count(text, " ")
	if which == vertexShape && size == len(coloured) {
		names = coloured
	}
	fields := f.room(size)
	for number := range strings.SplitSeq(text, " ") {
		name := "further number"
		if len(fields) < len(names) {
			name = names[len(fields)]
		}
		fields = append(fields, domains.Field{Name: name, Value: number})
	}
	f.add(shapeKinds[which], f.key(which), fields)
}

// shape adds a face, a line or points.
func (f *flattener) shape(s *statement, kind int, seen [3]int) {
	var space [few]corner
	corners := space[:0]
	for _, word := range s.words {
		corners = append(corners, f.corner(word, seen))
	}
	fields := append(f.room(len(f.state.fields)+len(corner{})*len(corners)+1), f.state.fields...)
	if kind == faceShape {
		if order := winding(corners); order != "" {
			fields = append(fields, domains.Field{Name: "winding", Value: order})
		}
	}
	for n := range corners {
		place := ""
		if kind != faceShape {
			place = " " + strconv.Itoa(n+1)
		}
		fields = corners[n].append(fields, place)
	}
	f.add(shapeKinds[kind], f.key(kind), fields)
}

// corner is a corner of a shape: its place, texture coordinate and normal, or what stands there instead.
type corner [3]string

func (f *flattener) corner(word string, seen [3]int) corner {
	references, valid := readCorner(word)
	if !valid {
		return corner{short(word)}
	}
	var c corner
	for place, r := range references {
		if r.there {
			c[place] = f.lists[place].at(r.number, seen[place], listKinds[place])
		}
	}
	return c
}

// at is what a number refers to.
func (l *list) at(number, seen int, kind string) string {
	index := number - 1 - l.base
	if number < 0 {
		index = seen + number
	}
	if index < 0 || index >= len(l.texts) {
		return kind + " " + strconv.Itoa(number) + ", which is not there"
	}
	return l.texts[index]
}

func (c *corner) append(fields []domains.Field, number string) []domains.Field {
	fields = append(fields, domains.Field{Name: "corner" + number, Value: c[0]})
	if c[1] != "" {
		fields = append(fields, domains.Field{Name: "texture" + number, Value: c[1] + " at " + c[0]})
	}
	if c[2] != "" {
		fields = append(fields, domains.Field{Name: "normal" + number, Value: c[2] + " at " + c[0]})
	}
	return fields
}

// winding sorts the corners of a face and returns the way around them by their places in that order, from where it is
// least: so it is free at which a face begins. It is empty where there is only one way.
func winding(corners []corner) string {
	if len(corners) < 3 {
		slices.SortFunc(corners, compareCorners)
		return ""
	}
	var cornerSpace [few]corner
	var rankSpace [few]int
	sorted, ranks := append(cornerSpace[:0], corners...), rankSpace[:0]
	slices.SortFunc(sorted, compareCorners)
	for n := range corners {
		rank, _ := slices.BinarySearchFunc(sorted, corners[n], compareCorners)
		ranks = append(ranks, rank+1)
	}
	copy(corners, sorted)
	start := lists.LeastRotation(ranks)
	if len(ranks) == 3 && ranks[start] == 1 {
		// The usual ones take no memory.
		switch second, third := ranks[(start+1)%3], ranks[(start+2)%3]; {
		case second == 2 && third == 3:
			return "1 2 3"
		case second == 3 && third == 2:
			return "1 3 2"
		}
	}
	var text []byte
	for n := range ranks {
		text = append(strconv.AppendInt(text, int64(ranks[(start+n)%len(ranks)]), 10), ' ')
	}
	return string(text[:len(text)-1])
}

func compareCorners(a, b corner) int { return slices.Compare(a[:], b[:]) }

// properties are the keywords of a material, other than those of texture maps.
var properties = map[string]bool{
	"Ka": true, "Kd": true, "Ks": true, "Ke": true, "Tf": true, "Ns": true, "Ni": true, "d": true, "Tr": true,
	"illum": true, "sharpness": true, "bump": true, "disp": true, "decal": true, "refl": true, "norm": true,
	"Pr": true, "Pm": true, "Ps": true, "Pc": true, "Pcr": true, "aniso": true, "anisor": true,
}

func isProperty(keyword string) bool {
	return properties[keyword] || strings.HasPrefix(keyword, "map_")
}

// materials flattens an MTL file. What stands above the first material is no part of the format.
func (f *flattener) materials(lines []string) {
	name, current := "", []domains.Field(nil)
	end := func() {
		if current != nil {
			current = append(current, domains.Field{Name: "name", Value: name})
			f.add(materialKind, "material "+name, append(f.room(len(current)), current...))
		}
	}
	eachStatement(lines, func(s *statement) {
		if s.comment != "" {
			f.comment(s, true)
		}
		switch {
		case s.keyword == "":
		case s.keyword == "newmtl":
			end()
			name, current = s.name(), []domains.Field{}
		case current != nil && isProperty(s.keyword):
			current = s.appendProperty(current)
		default:
			f.line(s)
		}
	})
	end()
}

var colourParts = [...]string{" red", " green", " blue"}

// appendProperty adds the values of a property; a colour of one number is grey.
func (s *statement) appendProperty(fields []domains.Field) []domains.Field {
	values := lists.Map(s.words, plainNumber)
	isColour := slices.Contains(published.ColourNames, s.keyword) || s.keyword == "Tf"
	if !isColour || len(values) != 1 && len(values) != len(colourParts) || !startsNumber(s.words[0]) {
		return append(fields, domains.Field{Name: s.keyword, Value: strings.Join(values, " ")})
	}
	for n, part := range colourParts {
		fields = append(fields, domains.Field{Name: s.keyword + part, Value: values[n%len(values)]})
	}
	return fields
}
