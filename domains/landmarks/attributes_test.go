package landmarks

import "testing"

func TestWords(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		`<SimpleData name="OVERVIEW">The sea side, open.</SimpleData><SimpleData name="BUS">8 9</SimpleData>`: "4",
		`<Data name='overview'><value>One</value></Data><SimpleData name="OVERVIEW"> two  three</SimpleData>`: "3",
		`<SimpleData name="OVERVIEW"> </SimpleData>`:                                                          "",
		`<Placemark/>`: "",
	} {
		if got := words(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
