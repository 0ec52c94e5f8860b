package xml

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsWellFormed(t *testing.T) {
	t.Parallel()
	both := map[Parser]bool{LibXML2: true, Expat: true}
	neither := map[Parser]bool{}
	expat := map[Parser]bool{Expat: true}
	libxml2 := map[Parser]bool{LibXML2: true}
	deep := strings.Repeat("<a>", 300) + strings.Repeat("</a>", 300)
	for rule, c := range map[string]struct {
		text string
		by   map[Parser]bool
	}{
		"an element":                          {"<a/>", both},
		"a byte order mark":                   {"\ufeff<a/>", both},
		"a blank line":                        {"\n<a/>", both},
		"a blank line before the declaration": {"\n<?xml version='1.0'?><a/>", neither},
		"an unknown encoding":                 {`<?xml version="1.0" encoding="none"?><a/>`, expat},
		"a version beyond 1":                  {`<?xml version="2.0"?><a/>`, expat},
		"a declaration without version":       {`<?xml encoding="utf-8"?><a/>`, neither},
		"no element":                          {"<!-- a -->", neither},
		"a code fence":                        {"```xml\n<a/>\n```\n", neither},
		"text after the root":                 {"<a/>x", neither},
		"a second root":                       {"<a/><a/>", neither},
		"a comment after the root":            {"<a/><!-- x -->", both},
		"two hyphens in a comment":            {"<a><!-- x--y --></a>", neither},
		"a bare ampersand":                    {"<a>b & c</a>", neither},
		"an unknown entity":                   {"<a>&nbsp;</a>", neither},
		"a declared entity":                   {`<!DOCTYPE a [<!ENTITY e "3">]><a>&e;</a>`, both},
		"a character reference":               {"<a>&#xe9;</a>", both},
		"a reference to no character":         {"<a>&#0;</a>", neither},
		"a missing closing tag":               {"<a><b></a>", neither},
		"a closing tag in another case":       {"<a></A>", neither},
		"an attribute twice":                  {`<a b="" b=""/>`, neither},
		"an attribute without quotes":         {"<a b=1/>", neither},
		"an attribute without a value":        {"<a b/>", neither},
		"attributes without a blank between":  {`<a b="1"c="2"/>`, neither},
		"< in an attribute":                   {`<a b="<"/>`, neither},
		"> in an attribute":                   {`<a b=">"/>`, both},
		"an undeclared prefix":                {"<q:a/>", neither},
		"the prefix of an attribute":          {`<a q:b="1"/>`, neither},
		"the prefix xml":                      {`<a xml:b="1"/>`, both},
		"two prefixes of one namespace":       {`<a xmlns:p="u" xmlns:q="u" p:b="" q:b=""/>`, neither},
		"an attribute with two colons":        {`<a xmlns:p="u" p:b:c=""/>`, libxml2},
		"a prefix for the namespace of xml":   {`<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>`, libxml2},
		"]]> in text":                         {"<a>]]></a>", neither},
		"CDATA":                               {"<a><![CDATA[<&]]></a>", both},
		"a control character":                 {"<a>\x01</a>", neither},
		"bytes that are no UTF-8":             {"<a>\xff</a>", neither},
		"elements too deep for libxml2":       {deep, expat},
		"an instruction called xml":           {"<a><?xml x?></a>", neither},
		"an instruction":                      {"<a><?x y?></a>", both},
	} {
		for _, by := range []Parser{LibXML2, Expat} {
			if x := ReadStrictly(c.text, by); (x.Broken == "") != c.by[by] {
				t.Errorf("%s, by parser %d: %q", rule, by, x.Broken)
			}
		}
	}
}

func TestReadGoesOn(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text   string
		want   string // InOne of all that was read
		faults int
	}{
		"text around the root":         {"Here:\n<a/>\nDone.", "Here:\n<a/>\nDone.", 0},
		"a bare ampersand":             {"<a>b & c</a>", "<a>b &amp; c</a>", 1},
		"a bare <":                     {"<a>1 < 2</a>", "<a>1 &lt; 2</a>", 1},
		"a closing tag that is lost":   {"<a><b></a>", "<a><b/></a>", 1},
		"a closing tag too many":       {"<a></b></a>", "<a/>", 1},
		"an attribute without quotes":  {"<a b=1 c='2'/>", `<a b="1" c="2"/>`, 1},
		"an attribute without its end": {`<a b="1><c/></a>`, `<a b="1"><c/></a>`, 1},
		"an undeclared prefix":         {"<q:a/>", "<q:a/>", 0},
		"a truncated tag":              {"<a><b c=", `<a><b c=""/></a>`, 3},
		"layout":                       {"<a>\n  <b/>\n\n  <c> d </c>\n</a>\n", "<a><b/><c> d </c></a>", 0},
		"blanks alone":                 {"<a> </a>", "<a> </a>", 0},
	} {
		x := Read(c.text)
		got := ""
		for _, n := range x.Top.Children {
			got += n.InOne()
		}
		if got != c.want || len(x.Faults) != c.faults {
			t.Errorf("%s: %s with the faults %q, want %s with %d", rule, got, x.Faults, c.want, c.faults)
		}
	}
}

func TestNamespaces(t *testing.T) {
	t.Parallel()
	x := Read(`<a xmlns="u" xmlns:p="v"><p:b xmlns="w"><c/></p:b><c/><q:d/></a>`)
	var got []string
	x.Top.Walk(func(n *Node) {
		space := n.Space
		if n.Unbound {
			space = "none"
		}
		got = append(got, n.Name+" "+space)
	})
	want := []string{"a u", "p:b v", "c w", "c u", "q:d none"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestContent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<a>b</a>":                        "b",
		"<a> b <!-- c --> d<?e f?>g </a>": " b  dg ",
		"<a>b<c>d</c>e</a>":               "b",
		"<a>&lt;<![CDATA[&lt;]]></a>":     "<&lt;",
		"<a/>":                            "",
		"<a b='&#9;\tc&quot;'/>":          "",
	} {
		x := Read(text)
		if got := x.Root().Content(); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
	x := Read("<a b='&#9;\tc&quot;'/>")
	if got, _ := x.Root().Attribute("b"); got != "\t c\"" {
		t.Errorf("the attribute is %q", got)
	}
}

func TestNodesKnowTheirPlace(t *testing.T) {
	t.Parallel()
	const text = `<?xml version="1.0"?>
<!-- a -->
<!DOCTYPE b [<!ENTITY c "d">]>
<b e="&lt;&#10;">
  <?f g?>
  <h >
    <i j="1"/>
  </h>
  <k>text &amp; <l/> more</k>
  <n>text <![CDATA[& <o>]]></n>
  <p><q>not closed</p>
</b>`
	want := []string{
		"<!-- a -->", `<!DOCTYPE b [<!ENTITY c "d">]>`, text[strings.Index(text, "<b"):], "<?f g?>", "<h >\n    <i j=\"1\"/>\n  </h>", `<i j="1"/>`,
		"<k>text &amp; <l/> more</k>", "text &amp; ", "<l/>", " more", "<n>text <![CDATA[& <o>]]></n>", "text ", "<![CDATA[& <o>]]>",
		"<p><q>not closed</p>", "<q>not closed", "not closed",
	}
	d := Read(text)
	var got []string
	var each func(n *Node)
	each = func(n *Node) {
		for _, c := range n.Children {
			got = append(got, text[c.From:c.To])
			each(c)
		}
	}
	each(d.Top)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	h, l := d.Root().Child("h"), d.Root().Child("k").Child("l")
	left := strings.Replace(strings.Replace(text, "  "+want[4]+"\n", "", 1), "<l/>", "", 1)
	if diff := cmp.Diff(left, d.Without([]*Node{l, h, h.Child("i")})); diff != "" {
		t.Error(diff)
	}
}

func TestReadSpacedKeepsWhiteSpace(t *testing.T) {
	t.Parallel()
	const text = "<a>\n <b/> <c> d</c>\n</a>"
	spaced, tidy := ReadSpaced(text), Read(text)
	if got := spaced.Root().InOne(); got != text {
		t.Errorf("%q", got)
	}
	if got, want := tidy.Root().InOne(), "<a><b/><c> d</c></a>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is too deep is not kept, so that the tree can be walked.
func TestDepthIsBounded(t *testing.T) {
	t.Parallel()
	const levels = 100_000
	text := strings.Repeat("<a>", levels) + strings.Repeat("</a>", levels)
	for name, x := range map[string]Document{
		"tolerant": Read(text), "libxml2": ReadStrictly(text, LibXML2), "expat": ReadStrictly(text, Expat),
	} {
		depth := 0
		for n := x.Top; len(n.Children) > 0; n = n.Children[0] {
			depth++
		}
		if depth > Deepest+1 {
			t.Errorf("%s: %d levels", name, depth)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"", "<a/>", "<a b='c'>&amp;<!-- d --><?e f?></a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;", "<a:b xmlns:a=''", "< & <! ]]>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x := Read(text)
		_ = x.Top.InOne()
		_ = x.Without(x.Top.Elements())
		for _, by := range []Parser{LibXML2, Expat} {
			if x := ReadStrictly(text, by); x.Broken == "" && x.Root() == nil {
				t.Error("neither an element nor a reason")
			}
		}
	})
}

func TestPathsAndSpaces(t *testing.T) {
	t.Parallel()
	paths := Paths{}
	if got := paths.Join("", "a"); got != "a" {
		t.Errorf("the first is %q", got)
	}
	if got := paths.Join(paths.Join("a", "b"), "c"); got != "a/b/c" {
		t.Errorf("the third is %q", got)
	}
	long := strings.Repeat("a", longestPath+1)
	if got := paths.Join(long, "b"); got != long {
		t.Errorf("a long path has grown to %d bytes", len(got))
	}
	spaces := Spaces{}
	for _, c := range []struct {
		node  Node
		name  string
		first bool
	}{
		{Node{Name: "x:a", Space: "urn:x"}, "urn:x", true}, {Node{Name: "y:b", Space: "urn:x"}, "urn:x", false},
		{Node{Name: "z:a", Unbound: true}, "of the undeclared prefix z", true},
	} {
		if name, first := spaces.Meet(&c.node); name != c.name || first != c.first {
			t.Errorf("%v: %q, %v", c.node, name, first)
		}
	}
}
