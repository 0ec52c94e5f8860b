package weather

import "testing"

func TestFlightCategory(t *testing.T) {
	t.Parallel()
	for report, want := range map[string]string{
		"METAR PAKT 281653Z 13009KT 10SM FEW018 BKN031 OVC048 05/02 A2983":     "VFR",
		"METAR PAPG 281656Z AUTO 00000KT 10SM BKN030 OVC041 02/01 A2979":       "MVFR",
		"METAR PAYA 281653Z 10013G20KT 5SM -RA SCT021 03/01 A2957":             "MVFR",
		"METAR PADQ 281753Z COR 14025G37KT 4SM -RA BR BKN009 06/04 A2908":      "IFR",
		"METAR PADQ 281653Z 13029G45KT 2 1/2SM RA BR BKN012 05/04 A2909":       "IFR",
		"METAR PAJN 281753Z 09006KT 9SM VV004 01/M01 A2973 RMK CIG 005V010":    "LIFR",
		"SPECI PAHO 281716Z AUTO 06018G26KT 3/4SM -SN BR BKN018 00/M01 A2918":  "LIFR",
		"METAR ENGM 141150Z 02012KT 9999 FEW030 14/06 Q1013":                   "VFR",
		"METAR ENGM 141150Z 02012KT 4000 FEW030 14/06 Q1013 BECMG 0400 OVC001": "IFR",
		"METAR ENGM 141150Z 02012KT CAVOK 14/06 Q1013":                         "VFR",
		"METAR ENGM 141150Z 02012KT 14/06 Q1013":                               "",
		"TAF PAKT 281720Z 2818/0118 13012G18KT P6SM -RA BKN022":                "",
		"-- Southeast --": "",
		"":                "",
	} {
		if got := flightCategory(report); got != want {
			t.Errorf("%s: %q, want %q", report, got, want)
		}
	}
}
