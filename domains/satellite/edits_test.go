package satellite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// Five element sets make up a small list: one object twice, one with a name in
// three-line form and a high orbit, one without a name and designator, with a
// wrong checksum in its line 1.
const (
	issBefore = "# every pass\nISS (ZARYA)\n" +
		"1 25544U 98067A   26043.87120519  .00011846  00000+0  22049-3 0  9997\n" +
		"2 25544  51.6327 192.0744 0010871  81.3390 278.8819 15.48554120552318\n"
	meridian = "0 MERIDIAN 9\n" +
		"1 45254U 20015A   26042.18257399  .00000127  00000-0  00000+0 0  9995\n" +
		"2 45254  62.8803 228.9917 7060244 273.2246  14.8817  2.00615742 43829\n"
	unknown = "\n# ours to find, \"8.2 mag\"\n# not on Space-Track\n" +
		"1 81174U          26042.94711083  .00000412  00000+0 -11802-3 0   110\n" +
		"2 81174  74.0285 301.5526 0018846  19.2273 340.9511 14.32190447   112\n"
	issAfter = "ISS (ZARYA)\n" +
		"1 25544U 98067A   26044.19374402  .00013207  00000+0  24390-3 0  9999\n" +
		"2 25544  51.6325 190.4781 0011306  83.0167 270.0000 15.48619783552362\n"
	oscar = "OSCAR 7 (AO-7)\n" +
		"1 07530U 74089B   26043.75338262 -.00000031  00000+0  91227-4 0  9993\n" +
		"2 07530 101.9934  44.1520 0012480 120.5163 356.3705 12.53693822349212\n"
	list = issBefore + meridian + unknown + issAfter + oscar
)

// document is the document of the built-in environment.
const document = "watchlist.tle"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "satellite1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: list}, forwardResults, domaintest.InMeaning)
}

var forwardResults = map[string]vfs.Files{
	"regime_split": {
		"heo.tle":          meridian,
		"leo.tle":          oscar + issBefore + issAfter + unknown,
		"regime_order.csv": "position,file,place\n1,leo.tle,2\n2,heo.tle,1\n3,leo.tle,4\n4,leo.tle,3\n5,leo.tle,1\n",
	},
	"orbital_planes": {
		"plane_1.tle":     issBefore + issAfter,
		"alone.tle":       unknown + oscar + meridian,
		"plane_order.csv": "position,file,place\n1,plane_1.tle,1\n2,alone.tle,3\n3,alone.tle,1\n4,plane_1.tle,2\n5,alone.tle,2\n",
	},
	"epoch_days": {
		"epoch_2026-02-11.tle": meridian + unknown,
		"epoch_2026-02-12.tle": oscar + issBefore,
		"epoch_2026-02-13.tle": issAfter,
		"epoch_order.csv": "position,file,place\n1,epoch_2026-02-12.tle,2\n2,epoch_2026-02-11.tle,1\n" +
			"3,epoch_2026-02-11.tle,2\n4,epoch_2026-02-13.tle,1\n5,epoch_2026-02-12.tle,1\n",
	},
	"period_sort": {
		"by_period.tle": "# 4: 92.99 min, 413 x 428 km\n" + issAfter +
			strings.Replace(issBefore, "pass\n", "pass\n# 1: 92.99 min, 414 x 428 km\n", 1) +
			strings.Replace(unknown, "Track\n", "Track\n# 3: 100.55 min, 771 x 798 km\n", 1) +
			"# 5: 114.86 min, 1439 x 1459 km\n" + oscar +
			"# 2: 717.79 min, 1429 x 38927 km\n" + meridian,
	},
	"bare_elements": {
		"bare.tle": strings.NewReplacer("ISS (ZARYA)\n", "", "0 MERIDIAN 9\n", "", "OSCAR 7 (AO-7)\n", "").Replace(list),
		"names.csv": "position,norad_id,name\n2,45254,0 MERIDIAN 9\n1,25544,ISS (ZARYA)\n4,25544,ISS (ZARYA)\n" +
			"5,07530,OSCAR 7 (AO-7)\n",
	},
	"launch_decades": {
		"launches.md": "# Objects by decade of launch\n" +
			"\n## 1970s\n" +
			"\n### OSCAR 7 (AO-7)\n\nNo. 5, 1974-089B\n\n" + indented(oscar) +
			"\n## 1990s\n" +
			"\n### ISS (ZARYA)\n\n> # every pass\n\nNo. 1, 1998-067A\n\n" + indented(issBefore) +
			"\n### ISS (ZARYA)\n\nNo. 4, 1998-067A\n\n" + indented(issAfter) +
			"\n## 2020s\n" +
			"\n### 0 MERIDIAN 9\n\nNo. 2, 2020-015A\n\n" + indented(meridian) +
			"\n## Unknown\n" +
			"\n### (no name)\n\n> # ours to find, \"8.2 mag\"\n> # not on Space-Track\n\nNo. 3, no designator\n\n" + indented(unknown),
	},
	"element_table": {
		"elements.csv": "position,name,norad_id,class,designator,epoch_year,epoch_day,ndot,nddot,bstar,ephemeris_type,set," +
			"inclination,raan,eccentricity,arg_perigee,mean_anomaly,mean_motion,rev,norad_id_2,checksum_1,checksum_2\n" +
			"4,ISS (ZARYA),25544,U,98067A,26,044.19374402,.00013207,00000+0,24390-3,0,999,51.6325,190.4781,0011306,83.0167,270.0000,15.48619783,55236,,,\n" +
			"1,ISS (ZARYA),25544,U,98067A,26,043.87120519,.00011846,00000+0,22049-3,0,999,51.6327,192.0744,0010871,81.3390,278.8819,15.48554120,55231,,,\n" +
			"2,0 MERIDIAN 9,45254,U,20015A,26,042.18257399,.00000127,00000-0,00000+0,0,999,62.8803,228.9917,7060244,273.2246,14.8817,2.00615742,4382,,,\n" +
			"3,,81174,U,,26,042.94711083,.00000412,00000+0,-11802-3,0,11,74.0285,301.5526,0018846,19.2273,340.9511,14.32190447,11,,0,\n" +
			"5,OSCAR 7 (AO-7),07530,U,74089B,26,043.75338262,-.00000031,00000+0,91227-4,0,999,101.9934,44.1520,0012480,120.5163,356.3705,12.53693822,34921,,,\n",
		"comments.csv": "above,comment\n1,# every pass\n3,\"# ours to find, \"\"8.2 mag\"\"\"\n3,# not on Space-Track\n",
	},
	"orbit_messages": nil, // see TestMessages
}

// indented are lines 1 and 2 of an element set as code.
func indented(set string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(set, "\n"), "\n")
	return "    " + lines[len(lines)-2] + "    " + lines[len(lines)-1] + "\n"
}

func TestMessages(t *testing.T) {
	t.Parallel()
	got, err := domaintest.Edit(t, demonstration(t), "orbit_messages").Forward(vfs.Files{document: unknown + meridian})
	if err != nil {
		t.Fatal(err)
	}
	want := vfs.Files{"gp.json": `[
  {
    "OBJECT_NAME": "",
    "OBJECT_ID": "",
    "EPOCH": "2026-02-11T22:43:50.375712",
    "MEAN_MOTION": "14.32190447",
    "ECCENTRICITY": "0.0018846",
    "INCLINATION": "74.0285",
    "RA_OF_ASC_NODE": "301.5526",
    "ARG_OF_PERICENTER": "19.2273",
    "MEAN_ANOMALY": "340.9511",
    "EPHEMERIS_TYPE": "0",
    "CLASSIFICATION_TYPE": "U",
    "NORAD_CAT_ID": "81174",
    "ELEMENT_SET_NO": "11",
    "REV_AT_EPOCH": "11",
    "BSTAR": "-0.11802E-3",
    "MEAN_MOTION_DOT": ".00000412",
    "MEAN_MOTION_DDOT": "0.00000E+0",
    "USER_DEFINED_CHECKSUM_1": "0",
    "COMMENT": [
      "# ours to find, \"8.2 mag\"",
      "# not on Space-Track"
    ]
  },
  {
    "OBJECT_NAME": "0 MERIDIAN 9",
    "OBJECT_ID": "2020-015A",
    "EPOCH": "2026-02-11T04:22:54.392736",
    "MEAN_MOTION": "2.00615742",
    "ECCENTRICITY": "0.7060244",
    "INCLINATION": "62.8803",
    "RA_OF_ASC_NODE": "228.9917",
    "ARG_OF_PERICENTER": "273.2246",
    "MEAN_ANOMALY": "14.8817",
    "EPHEMERIS_TYPE": "0",
    "CLASSIFICATION_TYPE": "U",
    "NORAD_CAT_ID": "45254",
    "ELEMENT_SET_NO": "999",
    "REV_AT_EPOCH": "4382",
    "BSTAR": "0.00000E+0",
    "MEAN_MOTION_DOT": ".00000127",
    "MEAN_MOTION_DDOT": "0.00000E-0"
  }
]
`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRegimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ motion, eccentricity, want string }{
		{"15.5", "0010000", "leo"}, {"11.25", "2499999", "leo"}, {"11.24", "0", "meo"}, {"1.1", "0001", "geo"}, {"0.9", "0", "geo"},
		{"1.11", "0", "meo"}, {"0.5", "0", "meo"}, {"2.0", "2500000", "heo"}, {"15.5", "25", "heo"}, {"", "", "meo"},
	} {
		f := fields{motion: c.motion, eccentricity: c.eccentricity}
		if got := f.regime(); got != c.want {
			t.Errorf("mean motion %s, eccentricity %s: %s, want %s", c.motion, c.eccentricity, got, c.want)
		}
	}
}

func TestPlanes(t *testing.T) {
	t.Parallel()
	orbits := []plane{
		{inclination: 50_0000, node: 355_0000},
		{inclination: 90_0000, node: 10_0000},
		{inclination: 51_0000, node: 5_0000}, // at the edges, over the zero of nodes
		{inclination: 51_0001, node: 5_0000},
		{inclination: 50_0000, node: 345_0000},
		{inclination: 50_0001, node: 5_0001},
	}
	p := planes{Inclination: 1, Node: 10, Begins: "plane_", Others: "alone.tle"}
	want := []string{"plane_1.tle", "alone.tle", "plane_1.tle", "plane_2.tle", "plane_1.tle", "plane_2.tle"}
	if diff := cmp.Diff(want, p.files(orbits)); diff != "" {
		t.Error(diff)
	}
}

func TestEpochs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"26044.52861234": "2026-02-13T12:41:12.106176", "57001.00000001": "1957-01-01T00:00:00.000864",
		"00366.99999999": "2000-12-31T23:59:59.999136", "56 60.5": "2056-02-29T12:00:00.000000",
	} {
		f := fields{year: text[:2], day: strings.TrimSpace(text[2:])}
		if got := f.isoEpoch(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		at, _ := f.epoch()
		f.setEpoch(want)
		if again, ok := f.epoch(); !ok || again != at {
			t.Errorf("%s and back: %s%s", text, f[year], f[day])
		}
	}
	for _, text := range []string{"26000.5", "26366.0", "2x001.0", "26044,5", "26044.123456789"} {
		f := fields{year: text[:2], day: text[2:]}
		if at, ok := f.epoch(); ok {
			t.Errorf("%s is taken for %s", text, at)
		}
		if f.setEpoch(f.isoEpoch()); f[year]+f[day] != text {
			t.Errorf("%s and back: %s%s", text, f[year], f[day])
		}
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	const back, forth = true, false
	for _, c := range []struct {
		edit  string
		back  bool
		files vfs.Files
		want  string
	}{
		{"regime_split", forth, vfs.Files{"a.txt": list}, "no .tle file with an element set"},
		{"regime_split", forth, vfs.Files{document: list + "# end\n"}, "there is text below the last element set"},
		{"regime_split", back, vfs.Files{"leo.tle": list}, "regime_order.csv is missing"},
		{"orbital_planes", back, vfs.Files{"plane_order.csv": "position,file,place\n"}, "no .tle file"},
		{"epoch_days", back, vfs.Files{"epoch_order.csv": "position,file\n"}, `no column "place"`},
		{"period_sort", back, vfs.Files{"by_period.tle": "Sorry.\n"}, "by_period.tle has no element set"},
		{"bare_elements", back, vfs.Files{"bare.tle": list}, "names.csv is missing"},
		{"launch_decades", back, vfs.Files{"launches.md": "# Objects\n"}, "launches.md has no section of an object"},
		{"element_table", back, vfs.Files{"elements.csv": "position,name\n"}, `no column "norad_id"`},
		{"orbit_messages", back, vfs.Files{"gp.json": "[]"}, "gp.json has no message"},
	} {
		edit := domaintest.Edit(t, demonstration(t), c.edit)
		step := edit.Forward
		if c.back {
			step = edit.Backward
		}
		if _, err := step(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// So is damage before them.
func TestForwardStepsTakeDamagedDocuments(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	damaged := vfs.Files{document: strings.NewReplacer(
		"# not on", "not on",
		"2 81174", "3 81174",
		"043.75338262", "943.75338262",
		"62.8803 228", "62.88 228",
		"2 45254 ", "2 45255",
		"20015A", "2O015A",
		"26112-3", "26112 3",
	).Replace(list)}
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			is, err := edit.Backward(files)
			if err != nil {
				t.Fatal(err)
			}
			const most = 0.15 // for columns and lines that are put right
			if score := d.Compare(damaged, is); score.Strict < 1-most {
				t.Errorf("Strict %v: %v", score.Strict, d.Differences(damaged, is))
			}
		})
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(vfs.Files{document: list})
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				if strings.HasSuffix(name, "_order.csv") {
					lines := strings.SplitAfter(text, "\n")
					text = strings.Join(lines[:len(lines)-2], "")
				}
				damaged[name] = strings.ReplaceAll(text, "51.6325", "51.6235")
			}
			is, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			want := []domains.Difference{{
				Kind: domains.Changed, Where: "25544 ISS (ZARYA), inclination", Was: "51.6325", Is: "51.6235",
			}}
			if diff := cmp.Diff(want, d.Differences(vfs.Files{document: list}, is)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEditsTakeOtherParameters(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"all.tle": meridian + oscar + issBefore + issAfter}
	domaintest.Parameters(t, New(), files, domaintest.ToTheLetter,
		domaintest.Made{
			Edit: "split_by_plane", Parameters: `{"document": "all.tle", "inclination": 0, "node": 1.5, "begins": "p", "others": "rest.tle", "table": "t.csv"}`,
			Want: vfs.Files{
				"rest.tle": issBefore + oscar + meridian + issAfter,
				"t.csv":    "position,file,place\n1,rest.tle,3\n2,rest.tle,2\n3,rest.tle,1\n4,rest.tle,4\n",
			},
		},
		domaintest.Made{
			Edit: "split_by_day", Parameters: `{"document": "all.tle", "begins": "", "table": "t.csv"}`,
			Want: vfs.Files{
				"2026-02-11.tle": meridian, "2026-02-12.tle": oscar + issBefore, "2026-02-13.tle": issAfter,
				"t.csv": "position,file,place\n1,2026-02-11.tle,1\n2,2026-02-12.tle,1\n3,2026-02-12.tle,2\n4,2026-02-13.tle,1\n",
			},
		},
	)
}
