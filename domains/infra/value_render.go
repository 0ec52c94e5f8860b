package infra

import "strings"

// value is what stands for an expression on the right of an equals sign, or
// inside lists and objects that stand there.
func (n *node) value() value {
	switch n.kind {
	case numberNode:
		if strings.ContainsAny(n.text, "eE") {
			return text(dollar(n.text))
		}
		return number(n.text)
	case literalNode:
		if n.text == "null" {
			return value{}
		}
		return boolean(n.text == "true")
	case wordNode, quotedNode, escapedNode, heredocNode:
		return text(n.inline())
	case tupleNode:
		list := value{kind: listValue, items: make([]value, len(n.kids))}
		for i, kid := range n.kids {
			list.items[i] = kid.value()
		}
		return list
	case objectNode:
		object := value{kind: mapValue}
		for i := 0; i < len(n.kids); i += 2 {
			object.set(n.kids[i].key(), n.kids[i+1].value())
		}
		return object
	case parensNode:
		inner := n.kids[0].value()
		return text(parenthesised(inner.printed()))
	}
	return text(dollar(n.inline()))
}

// key is the key of an object's element.
func (n *node) key() string {
	switch n.kind {
	case wordNode, quotedNode, literalNode:
		return n.inline()
	case numberNode:
		v := n.value()
		return v.text
	}
	return dollar(n.inline())
}

func isDollar(s string) bool { return strings.HasPrefix(s, "${") && strings.HasSuffix(s, "}") }

func dollar(s string) string {
	if isDollar(s) {
		return s
	}
	return "${" + s + "}"
}

func parenthesised(s string) string {
	if isDollar(s) {
		s = s[2 : len(s)-1]
	}
	return dollar("(" + s + ")")
}
