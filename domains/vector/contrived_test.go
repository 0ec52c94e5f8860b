package vector

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "vector1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":          {Before: "<svg>", Record: "<a/>", After: "</svg>"},
	"shapes":        {Before: "<svg>", Record: `<rect x="%d"/>`, After: "</svg>"},
	"ids":           {Before: "<svg>", Record: `<a id="a%d"/>`, After: "</svg>"},
	"seeded":        {Before: "<svg>", Record: `<g id="layer1"/>`, After: "</svg>"},
	"groups":        {Before: "<svg>", Record: "<g/>", After: "</svg>"},
	"nested":        {Record: "<g>"},
	"one group":     {Before: "<svg><g>", Record: `<a id="a%d"/>`, After: "</g></svg>"},
	"texts":         {Before: "<svg>", Record: "<text>T%d</text>", After: "</svg>"},
	"same texts":    {Before: "<svg>", Record: "<text>steam 3 bar</text>", After: "</svg>"},
	"one text":      {Before: "<svg><text>", Record: "steam %d ", After: "</text></svg>"},
	"interrupted":   {Before: "<svg><text>", Record: "a<!---->", After: "</text></svg>"},
	"spans":         {Before: "<svg><text>", Record: "a<tspan>b</tspan>", After: "</text></svg>"},
	"path":          {Before: `<svg><path id="HT-01" d="M0 0`, Record: " %d", After: ` 0"/></svg>`},
	"subpaths":      {Before: `<svg><path id="HT-01" d="`, Record: "M0 %d", After: `"/></svg>`},
	"no path":       {Before: `<svg><path id="HT-01" d="`, Record: "1 ", After: `"/></svg>`},
	"points":        {Before: `<svg><polygon id="P-01-arrow" points="`, Record: "%d,1 ", After: `"/></svg>`},
	"words":         {Before: `<svg transform="`, Record: "a%d(", After: `"/>`},
	"attributes":    {Before: "<svg><a ", Record: `a%d="" `, After: "/></svg>"},
	"styles":        {Before: `<svg><rect id="rect20" style="`, Record: "a%d:b;", After: `"/></svg>`},
	"same style":    {Before: `<svg><rect id="rect20" style="`, Record: "fill:red;", After: `"/></svg>`},
	"classes":       {Before: `<svg><rect id="rect20" class="`, Record: "a%d ", After: `"/></svg>`},
	"rules":         {Before: "<svg><style>", Record: ".a%d{}", After: "</style></svg>"},
	"open rules":    {Before: "<svg><style>", Record: "a{", After: "</style></svg>"},
	"css comments":  {Before: "<svg><style>", Record: "/*%d*/", After: "</style></svg>"},
	"definitions":   {Before: "<svg><defs>", Record: `<a id="a%d"/>`, After: "</defs></svg>"},
	"metadata":      {Before: "<svg><metadata>", Record: `<a b="%d"/>`, After: "</metadata></svg>"},
	"titles":        {Before: "<svg>", Record: "<title>%d</title>", After: "</svg>"},
	"comments":      {Before: "<svg>", Record: "<!--%d-->", After: "</svg>"},
	"entities":      {Before: "<svg><text>", Record: "&", After: "</text></svg>"},
	"bare words":    {Before: "<svg>", Record: "<a b/>", After: "</svg>"},
	"fences":        {Record: "```\n"},
	"blanks":        {Record: "\n", After: "```"},
	"open tags":     {Record: "<a "},
	"open comments": {Record: "<!--"},
	"text":          {Before: "<svg>", Record: "%d\n", After: "</svg>"},
}
