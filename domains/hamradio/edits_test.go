package hamradio

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// shackHeader and the three contacts make up a small log.
const (
	shackHeader = "Shack log\n<ADIF_VER:5>3.1.4\n<EOH>\n"
	contactCU3  = "<call:5>CU3HN <gridsquare:4>HM68 <qso_date:8>20230726 <time_on:6>015930 <qso_date_off:8>20230726 <time_off:6>030030 " +
		"<band:3>17m <freq:6>18.101 <my_gridsquare:6>FN97BJ <operator:5>VE9KM <lotw_qsl_sent:1>Y <eor>\n"
	contactJA1 = "<CALL:6>JA1NUT<QSO_DATE:8>20230728<TIME_ON:4>2117<BAND:3>20M<FREQ:5>14.05<GRIDSQUARE:4>PM95\n" +
		"<CQZ:2>25<COMMENT:15>iota,118,AS-007<QSL_SENT:1>Y<QSL_RCVD:1>N<MY_GRIDSQUARE:6>FN97BJ<OPERATOR:5>VE9KM\n<EOR>\n\n"
	contactDL7 = "<CALL:6>DL7UXR<QSO_DATE:8:D>20230801<TIME_ON:4:T>0230<TIME_OFF:4>0231<BAND:3>20M<FREQ:6>14.030\n" +
		"<CQZ:2>25<NAME:6>Jürgen<COMMENT:14>iota,9, \"best\"<OPERATOR:6>VE2BGA<EOR>\n"
	shack = shackHeader + contactCU3 + contactJA1 + contactDL7
)

var forwardResults = map[string]vfs.Files{
	"band_split": {
		"17m.adi":        shackHeader + contactCU3,
		"20m.adi":        shackHeader + contactJA1 + contactDL7,
		"band_order.csv": "position,file\n1,17m.adi\n2,20m.adi\n3,20m.adi\n",
	},
	"zone_files": {
		"cqzone_none.adi": shackHeader + contactCU3,
		"cqzone_25.adi":   shackHeader + contactDL7 + contactJA1,
		"zone_order.csv":  "position,file,place\n1,cqzone_none.adi,1\n2,cqzone_25.adi,2\n3,cqzone_25.adi,1\n",
	},
	"contact_table": {
		"header.txt": shackHeader,
		"contacts.csv": `position,CALL,GRIDSQUARE,QSO_DATE,TIME_ON,QSO_DATE_OFF,TIME_OFF,BAND,FREQ,MY_GRIDSQUARE,OPERATOR,LOTW_QSL_SENT,CQZ,COMMENT,QSL_SENT,QSL_RCVD,NAME
1,CU3HN,HM68,20230726,015930,20230726,030030,17m,18.101,FN97BJ,VE9KM,Y,,,,,
3,DL7UXR,,20230801,0230,,0231,20M,14.030,,VE2BGA,,25,"iota,9, ""best""",,,Jürgen
2,JA1NUT,PM95,20230728,2117,,,20M,14.05,FN97BJ,VE9KM,,25,"iota,118,AS-007",Y,N,
`,
	},
	"local_time": {
		"na038_2023_adt.adi": replaced(
			"<qso_date:8>20230726 <time_on:6>015930 <qso_date_off:8>20230726 <time_off:6>030030",
			"<qso_date:8>20230725 <time_on:6>225930 <qso_date_off:8>20230726 <time_off:6>000030",
			"<TIME_ON:4>2117", "<TIME_ON:4>1817",
			"<QSO_DATE:8:D>20230801<TIME_ON:4:T>0230<TIME_OFF:4>0231",
			"<QSO_DATE:8:D>20230731<TIME_ON:4:T>2330<TIME_OFF:4>2331"),
	},
	"qsl_status": {
		"na038_2023_qsl.adi": shackHeader +
			strings.Replace(contactCU3, "<eor>", "<APP_QSL_STATUS:22>sent: LoTW; rcvd: none <eor>", 1) +
			strings.Replace(contactDL7, "<EOR>", "<APP_QSL_STATUS:22>sent: none; rcvd: none<EOR>", 1) +
			strings.Replace(contactJA1, "\n<EOR>", "<APP_QSL_STATUS:22>sent: card; rcvd: none\n<EOR>", 1),
		"qsl_order.csv": "position,call\n1,CU3HN\n3,DL7UXR\n2,JA1NUT\n",
	},
	"grid_distance": {
		"na038_2023_km.adi": shackHeader +
			strings.Replace(contactJA1, "\n<EOR>", "<APP_DIST_KM:5>10566\n<EOR>", 1) +
			strings.Replace(contactCU3, "<eor>", "<APP_DIST_KM:4>2977 <eor>", 1) +
			contactDL7,
		"km_order.csv": "position,call\n2,JA1NUT\n1,CU3HN\n3,DL7UXR\n",
	},
	"station_setups": {
		"na038_2023_short.adi": replaced(
			"<my_gridsquare:6>FN97BJ <operator:5>VE9KM", "<APP_SETUP:2>S1",
			"<MY_GRIDSQUARE:6>FN97BJ<OPERATOR:5>VE9KM", "<APP_SETUP:2>S1",
			"<OPERATOR:6>VE2BGA", "<APP_SETUP:2>S2"),
		"setups.json": `{
  "S1": {
    "MY_GRIDSQUARE": "FN97BJ",
    "OPERATOR": "VE9KM"
  },
  "S2": {
    "OPERATOR": "VE2BGA"
  }
}
`,
	},
	"comment_codes": {
		"na038_2023_iota.adi": replaced(
			"<COMMENT:15>iota,118,AS-007", "<APP_IOTA_SERIAL:3>118<APP_IOTA_REF:6>AS-007"),
	},
}

// replaced is the log with some texts replaced, given in pairs.
func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(shack) }

// document is the file of the documents in these tests.
const document = "na038_2023.adi"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "hamradio1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: shack}, forwardResults, domaintest.InMeaning)
}

// Edits that keep the records as they are give the very text again.
func TestRecordsKeepTheirLayout(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		switch edit.Name {
		case "contact_table", "station_setups": // field order and tag case are not kept
			continue
		}
		files, err := edit.Forward(vfs.Files{document: shack})
		if err != nil {
			t.Fatal(err)
		}
		is, err := edit.Backward(files)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shack, is[document]); diff != "" {
			t.Errorf("%s: %s", edit.Name, diff)
		}
	}
}

func TestLocatorCentres(t *testing.T) {
	t.Parallel()
	for locator, want := range map[string][2]float64{
		"AA00": {-89.5, -179}, "RR99": {89.5, 179}, "FN97": {47.5, -61},
		"fn97bj": {47 + 9.5/24, -62 + 1.5/12}, "JO65": {55.5, 13},
	} {
		lat, lon, ok := gridCentre(locator)
		const rounding = 1e-9
		if !ok || max(lat-want[0], want[0]-lat, lon-want[1], want[1]-lon) > rounding {
			t.Errorf("%s: %v %v %v, want %v", locator, lat, lon, ok, want)
		}
	}
	for _, locator := range []string{"", "FN", "FN9", "FN97B", "SA00", "FNA7", "FN97YA", "FN97BJ12", "île"} {
		if _, _, ok := gridCentre(locator); ok {
			t.Errorf("%q is taken for a locator", locator)
		}
	}
}

func TestShiftingTimes(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ was, want string }{
		"into the day before":            {"<QSO_DATE:8>20230801<TIME_ON:4>0259<EOR>", "<QSO_DATE:8>20230731<TIME_ON:4>2359<EOR>"},
		"into the year before":           {"<QSO_DATE:8>20240101<TIME_ON:6>000001<EOR>", "<QSO_DATE:8>20231231<TIME_ON:6>210001<EOR>"},
		"over a leap day":                {"<QSO_DATE:8>20240301<TIME_ON:4>0000<EOR>", "<QSO_DATE:8>20240229<TIME_ON:4>2100<EOR>"},
		"a time without a date":          {"<TIME_OFF:4>0100<EOR>", "<TIME_OFF:4>2200<EOR>"},
		"a time that is none stays":      {"<QSO_DATE:8>20230801<TIME_ON:4>2561<EOR>", "<QSO_DATE:8>20230801<TIME_ON:4>2561<EOR>"},
		"a time of three digits stays":   {"<QSO_DATE:8>20230801<TIME_ON:3>100<EOR>", "<QSO_DATE:8>20230801<TIME_ON:3>100<EOR>"},
		"a date that is none stays":      {"<QSO_DATE:8>20231301<TIME_ON:4>0100<EOR>", "<QSO_DATE:8>20231301<TIME_ON:4>2200<EOR>"},
		"a date without a time stays":    {"<QSO_DATE:8>20230801<EOR>", "<QSO_DATE:8>20230801<EOR>"},
		"the end has a date of its own":  {"<QSO_DATE:8>20230801<TIME_OFF:4>0100<QSO_DATE_OFF:8>20230802<EOR>", "<QSO_DATE:8>20230801<TIME_OFF:4>2200<QSO_DATE_OFF:8>20230801<EOR>"},
		"what stands after a value also": {"<TIME_ON:4>0500 // about\n<EOR>", "<TIME_ON:13>0500 // about\n<EOR>"},
	} {
		log := read(c.was)
		log.shift(-3 * time.Hour)
		if diff := cmp.Diff(c.want, strings.TrimSuffix(log.print(), "\n")); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	backward := map[string]func(vfs.Files) (vfs.Files, error){}
	for _, edit := range demonstration(t).Edits() {
		backward[edit.Name] = edit.Backward
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"band_split", vfs.Files{"20m.adi": shack}, "band_order.csv is missing"},
		{"band_split", vfs.Files{"band_order.csv": "position,file\n1,20m.adi\n"}, "no .adi file with a contact"},
		{"zone_files", vfs.Files{"zone_order.csv": "position,file\n"}, `reading zone_order.csv: no column "place"`},
		{"contact_table", vfs.Files{"contacts.csv": "position,CALL\n1,W1AW\n"}, "header.txt is missing"},
		{"contact_table", vfs.Files{"contacts.csv": "position\n", "header.txt": ""}, "contacts.csv has no contact"},
		{"local_time", vfs.Files{document: shack}, "na038_2023_adt.adi is missing"},
		{"local_time", vfs.Files{"na038_2023_adt.adi": "Sorry, no.\n"}, "no .adi file with a contact"},
		{"qsl_status", vfs.Files{"na038_2023_qsl.adi": shack}, "qsl_order.csv is missing"},
		{"grid_distance", vfs.Files{"na038_2023_km.adi": shack, "km_order.csv": ""}, "reading km_order.csv: no header"},
		{"station_setups", vfs.Files{"na038_2023_short.adi": shack, "setups.json": "S1"}, "reading setups.json"},
	} {
		if _, err := backward[c.edit](c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(vfs.Files{document: shack})
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				if strings.HasSuffix(name, "_order.csv") {
					lines := strings.SplitAfter(text, "\n")
					text = strings.Join(lines[:len(lines)-2], "")
				}
				damaged[name] = strings.ReplaceAll(text, "JA1NUT", "JA1NUX")
			}
			is, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := d.Compare(vfs.Files{document: shack}, is)
			if score.Strict >= 1 || score.Strict < 0.5 || score.Elements.Candidate != 3 {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements,
					d.Differences(vfs.Files{document: shack}, is))
			}
		})
	}
}
