package graphviz

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/graphviz"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// The kinds of elements other than the counted one.
const (
	graphKind   = "graph"
	groupKind   = "subgraph"
	memberKind  = "member"
	pairKind    = "pair in a group"
	defaultKind = "default"
	lineKind    = "line"
)

// elements flattens files of any name into what Graphviz makes of them. Several files are one graph as long as they are
// of one type; its name is the first one's.
func elements(files vfs.Files) []domains.Element {
	var f flattener
	for _, name := range files.Names() {
		d := read(files[name])
		for n, g := range d.graphs {
			if n > 0 || f.scope == nil || f.directed != g.directed {
				f.open(g)
			}
			f.comments(g.above)
			f.commentsIn(g.body)
			f.body(f.scope, g.body)
			if g.unclosed {
				f.line("closing brace missing")
			}
		}
		for _, line := range d.outside {
			f.line(line)
		}
		f.comments(d.closing)
	}
	f.close()
	return f.all
}

// commentsIn adds the comments in a graph or group.
func (f *flattener) commentsIn(b *body) {
	if b == nil {
		return
	}
	for _, st := range b.statements {
		f.comments(st.above)
		if st.group != nil {
			f.commentsIn(st.group.body)
		}
		for _, e := range st.ends {
			if e.group != nil {
				f.commentsIn(e.group.body)
			}
		}
	}
	f.comments(b.closing)
}

func (f *flattener) comments(all []string) {
	for _, comment := range all {
		f.all = append(f.all, element.Remarks(comment, "/*#")...)
	}
}

type flattener struct {
	all      []domains.Element
	graph    *graph // the first of those that are one
	directed bool
	scope    *scope // of the graph
	scopes   []*scope
	nodes    map[string]*vertex
	inOrder  []*vertex
	expanded int // edges that groups at their ends stand for
}

// scope is a graph or subgraph with what holds in it.
type scope struct {
	parent    *scope
	name      string // empty without
	settings  published.Settings
	defaults  map[string]published.Settings // of nodes and edges
	subgraphs map[string]*scope             // by name
	inner     []*scope
	members   []*vertex
}

// vertex is a node of the graph, whether it has a statement or not.
type vertex struct {
	id        string
	stated    bool
	atTop     bool // it stands in no subgraph, at least once
	again     int  // statements that say nothing new
	explicit  published.Settings
	inherited published.Settings // the defaults where it was first met
	scopes    []*scope           // that it stands in directly
}

func (f *flattener) add(kind, key string, fields []domains.Field) {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
}

func (f *flattener) line(text string) {
	f.add(lineKind, "line outside statements", []domains.Field{{Value: plain.SingleBlanks(text)}})
}

func (f *flattener) open(g *graph) {
	f.close()
	f.graph, f.directed = g, g.directed
	f.scope = newScope(nil, "")
	f.scopes, f.inOrder, f.nodes = nil, nil, map[string]*vertex{}
}

func newScope(parent *scope, name string) *scope {
	return &scope{
		parent: parent, name: name, settings: published.Settings{},
		defaults:  map[string]published.Settings{"node": {}, "edge": {}},
		subgraphs: map[string]*scope{},
	}
}

// close adds the elements that are known only at the end of a graph.
func (f *flattener) close() {
	if f.scope == nil {
		return
	}
	fields := []domains.Field{{Name: "type", Value: f.graph.kind()}, {Name: "name", Value: f.graph.name.text()}}
	f.add(graphKind, "graph", f.scope.settings.Fields(fields))
	f.subgraphs()
	seen := map[domains.Field]bool{}
	f.all = slices.Grow(f.all, len(f.inOrder))
	for _, v := range f.inOrder {
		f.memberships(v)
		if v.stated {
			key, fields := "node "+v.id, v.fields()
			for range 1 + v.again {
				f.add(counted, key, fields)
			}
			for name, value := range v.inherited {
				if _, own := v.explicit[name]; !own {
					seen[domains.Field{Name: name, Value: value}] = true
				}
			}
		}
	}
	f.unseenDefaults(seen)
}

// subgraphs adds the subgraphs of the graph, and who is with whom in those without a name.
func (f *flattener) subgraphs() {
	together := map[*scope][]string{} // the members of subgraphs without a name
	for _, s := range f.scopes {
		if c := s.counting(); c.parent != nil && c.name == "" {
			for _, v := range s.members {
				together[c] = append(together[c], v.id)
			}
		}
	}
	for _, s := range f.scopes {
		if s.counts() {
			f.add(groupKind, s.title(), s.settings.Fields([]domains.Field{
				{Name: "name", Value: s.name}, {Name: "within", Value: s.parent.counting().name},
			}))
			f.pairs(s.title(), together[s])
		}
	}
}

// unseenDefaults adds the defaults that only nodes without a statement show.
func (f *flattener) unseenDefaults(seen map[domains.Field]bool) {
	for _, v := range f.inOrder {
		if v.stated {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(v.inherited)) {
			field := domains.Field{Name: name, Value: v.inherited[name]}
			if !seen[field] {
				seen[field] = true
				f.add(defaultKind, "default of nodes", []domains.Field{field})
			}
		}
	}
}

// counts reports whether a subgraph is more than braces: it has a name, or an attribute of its own such as rank=same.
func (s *scope) counts() bool { return s.parent == nil || s.name != "" || len(s.settings) > 0 }

// counting is the nearest scope that counts.
func (s *scope) counting() *scope {
	for !s.counts() {
		s = s.parent
	}
	return s
}

// title tells a subgraph from others. Those without a name are told by what is set in them.
func (s *scope) title() string {
	if s.name != "" {
		return s.name
	}
	names := slices.Sorted(maps.Keys(s.settings))
	parts := lists.Map(names, func(name string) string { return name + "=" + s.settings[name] })
	return "{" + strings.Join(parts, " ") + "}"
}

func (v *vertex) fields() []domains.Field {
	return set(published.Overridden(v.inherited, v.explicit), "label").Fields([]domains.Field{{Name: "id", Value: v.id}})
}

// set are the settings that say something. Graphviz draws an empty one as none, but for one that is kept: the label of a node.
func set(settings published.Settings, kept string) published.Settings {
	own := false // the map is not one of the defaults
	for name, value := range settings {
		if value != "" || name == kept {
			continue
		}
		if !own {
			settings, own = maps.Clone(settings), true
		}
		delete(settings, name)
	}
	return settings
}

// memberships adds an element for each subgraph that a node stands in, those around others included.
func (f *flattener) memberships(v *vertex) {
	const most = 16 // subgraphs around one another
	if len(v.scopes) == 0 {
		return
	}
	has := map[*scope]bool{}
	for _, s := range v.scopes {
		s = s.counting()
		for level := 0; level < most && s.parent != nil && !has[s]; level++ {
			has[s] = true
			title := s.title()
			f.add(memberKind, v.id+" in "+title, []domains.Field{{Name: "node", Value: v.id}, {Name: "subgraph", Value: title}})
			s = s.parent.counting()
		}
	}
}

// pairs adds an element for each two members of a subgraph without a name, since nothing else tells who is with whom.
// In a large one each member is paired with the next.
func (f *flattener) pairs(title string, members []string) {
	const large = 12
	slices.Sort(members)
	members = slices.Compact(members)
	for i, id := range members {
		others := members[i+1:]
		if len(members) > large {
			others = others[:min(1, len(others))]
		}
		for _, other := range others {
			f.add(pairKind, id+" and "+other+" in "+title, []domains.Field{
				{Name: "node", Value: id}, {Name: "node", Value: other}, {Name: "subgraph", Value: title},
			})
		}
	}
}

// normalAttributes are attributes by name, the last of a name deciding.
func normalAttributes(attributes []attribute) published.Settings {
	if len(attributes) == 0 {
		return nil
	}
	all := make(published.Settings, len(attributes))
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
		return "html " + plain.SingleBlanks(text)
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

var plainNumber = lazyregexp.New(`^-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$`)

// normalStyles sorts a list of styles, whose order means nothing.
func normalStyles(text string) string {
	var styles []string
	for _, style := range published.SplitOutside(text, '(', ')') {
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

// counted is the kind of element that nodes and edges are.
const counted = "node or edge"

// hexDigits counts the hexadecimal digits at the start of a text.
func hexDigits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789abcdefABCDEF"))
}
