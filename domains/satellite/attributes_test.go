package satellite

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	const one = "1 25544U 98067A   26043.87120519  .00011846  00000+0  22049-3 0  9997\n"
	for name, c := range map[string]struct{ part, regime, period, heights, date string }{
		"low": {"# every pass\nISS (ZARYA)\n" + one + "2 25544  51.6327 192.0744 0010871  81.3390 278.8819 15.48554120552318",
			"leo", "92.99", "414 x 428", "2026-02-12"},
		"eccentric": {"XMM\n1 25989U 99066A   99001.50000000 -.00000286  00000+0  00000+0 0  9995\n" +
			"2 25989  65.7394 344.4083 6968112  98.5106  27.6490  0.50138227 47925", "heo", "2872.06", "13914 x 107190", "1999-01-01"},
		"still":     {one + "2 43700   0.0160  58.3311 0002083 248.3920 119.2716  1.00273217 26520", "geo", "1436.08", "35777 x 35795", "2026-02-12"},
		"between":   {one + "2 24876  55.9381 110.7790 0093150  56.8127 304.1230  2.00563104209186", "meo", "717.98", "19935 x 20430", "2026-02-12"},
		"no motion": {one + "2 24876  55.9381 110.7790 0093150  56.8127 304.1230  0.00000000209186", "meo", "", "", "2026-02-12"},
		"no orbit":  {one, "meo", "", "", "2026-02-12"},
		"no epoch":  {"2 43700   0.0160  58.3311 0002083 248.3920 119.2716  1.00273217 26520", "geo", "1436.08", "35777 x 35795", ""},
		"nothing":   {"# late", "", "", "", ""},
	} {
		for _, got := range [][3]string{
			{"regime", regime(c.part), c.regime}, {"period", period(c.part), c.period},
			{"heights", heights(c.part), c.heights}, {"date", epochDate(c.part), c.date},
		} {
			if got[1] != got[2] {
				t.Errorf("%s: %s %q, want %q", name, got[0], got[1], got[2])
			}
		}
	}
}
