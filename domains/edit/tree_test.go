package edit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentd/domains/edit"
)

// TestXMLTree comes back to the byte, and names what can be named.
func TestXMLTree(t *testing.T) {
	t.Parallel()
	tree := edit.XMLTree()
	for text, want := range map[string]string{
		`<a x="1" b:y="&lt;">t</a>`:    `[{"name":"a","attributes":[["x","1"],["b:y","&lt;"]],"inside":["t"]}]`,
		`<a/><b></b>`:                  `[{"name":"a"},{"name":"b","inside":[]}]`,
		`<a x='1'/>`:                   `[{"tag":"<a x='1'"}]`,
		"<a\n  x=\"1\"> <b />\n</a>\n": `[{"tag":"<a\n  x=\"1\"","inside":[" ",{"tag":"<b "},"\n"]},"\n"]`,
		`<?xml?><!DOCTYPE a [<!ENTITY b ">">]><a><!-- <b> --><![CDATA[</a>]]></a>`: `["<?xml?>","<!DOCTYPE a [<!ENTITY b \">\">]>",{"name":"a","inside":["<!-- <b> -->","<![CDATA[</a>]]>"]}]`,
		`<a><b>1</a></c>`:      `["<a>","<b>","1","</a>","</c>"]`,
		`<a>1 < 2 <b x="`:      `["<a>","1 ","<"," 2 ","<","b x=\""]`,
		`<a x=1 y>b</a ></a>c`: `[{"tag":"<a x=1 y","inside":["b","</a >"]},"c"]`,
		"":                     `[]`,
		strings.Repeat("<a>", 300) + strings.Repeat("</a>", 300): "",
	} {
		read, err := json.Marshal(tree.Read(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(read)); want != "" && got != want {
			t.Errorf("%s is read as\n%s\nwant\n%s", text, got, want)
		}
		var value any
		if err := json.Unmarshal(read, &value); err != nil {
			t.Fatal(err)
		}
		if back, err := tree.Write(value); err != nil || back != text {
			t.Errorf("%s comes back as %s, %v", text, back, err)
		}
	}
	for _, wrong := range []any{1.0, map[string]any{"inside": []any{}}, []any{map[string]any{"name": 2.0}}} {
		if text, err := tree.Write(wrong); err == nil {
			t.Errorf("%v is written as %q", wrong, text)
		}
	}
}
