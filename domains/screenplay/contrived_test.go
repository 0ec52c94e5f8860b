package screenplay

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "screenplay1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":          {Before: "# DIALOGUE\n", Record: "AA:a\n"},
	"speeches":      {Before: "# DIALOGUE\n", Record: "AA:%d\n"},
	"seeded":        {Before: "# DIALOGUE\n", Record: "DOREEN: (into the box) How long a queue? %d\n"},
	"same":          {Before: "# DIALOGUE\n", Record: "KIT: Nothing.\n"},
	"cast of eight": {Before: "# DIALOGUE\n", Record: "DOREEN: a\nKIT: b\nLEN: c\nSOMERS: d\nMRS TULLY: e\nO'DWYER: f\nRADIO: g\nBOY: h\n"},
	"sentences":     {Before: "# DIALOGUE\n", Record: "AA:B. C. %d\n"},
	"one speech":    {Before: "# DIALOGUE\nDOREEN: ", Record: "word %d "},
	"said":          {Before: "# DIALOGUE\nDOREEN: ", Record: "A. "},
	"wrapped":       {Before: "# DIALOGUE\nDOREEN: ", Record: "%d\n"},
	"asides":        {Before: "# DIALOGUE\nDOREEN: ", Record: "(a)"},
	"open asides":   {Before: "# DIALOGUE\nDOREEN: ", Record: "("},
	"below":         {Before: "# DIALOGUE\nDOREEN: a\n", Record: "(a)\n"},
	"unclosed":      {Before: "# DIALOGUE\nDOREEN: a\n", Record: "(a\n"},
	"directions":    {Before: "# DIALOGUE\n", Record: "(%d)\n\n"},
	"same pause":    {Before: "# DIALOGUE\n", Record: "(Pause.)\n\n"},
	"one direction": {Before: "# DIALOGUE\n(", Record: "He goes, %d. ", After: ")\n"},
	"placed":        {Before: "# DIALOGUE\n", Record: "(a)\nAA:a%d\n"},
	"characters":    {Before: "# CHARACTERS\n", Record: "- AA: %d\n"},
	"cast":          {Before: "# CHARACTERS\n", Record: "-AA%d:a\n"},
	"description":   {Before: "# CHARACTERS\n- DOREEN: ", Record: "%d\n"},
	"headings":      {Record: "# a\n"},
	"numbered":      {Record: "# %d\n"},
	"sections":      {Record: "# SCENE\n# DIALOGUE\n"},
	"scene":         {Before: "# SCENE\n", Record: "%d\n\n"},
	"scene text":    {Before: "# SCENE\n", Record: "It is %d. "},
	"seeded text":   {Before: "# SCENE\n", Record: "The lorries are sound only. "},
	"near text":     {Before: "# SCENE\n", Record: "The lorries are sound %d only. A loaded trailer takes the plate. "},
	"alphabet":      {Before: "# SCENE\n", Record: "etaoinshrdlucmfwypvbgkjqxz tea for two "},
	"letters":       {Before: "# SCENE\n", Record: "e a"},
	"labels":        {Before: "# DIALOGUE\n", Record: "A("},
	"emphasis":      {Before: "# DIALOGUE\n", Record: "*"},
	"bullets":       {Before: "# DIALOGUE\n", Record: "- "},
	"blanks":        {Before: "# DIALOGUE\nAA:", Record: " "},
	"capitals":      {Before: "# DIALOGUE\n", Record: "A "},
	"lines":         {Before: "# DIALOGUE\n", Record: "%d\n\n"},
}
