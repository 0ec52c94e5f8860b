package jobboard

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "jobboard1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":       {Record: "JOB-1a\n"},
	"numbered":   {Record: "JOB-%d a\n"},
	"titles":     {Record: "JOB-1 %d\n"},
	"separated":  {Record: "JOB-%d a\n---\n"},
	"companies":  {Record: "JOB-%d a\nCompany:%d\n"},
	"seeded":     {Record: "[JOB-2188] Line Cook\nType: Seasonal\nSalary: $%d/hour\n"},
	"alike":      {Record: "[JOB-%d] Line Cook\nCompany: Rogue Tern Supper House\nSkills: grill, %d\n"},
	"mentions":   {Before: "JOB-1 ", Record: "JOB-1 "},
	"mentioned":  {Before: "JOB-1 a\n", Record: "a JOB-1\n", After: "Company: a\nSkills: a, b\n"},
	"one line":   {Before: "JOB-1 ", Record: "a %d "},
	"parts":      {Before: "JOB-1 ", Record: "a | "},
	"line parts": {Record: "JOB-1 a | b | $1/hour "},
	"dashes":     {Before: "JOB-1 ", Record: "a —"},
	"one job":    {Before: "[JOB-2188] Line Cook\n", Record: "a: %d\n"},
	"texts":      {Before: "[JOB-2188] Line Cook\n", Record: "%d\n"},
	"skills":     {Before: "[JOB-2188] Line Cook\nSkills: ", Record: "%d,"},
	"company":    {Before: "[JOB-2188] Line Cook\nCompany: ", Record: "Company:"},
	"salaries":   {Before: "JOB-1 a\nSalary: ", Record: "1 /"},
	"digits":     {Before: "JOB-1 a\nSalary: ", Record: "12,", After: "/year\n"},
	"hyphens":    {Record: "---\n"},
	"separators": {Record: "\n---"},
	"notices":    {Record: "JOB-%d a\n---\n%d\n"},
	"lines":      {Record: "%d\n"},
}
