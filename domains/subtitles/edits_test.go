package subtitles

import (
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// harbour is a short film with what the edits look for: a cue too short, one
// too close to the next, sounds, a run, labels, a "|", and a second reel.
const harbour = `1
00:00:01,001 --> 00:00:03,500
PILOT: Slow ahead.

2
00:00:04,000 --> 00:00:05,000
[horn blows]

3
00:00:05,200 --> 00:00:06,300
[horn blows]

4
00:00:59,000 --> 00:00:59,500
- MATE: A|B?
- <i>B.</i>

5
00:10:02,043 --> 00:10:04,000
♪ Haul away ♪
`

// document is the file of the documents in these tests.
const document = "lighthouse_tender.srt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "subtitles1") }

func TestForward(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: harbour}, map[string]vfs.Files{
		"playback_speed": {
			"lighthouse_tender_fast.srt": `1
00:00:00,801 --> 00:00:02,800
PILOT: Slow ahead.

2
00:00:03,200 --> 00:00:04,000
[horn blows]

3
00:00:04,160 --> 00:00:05,040
[horn blows]

4
00:00:47,200 --> 00:00:47,600
- MATE: A|B?
- <i>B.</i>

5
00:08:01,634 --> 00:08:03,200
♪ Haul away ♪
`,
			"source_times.csv": `cue,start,end
1,"00:00:01,001","00:00:03,500"
2,"00:00:04,000","00:00:05,000"
3,"00:00:05,200","00:00:06,300"
4,"00:00:59,000","00:00:59,500"
5,"00:10:02,043","00:10:04,000"
`,
		},
		"minimum_display": {
			"lighthouse_tender_min.srt": `1
00:00:01,001 --> 00:00:03,500
PILOT: Slow ahead.

2
00:00:04,000 --> 00:00:05,160
[horn blows]

3
00:00:05,200 --> 00:00:06,700
[horn blows]

4
00:00:59,000 --> 00:01:00,500
- MATE: A|B?
- <i>B.</i>

5
00:10:02,043 --> 00:10:04,000
♪ Haul away ♪
`,
			"extended.csv": `cue,end
2,"00:00:05,000"
3,"00:00:06,300"
4,"00:00:59,500"
`,
		},
		"sounds_apart": {
			"sounds.srt": `1
00:00:04,000 --> 00:00:05,000
[horn blows]

2
00:00:05,200 --> 00:00:06,300
[horn blows]

3
00:10:02,043 --> 00:10:04,000
♪ Haul away ♪
`,
			"speech.srt": `1
00:00:01,001 --> 00:00:03,500
PILOT: Slow ahead.

2
00:00:59,000 --> 00:00:59,500
- MATE: A|B?
- <i>B.</i>
`,
			"cue_map.csv": `cue,file,number
1,speech.srt,1
2,sounds.srt,1
3,sounds.srt,2
4,speech.srt,2
5,sounds.srt,3
`,
		},
		"joined_runs": {
			"joined.srt": `1
00:00:01,001 --> 00:00:03,500
PILOT: Slow ahead.

2
00:00:04,000 --> 00:00:06,300
[horn blows]

3
00:00:59,000 --> 00:00:59,500
- MATE: A|B?
- <i>B.</i>

4
00:10:02,043 --> 00:10:04,000
♪ Haul away ♪
`,
			"runs.json": `[
  {
    "cue": 2,
    "times": [
      [
        "00:00:04,000",
        "00:00:05,000"
      ],
      [
        "00:00:05,200",
        "00:00:06,300"
      ]
    ]
  }
]
`,
		},
		"reels": {
			"reel_1.srt": harbour[:len(harbour)-len("\n5\n00:10:02,043 --> 00:10:04,000\n♪ Haul away ♪\n")],
			"reel_2.srt": "1\n00:00:02,043 --> 00:00:04,000\n♪ Haul away ♪\n",
			"reels.csv":  "reel,offset\n1,\"00:00:00,000\"\n2,\"00:10:00,000\"\n",
		},
		"spotting_list": {
			"spotting.csv": `cue,in,in_ms,out,out_ms,text
1,00:00:01:00,1,00:00:03:12,20,PILOT: Slow ahead.
2,00:00:04:00,0,00:00:05:00,0,[horn blows]
3,00:00:05:05,0,00:00:06:07,20,[horn blows]
4,00:00:59:00,0,00:00:59:12,20,- MATE: A||B? | - <i>B.</i>
5,00:10:02:01,3,00:10:04:00,0,♪ Haul away ♪
`,
		},
		"webvtt": {
			"lighthouse_tender.vtt": `WEBVTT

1
00:00:01.001 --> 00:00:03.500
<v PILOT>Slow ahead.

2
00:00:04.000 --> 00:00:05.000
[horn blows]

3
00:00:05.200 --> 00:00:06.300
[horn blows]

4
00:00:59.000 --> 00:00:59.500
- <v MATE>A|B?
- <i>B.</i>

5
00:10:02.043 --> 00:10:04.000
♪ Haul away ♪
`,
		},
		"transcript": {
			"transcript.md": `## 00 min

[1 00:00:01,001 --> 00:00:03,500] PILOT: Slow ahead.
[2 00:00:04,000 --> 00:00:05,000] [horn blows]
[3 00:00:05,200 --> 00:00:06,300] [horn blows]
[4 00:00:59,000 --> 00:00:59,500] - MATE: A||B? | - <i>B.</i>

## 10 min

[5 00:10:02,043 --> 00:10:04,000] ♪ Haul away ♪
`,
		},
		"reading_speed": {
			"by_speed.csv": `cue,start,end,cps,text
4,"00:00:59,000","00:00:59,500",32.0,- MATE: A||B? | - <i>B.</i>
2,"00:00:04,000","00:00:05,000",12.0,[horn blows]
3,"00:00:05,200","00:00:06,300",10.9,[horn blows]
1,"00:00:01,001","00:00:03,500",7.2,PILOT: Slow ahead.
5,"00:10:02,043","00:10:04,000",6.6,♪ Haul away ♪
`,
		},
	}, domaintest.ToTheLetter)
}

// TestBackwardOfDamaged takes lines away from the files between the steps.
func TestBackwardOfDamaged(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		edit, file, line string // the line to be lost
		want             string // what is then lost, changed or added
	}{
		"a cue without source times is stretched": {
			"playback_speed", "source_times.csv", "5,\"00:10:02,043\",\"00:10:04,000\"\n",
			"",
		},
		"a cue that is not listed keeps its end": {
			"minimum_display", "extended.csv", "4,\"00:00:59,500\"\n",
			"cue at 00:00:59,000, end: 00:00:59,500 -> 00:01:00,500",
		},
		"a cue that the map does not have stays in place": {
			"sounds_apart", "cue_map.csv", "4,speech.srt,2\n", "",
		},
		"a lost cue does not shift the map": {
			"sounds_apart", "sounds.srt", "1\n00:00:04,000 --> 00:00:05,000\n[horn blows]\n\n",
			"cue at 00:00:04,000: lost (00:00:04,000 | 00:00:05,000 | [horn blows])",
		},
		"a run with one time left is one cue": {
			"joined_runs", "runs.json", ",\n      [\n        \"00:00:05,200\",\n        \"00:00:06,300\"\n      ]",
			"cue at 00:00:05,200: lost (00:00:05,200 | 00:00:06,300 | [horn blows])",
		},
		"a reel without an offset has its ten minutes": {
			"reels", "reels.csv", "2,\"00:10:00,000\"\n", "",
		},
		"a row of which the times cannot be read is lost": {
			"spotting_list", "spotting.csv", "10:02:01,3",
			"cue at 00:10:02,043: lost (00:10:02,043 | 00:10:04,000 | ♪ Haul away ♪)",
		},
		"a transcript needs no headings": {
			"transcript", "transcript.md", "\n## 10 min\n\n", "",
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			files, err := domaintest.Edit(t, demonstration(t), c.edit).Forward(vfs.Files{document: harbour})
			if err != nil {
				t.Fatal(err)
			}
			files[c.file] = removed(t, files[c.file], c.line)
			got, err := domaintest.Edit(t, demonstration(t), c.edit).Backward(files)
			if err != nil {
				t.Fatal(err)
			}
			found := ""
			for _, d := range New().Differences(vfs.Files{document: harbour}, got) {
				found += d.String()
			}
			if found != c.want {
				t.Errorf("differences: %q, want %q", found, c.want)
			}
		})
	}
}
