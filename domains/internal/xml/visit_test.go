package xml

import (
	"strings"
	"testing"
)

// told writes down what a visitor is told.
type told struct{ strings.Builder }

func (w *told) Start(n *Node) {
	w.WriteString("<" + n.Name)
	for _, a := range n.Attrs {
		w.WriteString(" " + a.Name + "=" + a.Value)
	}
	w.WriteString(">")
}
func (w *told) End(name string)  { w.WriteString("</" + name + ">") }
func (w *told) Text(text string) { w.WriteString("[" + text + "]") }

func TestVisitTellsWhatIsWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<a>\n <b x='1'/> &lt;<![CDATA[ ]]></a>": "<a>[\n ]<b x=1></b>[ <][ ]</a>",
		"<a><b>1<b>2</c></a>":                    "<a><b>[1]<b>[2]</c></a>",
		"<a>&eacute;&none;</a":                   "<a>[é&none;]</a>",
		"<a>1</a!b>2<c/>":                        "<a>[1]</a>[2]<c></c>",
	} {
		var w told
		x := Visit(text, &w)
		if w.String() != want || len(x.Top.Children) > 0 {
			t.Errorf("%s: told %s, want %s", text, w.String(), want)
		}
	}
}

func TestVisitStrictlyStopsAtAFault(t *testing.T) {
	t.Parallel()
	var w told
	x := VisitStrictly("<a>\n<b>1</b>\n<c>2</d></a>", Expat, &w)
	if want := "<a>[\n]<b>[1]</b>[\n]<c>[2]</d>"; w.String() != want || x.Broken == "" || x.Line != 3 {
		t.Errorf("told %s, want %s; %s on line %d", w.String(), want, x.Broken, x.Line)
	}
}
