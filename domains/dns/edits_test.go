package dns

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// yard is a small zone in which every edit has something to do.
const (
	document = "dulasrailway.org.uk.zone"
	yard     = `; yard
$TTL 1h
$ORIGIN yard.cymru.

@	2d	IN	SOA	ns1 root (
		2024031501	; serial
		2h 1h 14d 1h )
	2d	IN	NS	ns1
	IN	TXT	"v=spf1 ip4:81.187.214.40 -all"
ns1	1D	IN	A	81.187.214.34
	IN	AAAA	2001:8b0::34
www	IN	CNAME	ns1	; for now
ftp	300	IN	CNAME	ns1

; sheds
$ORIGIN shed.yard.cymru.
crane	IN	A	10.61.20.7	; slow
	IN	HINFO	PC Linux
nas	10m	IN	A	10.61.9.30
old	CNAME	www.yard.cymru.
spare	IN	A	10.61.20.7
`
)

func yardZone() vfs.Files { return vfs.Files{document: yard} }

// replaced is yard with some texts replaced, given in pairs.
func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(yard) }

var forwardResults = map[string]vfs.Files{
	"split_by_type": {
		"frame.zone": "; yard\n$TTL 1h\n$ORIGIN yard.cymru.\n\n\n; sheds\n$ORIGIN shed.yard.cymru.\n",
		"soa.zone": `yard.cymru. 172800 IN SOA ns1.yard.cymru. root.yard.cymru. (
		2024031501	; serial
		2h 1h 14d 1h )
`,
		"ns.zone":  "yard.cymru. 172800 IN NS ns1.yard.cymru.\n",
		"txt.zone": `yard.cymru. 3600 IN TXT "v=spf1 ip4:81.187.214.40 -all"` + "\n",
		"a.zone": `ns1.yard.cymru. 86400 IN A 81.187.214.34
crane.shed.yard.cymru. 3600 IN A 10.61.20.7	; slow
nas.shed.yard.cymru. 600 IN A 10.61.9.30
spare.shed.yard.cymru. 3600 IN A 10.61.20.7
`,
		"aaaa.zone": "ns1.yard.cymru. 3600 IN AAAA 2001:8b0::34\n",
		"cname.zone": `www.yard.cymru. 3600 IN CNAME ns1.yard.cymru.	; for now
ftp.yard.cymru. 300 IN CNAME ns1.yard.cymru.
old.shed.yard.cymru. 3600 IN CNAME www.yard.cymru.
`,
		"hinfo.zone": "crane.shed.yard.cymru. 3600 IN HINFO PC Linux\n",
		"manifest.csv": `line,owner,ttl,file
5,@,2d,soa.zone
8,,2d,ns.zone
9,,,txt.zone
10,ns1,1D,a.zone
11,,,aaaa.zone
12,www,,cname.zone
13,ftp,300,cname.zone
17,crane,,a.zone
18,,,hinfo.zone
19,nas,10m,a.zone
20,old,,cname.zone
21,spare,,a.zone
`,
	},
	"zone_json": {
		"zone.json": `[
  {
    "kind": "comment",
    "text": "yard"
  },
  {
    "kind": "directive",
    "name": "$TTL",
    "value": "1h"
  },
  {
    "kind": "directive",
    "name": "$ORIGIN",
    "value": "yard.cymru."
  },
  {
    "kind": "blank"
  },
  {
    "kind": "record",
    "owner": "@",
    "ttl": "2d",
    "class": "IN",
    "type": "SOA",
    "data": "ns1 root (\n\t\t2024031501\t; serial\n\t\t2h 1h 14d 1h )"
  },
  {
    "kind": "record",
    "ttl": "2d",
    "class": "IN",
    "type": "NS",
    "data": "ns1"
  },
  {
    "kind": "record",
    "class": "IN",
    "type": "TXT",
    "data": "\"v=spf1 ip4:81.187.214.40 -all\""
  },
  {
    "kind": "record",
    "owner": "ns1",
    "ttl": "1D",
    "class": "IN",
    "type": "A",
    "data": "81.187.214.34"
  },
  {
    "kind": "record",
    "class": "IN",
    "type": "AAAA",
    "data": "2001:8b0::34"
  },
  {
    "kind": "record",
    "owner": "www",
    "class": "IN",
    "type": "CNAME",
    "data": "ns1",
    "comment": "for now"
  },
  {
    "kind": "record",
    "owner": "ftp",
    "ttl": "300",
    "class": "IN",
    "type": "CNAME",
    "data": "ns1"
  },
  {
    "kind": "blank"
  },
  {
    "kind": "comment",
    "text": "sheds"
  },
  {
    "kind": "directive",
    "name": "$ORIGIN",
    "value": "shed.yard.cymru."
  },
  {
    "kind": "record",
    "owner": "crane",
    "class": "IN",
    "type": "A",
    "data": "10.61.20.7",
    "comment": "slow"
  },
  {
    "kind": "record",
    "class": "IN",
    "type": "HINFO",
    "data": "PC Linux"
  },
  {
    "kind": "record",
    "owner": "nas",
    "ttl": "10m",
    "class": "IN",
    "type": "A",
    "data": "10.61.9.30"
  },
  {
    "kind": "record",
    "owner": "old",
    "type": "CNAME",
    "data": "www.yard.cymru."
  },
  {
    "kind": "record",
    "owner": "spare",
    "class": "IN",
    "type": "A",
    "data": "10.61.20.7"
  }
]
`,
	},
	"address_legend": {
		"pseudonymised.zone": replaced("A	81.187.214.34", "A	[IPv4_01]", "2001:8b0::34", "[IPv6_01]",
			"10.61.20.7", "[IPv4_02]", "10.61.9.30", "[IPv4_03]"),
		"ip_legend.csv": `label,address
[IPv4_01],81.187.214.34
[IPv6_01],2001:8b0::34
[IPv4_02],10.61.20.7
[IPv4_03],10.61.9.30
`,
	},
	"explicit_ttls": {
		"explicit.zone": replaced("$TTL 1h\n", "", "2d	IN", "172800	IN", "	IN	TXT", "	3600 IN	TXT", "1D", "86400",
			"	IN	AAAA", "	3600 IN	AAAA", "www	IN", "www	3600 IN", "crane	IN", "crane	3600 IN", "	IN	HINFO", "	3600 IN	HINFO",
			"10m", "600", "old	CNAME", "old	3600 CNAME", "spare	IN", "spare	3600 IN"),
		"ttl_policy.csv": `record,kind,spelling
1,directive,1h
1,explicit,2d
2,explicit,2d
3,inherited,
4,explicit,1D
5,inherited,
6,inherited,
7,explicit,300
8,inherited,
9,inherited,
10,explicit,10m
11,inherited,
12,inherited,
`,
	},
	"absolute_names": {
		"absolute.zone": replaced("@	2d", "yard.cymru.	2d", "SOA	ns1 root", "SOA	ns1.yard.cymru. root.yard.cymru.",
			"	2d	IN	NS	ns1", "yard.cymru.	2d	IN	NS	ns1.yard.cymru.", "	IN	TXT", "yard.cymru.	IN	TXT",
			"ns1	1D", "ns1.yard.cymru.	1D", "	IN	AAAA", "ns1.yard.cymru.	IN	AAAA",
			"www	IN	CNAME	ns1", "www.yard.cymru.	IN	CNAME	ns1.yard.cymru.",
			"ftp	300	IN	CNAME	ns1", "ftp.yard.cymru.	300	IN	CNAME	ns1.yard.cymru.",
			"crane	IN", "crane.shed.yard.cymru.	IN", "	IN	HINFO", "crane.shed.yard.cymru.	IN	HINFO",
			"nas	10m", "nas.shed.yard.cymru.	10m", "old	", "old.shed.yard.cymru.	", "spare	", "spare.shed.yard.cymru.	"),
		"style.csv": `record,place,spelling
1,0,@
1,1,ns1
1,2,root
2,0,
2,1,ns1
3,0,
4,0,ns1
5,0,
6,0,www
6,1,ns1
7,0,ftp
7,1,ns1
8,0,crane
9,0,
10,0,nas
11,0,old
12,0,spare
`,
	},
	"alias_groups": {
		"hosts.zone": replaced("www	IN	CNAME	ns1	; for now\n", "", "ftp	300	IN	CNAME	ns1\n", "", "old	CNAME	www.yard.cymru.\n", ""),
		"aliases.zone": `; ns1.yard.cymru. (2)
ftp.yard.cymru. 300 IN CNAME ns1.yard.cymru.
www.yard.cymru. 3600 IN CNAME ns1.yard.cymru.	; for now

; www.yard.cymru. (1)
old.shed.yard.cymru. 3600 IN CNAME www.yard.cymru.
`,
		"cname_map.csv": `line,alias,owner,ttl,target
12,www.yard.cymru.,www,,ns1
13,ftp.yard.cymru.,ftp,300,ns1
20,old.shed.yard.cymru.,old,,www.yard.cymru.
`,
	},
	"reverse_zone": {
		"forward.zone": replaced("crane	IN	A	10.61.20.7	; slow\n", "", "	IN	HINFO", "crane.shed.yard.cymru.	IN	HINFO",
			"nas	10m	IN	A	10.61.9.30\n", "", "spare	IN	A	10.61.20.7\n", ""),
		"61.10.in-addr.arpa.zone": `$ORIGIN 61.10.in-addr.arpa.
30.9 600 IN PTR nas.shed.yard.cymru.
7.20 3600 IN PTR crane.shed.yard.cymru.	; slow
7.20 3600 IN PTR spare.shed.yard.cymru.
`,
		"ptr_notes.csv": `line,address,owner,ttl
17,10.61.20.7,crane,
19,10.61.9.30,nas,10m
21,10.61.20.7,spare,
`,
	},
	"renumber_block": {
		"renumbered.zone": replaced("81.187.214.40", "192.0.2.120", "81.187.214.34", "192.0.2.114", "2024031501", "2024031502"),
		"renumber.csv": `item,old,new
block,81.187.214.32/28,192.0.2.112/28
serial,2024031501,2024031502
`,
	},
}

func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "dns1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			got, err := edit.Forward(yardZone())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(forwardResults[edit.Name], got); diff != "" {
				t.Error(diff)
			}
			merged, err := edit.Backward(got)
			if err != nil {
				t.Fatal(err)
			}
			lines := len(strings.Split(merged[document], "\n"))
			if want := len(strings.Split(yard, "\n")); lines != want || len(merged) != 1 {
				t.Errorf("%d lines, want %d: %v", lines, want, merged)
			}
			if score := New().Compare(yardZone(), merged); score.Strict != 1 || score.Value != 1 {
				t.Errorf("%+v: %v", score, New().Differences(yardZone(), merged))
			}
		})
	}
}

// What is only spelled differently comes out as it was written, to the letter.
func TestSpellingsComeOut(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		switch edit.Name {
		case "address_legend", "absolute_names", "renumber_block":
			there, err := edit.Forward(yardZone())
			if err != nil {
				t.Fatal(err)
			}
			merged, err := edit.Backward(there)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(yardZone(), merged); diff != "" {
				t.Errorf("%s: %s", edit.Name, diff)
			}
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
		{"split_by_type", vfs.Files{"frame.zone": yard}, "manifest.csv is missing"},
		{"split_by_type", vfs.Files{"manifest.csv": "line,owner,ttl,file\n"}, "frame.zone is missing"},
		{"zone_json", vfs.Files{"zone.json": "{"}, "reading zone.json"},
		{"address_legend", vfs.Files{"pseudonymised.zone": yard, "ip_legend.csv": "label\n"}, `no column "address"`},
		{"explicit_ttls", vfs.Files{"ttl_policy.csv": "record,kind,spelling\n"}, "explicit.zone is missing"},
		{"absolute_names", vfs.Files{"absolute.zone": yard, "style.csv": ""}, "reading style.csv: no header"},
		{"alias_groups", vfs.Files{"hosts.zone": yard}, "aliases.zone is missing"},
		{"reverse_zone", vfs.Files{"forward.zone": yard}, "61.10.in-addr.arpa.zone is missing"},
		{"renumber_block", vfs.Files{"renumbered.zone": yard}, "renumber.csv is missing"},
	} {
		if _, err := backward[c.edit](c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied: what the damaged
// files still say is in the document.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			there, err := edit.Forward(yardZone())
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range there {
				if strings.HasSuffix(name, ".csv") {
					lines := strings.SplitAfter(text, "\n")
					text = strings.Join(lines[:len(lines)-2], "")
				}
				damaged[name] = strings.ReplaceAll(text, "slow", "very slow")
			}
			merged, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := New().Compare(yardZone(), merged)
			if score.Strict >= 1 || score.Strict < 0.8 || len(merged) != 1 {
				t.Errorf("Strict %v: %v", score.Strict, New().Differences(yardZone(), merged))
			}
		})
	}
}
