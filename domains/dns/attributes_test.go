package dns

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for part, want := range map[string][3]string{
		"una\t2d\tIN\tA\t81.187.214.34\n\tIN\tHINFO\t\"a\" \"b\"\n": {"172800", "34.214.187.81.in-addr.arpa.", "2"},
		"\t1h30m\tAAAA\t2001:8b0::34 ; v6\n":                        {"5400", "4.3.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.b.8.0.1.0.0.2.ip6.arpa.", "1"},
		"www IN CNAME una\n; next\n":                                {"", "", "1"},
		"@ 300 IN SOA a. b. (\n 1 ; serial\n 2 3 4 5 )\n":           {"300", "", "1"},
		"; nothing\n": {"", "", "0"},
	} {
		if got := [3]string{seconds(part), reverseName(part), records(part)}; got != want {
			t.Errorf("%q: %q, want %q", part, got, want)
		}
	}
}
