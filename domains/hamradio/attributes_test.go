package hamradio

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for part, want := range map[string][2]string{
		"<CALL:5>CU3HN<GRIDSQUARE:4>HM68<MY_GRIDSQUARE:6>FN97BJ<LOTW_QSL_SENT:1>Y<EOR>":                             {"2977", "-L-/---"},
		"<CALL:5>DL1AA<GRIDSQUARE:6>JO62TI<MY_GRIDSQUARE:6>fn97bj<qsl_sent:1>y<qsl_rcvd:1>Y<EQSL_QSL_RCVD:1>Y<EOR>": {"5188", "C--/C-E"},
		"<CALL:5>DL1AA<GRIDSQUARE:4>XX00<MY_GRIDSQUARE:6>FN97BJ<QSL_SENT:1>N<EOR>":                                  {"", "---/---"},
		"<CALL:5>DL1AA<MY_GRIDSQUARE:6>FN97BJ<EOR>":                                                                 {"", "---/---"},
		"no contact": {"", "---/---"},
	} {
		if got := [2]string{distance(part), confirmations(part)}; got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
