package fonteng

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, environment), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":         {Record: ";"},
	"systems":      {Record: "languagesystem latn A;\n"},
	"classes":      {Record: "@a%d=[];"},
	"same class":   {Record: "@a=[];"},
	"members":      {Before: "@lower=[", Record: "a%d ", After: "];\n"},
	"nested lists": {Before: "@a=[a];\n", Record: "@a=[@a @a];\n"},
	"ranges":       {Before: "@lower=[", Record: "\\0-\\9999 ", After: "];\n"},
	"cid ranges":   {Before: "@lower=[", Record: "\\0 - \\65535 ", After: "];\n"},
	"marks":        {Record: "markClass a%d<anchor 0 0>@m;\n"},
	"features":     {Record: "feature a{}a;"},
	"tags":         {Record: "feature %d{}a;\n"},
	"rules":        {Before: "feature kern {\n", Record: "sub a%d by b;\n", After: "} kern;\n"},
	"same rules":   {Before: "feature kern {\n", Record: "sub a by b;", After: "} kern;\n"},
	"mixed":        {Before: "feature kern {\nsub a by b c;\n", Record: "sub a%d by b;\n", After: "} kern;\n"},
	"unclosed":     {Before: "feature kern {\n", Record: "sub a%d by b;\n"},
	"bad end":      {Before: "feature kern {\n", Record: "sub a%d by b;\n", After: strings.Repeat("no rule;\n", 49) + "} kern;\n"},
	"long rule":    {Before: "feature liga {\nsub", Record: " a%d", After: " by b;\n} liga;\n"},
	"contexts":     {Before: "feature calt {\nignore sub a' b", Record: ", a' b%d", After: ";\n} calt;\n"},
	"lookups":      {Record: "lookup a%d{}a%d;"},
	"nested":       {Before: "feature kern ", Record: "{lookup a"},
	"braces":       {Record: "{"},
	"closed":       {Record: "}"},
	"lists":        {Record: "["},
	"names":        {Before: "table name {\n", Record: "nameid 9 \"%d\";\n", After: "} name;\n"},
	"fields":       {Before: "table OS/2 {\n", Record: "a%d;", After: "} OS/2;\n"},
	"endless":      {Before: "table OS/2 {\n", Record: "a%d;"},
	"axes":         {Before: "table STAT {\n", Record: "DesignAxis a 0{};", After: "} STAT;\n"},
	"anonymous":    {Record: "anon a {\n} a;\n"},
	"no end":       {Record: "anon a%d {\n"},
	"comments":     {Record: "# %d\n"},
	"altered":      {Record: "# units per em. Built with fontmake; do not edit the copy %d\n"},
	"blocks":       {Record: "/**/"},
	"open blocks":  {Record: "/*"},
	"returns":      {Record: "a\r"},
	"strings":      {Before: "table name {\n", Record: "\"\n\"", After: "} name;\n"},
	"lines":        {Record: "a%d\n"},
	"words":        {Record: "a "},
	"digits":       {Record: "1"},
}
