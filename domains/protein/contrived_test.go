package protein

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, environment), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":       {Record: "ATOM      1  N   GLY A   1       0.0 0 0\n"},
	"short":      {Record: "ATOM 1 N GLY A 1 0.0 0 0\n"},
	"serials":    {Record: "ATOM %06d N   GLY A   1       0.0 0 0\n"},
	"numbers":    {Record: "ATOM      1  N   GLY A%d       0.0 0 0\n"},
	"seeded":     {Record: "ATOM      4  N   CYS A   1       %d.0 4.651 9.390  1.00  6.97           N\n"},
	"chains":     {Record: "HETATM    1  N   GLY A   1       0.0 0 0\nHETATM    1  N   GLY B   1       0.0 0 0\n"},
	"places":     {Record: "ATOM      1  N  AGLY A   1       %d.0 0 0\n"},
	"loose":      {Record: " ATOM %d N GLY A 1 0.0 0 0\n"},
	"tensors":    {Before: "ATOM      1  N   GLY A   1       0.0 0 0\n", Record: "ANISOU    1  N   GLY A   1\n"},
	"models":     {Record: "MODEL\n"},
	"ends":       {Record: "TER\n"},
	"end":        {Record: "END\n"},
	"numbered":   {Record: "TER   %d\n"},
	"sequence":   {Record: "SEQRES   1 A\n"},
	"residues":   {Before: "SEQRES   1 A    1  ", Record: "A ", After: "\n"},
	"sequences":  {Record: "SEQRES %d A    1  CYS AIB\n"},
	"helices":    {Record: "HELIX %d\n"},
	"bonds":      {Record: "SSBOND\n"},
	"links":      {Record: "LINK %d\n"},
	"bonded":     {Record: "CONECT %d\n"},
	"title":      {Before: "TITLE\n", Record: "TITLE    2 a\n"},
	"titles":     {Record: "TITLE %d\n"},
	"keywords":   {Before: "KEYWDS    ", Record: "a%d,", After: "\n"},
	"authors":    {Before: "AUTHOR    ", Record: "a%d,", After: "\n"},
	"molecule":   {Before: "COMPND    ", Record: "a%d;", After: "\n"},
	"molecules":  {Before: "COMPND    ", Record: "MOL_ID: %d;", After: "\n"},
	"compounds":  {Record: "COMPND    A:\n"},
	"remarks":    {Record: "REMARK %d\n"},
	"resolution": {Before: "REMARK   2 RESOLUTION ", Record: "ANGSTROM ", After: "\n"},
	"long atom":  {Before: "ATOM      1  N   GLY A   1       0.0 0 0 ", Record: "%d ", After: "\n"},
	"digits":     {Before: "ATOM      1  N   GLY A   1       0.0 0 ", Record: "1", After: "\n"},
	"lines":      {Record: "%d\n"},
	"words":      {Record: "a%d "},
}
