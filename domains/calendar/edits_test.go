package calendar

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const head = `BEGIN:VCALENDAR
VERSION:2.0
X-WR-TIMEZONE:Europe/Tallinn
BEGIN:VTIMEZONE
TZID:Europe/Tallinn
BEGIN:STANDARD
TZNAME:EET
TZOFFSETFROM:+0300
TZOFFSETTO:+0200
DTSTART:19701025T040000
END:STANDARD
END:VTIMEZONE
`

const keynote = `BEGIN:VEVENT
UID:k@soo24.ee
DTSTART;TZID=Europe/Tallinn:20240909T100000
DTEND;TZID=Europe/Tallinn:20240909T113000
EXDATE;TZID=Europe/Tallinn:20240910T010000,20240911T100000
SUMMARY:Keynote
LOCATION:Delta\, 1037
CATEGORIES:Policy\, law,Water
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-PT10M
END:VALARM
END:VEVENT
`

const excursion = `BEGIN:VEVENT
UID:e@soo24.ee
DTSTART;VALUE=DATE:20240909
SUMMARY:Excursion
END:VEVENT
`

const talk = `BEGIN:VEVENT
UID:t@soo24.ee
DTSTART;TZID=America/Toronto:20240910T080000
DTEND;TZID=America/Toronto:20240910T084500
SUMMARY:Moss
LOCATION:Vanemuise 46\, 246
CATEGORIES:Carbon
END:VEVENT
`

const coffee = `BEGIN:VEVENT
UID:c@soo24.ee
DTSTART;TZID=Europe/Tallinn:20240910T150000
DURATION:PT15M
SUMMARY:Coffee
LOCATION:Delta\, 1037
CATEGORIES:Carbon,Food
END:VEVENT
`

const tail = "END:VCALENDAR\n"

const programme = head + keynote + excursion + talk + coffee + tail

// with puts lines into an event, before its alarm or its end.
func with(event, lines string) string {
	at := strings.LastIndex(event, "END:VEVENT")
	if alarm := strings.Index(event, "BEGIN:VALARM"); alarm >= 0 {
		at = alarm
	}
	return event[:at] + lines + event[at:]
}

func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(programme) }

var forwardResults = map[string]vfs.Files{
	"split_by_building": {
		"delta.ics":        head + keynote + coffee + tail,
		"vanemuise_46.ics": head + talk + tail,
		"elsewhere.ics":    head + excursion + tail,
		"order.csv":        "position,file\n1,delta.ics\n2,elsewhere.ics\n3,vanemuise_46.ics\n4,delta.ics\n",
	},
	"json_schedule": nil, // TestScheduleInJSON
	"london_time": {
		"peat_workshop_2024_london.ics": replaced(
			"Europe/Tallinn:20240909T100000", "Europe/London:20240909T080000",
			"Europe/Tallinn:20240909T113000", "Europe/London:20240909T093000",
			"Europe/Tallinn:20240910T010000,20240911T100000", "Europe/London:20240909T230000,20240911T080000",
			"Europe/Tallinn:20240910T150000", "Europe/London:20240910T130000",
			"Europe/Tallinn", "Europe/London", "EET", "GMT",
			"+0300", "+0100", "+0200", "+0000", "19701025T040000", "19701025T020000"),
	},
	"photographer_slots": {
		"free.ics": head + with(excursion, "X-SEQ:2\n") + with(coffee, "X-SEQ:4\n") + tail,
		"conflict.ics": head + with(keynote, "X-SEQ:1\nX-CONFLICT:A\n") +
			with(talk, "X-SEQ:3\nX-CONFLICT:B\n") + tail,
	},
	"track_in_title": {
		"titled.ics": replaced(
			"SUMMARY:Keynote", `SUMMARY:[Policy\, law] Keynote`, "CATEGORIES:Policy\\, law,Water\n", "",
			"SUMMARY:Moss", "SUMMARY:[Carbon] Moss", "CATEGORIES:Carbon\n", "",
			"SUMMARY:Coffee", "SUMMARY:[Carbon] Coffee", "CATEGORIES:Carbon,Food\n", ""),
		"tracks.json": `[
  {
    "position": 1,
    "uid": "k@soo24.ee",
    "categories": [
      "CATEGORIES:Policy\\, law,Water"
    ]
  },
  {
    "position": 3,
    "uid": "t@soo24.ee",
    "categories": [
      "CATEGORIES:Carbon"
    ]
  },
  {
    "position": 4,
    "uid": "c@soo24.ee",
    "categories": [
      "CATEGORIES:Carbon,Food"
    ]
  }
]
`,
	},
	"duration_form": {
		"durations.ics": replaced(
			"DTEND;TZID=Europe/Tallinn:20240909T113000", "DURATION:PT1H30M",
			"DTEND;TZID=America/Toronto:20240910T084500", "DURATION:PT45M"),
		"ends.csv": "position,uid\n1,k@soo24.ee\n3,t@soo24.ee\n",
	},
	"grouped_by_track": {
		"by_track.ics": head +
			with(talk, "X-SEQ:3\nX-PLACE:Carbon 1\n") + with(coffee, "X-SEQ:4\nX-PLACE:Carbon 2\n") +
			with(keynote, "X-SEQ:1\nX-PLACE:Policy\\, law 1\n") + with(excursion, "X-SEQ:2\n") + tail,
	},
	"room_register": {
		"coded.ics": replaced(`Delta\, 1037`, "R01", `Vanemuise 46\, 246`, "R02"),
		"rooms.csv": "id,location\nR01,\"Delta, 1037\"\nR02,\"Vanemuise 46, 246\"\n",
	},
}

const schedule = `[
  {
    "component": "VCALENDAR",
    "properties": [
      {
        "name": "VERSION",
        "value": "2.0"
      },
      {
        "name": "X-WR-TIMEZONE",
        "value": "Europe/Tallinn"
      }
    ]
  },
  {
    "component": "VTIMEZONE",
    "properties": [
      {
        "name": "TZID",
        "value": "Europe/Tallinn"
      }
    ],
    "components": [
      {
        "component": "STANDARD",
        "properties": [
          {
            "name": "TZNAME",
            "value": "EET"
          },
          {
            "name": "TZOFFSETFROM",
            "value": "+0300"
          },
          {
            "name": "TZOFFSETTO",
            "value": "+0200"
          },
          {
            "name": "DTSTART",
            "value": "19701025T040000"
          }
        ]
      }
    ]
  },
`

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "calendar1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: programme}, forwardResults, domaintest.InMeaning)
}

// TestScheduleInJSON looks at the beginning, which shows the form.
func TestScheduleInJSON(t *testing.T) {
	t.Parallel()
	got, err := domaintest.Edit(t, demonstration(t), "json_schedule").Forward(vfs.Files{"any.ics": programme})
	if err != nil {
		t.Fatal(err)
	}
	if text := got["schedule.json"]; !strings.HasPrefix(text, schedule) {
		t.Error(cmp.Diff(schedule, text))
	}
}

// Backward steps are also given documents that models have damaged.
func TestBackwardStepsTakeDamagedDocuments(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(vfs.Files{document: programme})
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range files {
				if strings.HasSuffix(name, ".ics") {
					files[name] = New().Without(vfs.Files{name: text}, func(n int) bool {
						return strings.Contains(text, "UID:e@") && n == 1
					})[name]
				}
			}
			got, err := edit.Backward(files)
			if err != nil {
				t.Fatal(err)
			}
			score := New().Compare(vfs.Files{document: programme}, got)
			if score.Strict < 0.5 {
				t.Errorf("an event was lost, and Strict is %v: %v", score.Strict, New().Differences(vfs.Files{document: programme}, got))
			}
		})
	}
}

func TestBackwardErrorsNameWhatIsMissing(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"split_by_building": "order.csv is missing",
		"json_schedule":     "schedule.json is missing",
		"london_time":       "peat_workshop_2024_london.ics is missing",
		"track_in_title":    "titled.ics is missing",
		"duration_form":     "durations.ics is missing",
		"grouped_by_track":  "by_track.ics is missing",
		"room_register":     "coded.ics is missing",
	} {
		for _, edit := range demonstration(t).Edits() {
			if edit.Name != name {
				continue
			}
			if _, err := edit.Backward(vfs.Files{document: programme}); err == nil || err.Error() != want {
				t.Errorf("%s: error %v, want %s", name, err, want)
			}
		}
	}
}
