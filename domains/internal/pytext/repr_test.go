package pytext

import (
	"strings"
	"testing"
)

func TestReprIsPythons(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "''", "a\tb\r\n": `'a\tb\r\n'`, `\`: `'\\'`, "it's": `"it's"`, `"it's"`: `'"it\'s"'`, "é日": "'é日'",
		"\x00\x7f\u00a0": `'\x00\x7f\xa0'`, "\u200b\ue000": `'\u200b\ue000'`, "\U000e0001": `'\U000e0001'`,
	} {
		var b strings.Builder
		if WriteRepr(&b, text); b.String() != want {
			t.Errorf("%q is %s, want %s", text, b.String(), want)
		}
	}
}
