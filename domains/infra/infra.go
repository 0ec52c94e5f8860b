// Package infra is the domain of Terraform configurations in the native syntax of HCL: blocks such as provider,
// variable, locals, data, resource, module and output, with attributes, nested blocks and expressions. The top-level
// block of one of eight kinds is what is counted.
//
// The published score takes any syntax error for the loss of everything; otherwise it looks at the addresses of blocks,
// at their bodies (of those with one address only the last), at how many there are of a type, at references to aws_ and
// random_ resources, variables and locals, and at the set of comments. Strict also looks at every block of any kind,
// repeated ones included, at top-level attributes, at the place of each comment, and at text that Terraform would
// refuse. It compares expressions by their meaning (see normal), heredocs and interpolations included, and forgives
// comments that were added. The order of blocks, of attributes, of nested blocks and of an object's keys means nothing
// to it; that of a list's elements does.
package infra

import (
	"agentd/domains"
	published "agentd/domains/published/infra"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Configuration]{
		Info: domains.Info{
			Name:       "infra",
			Title:      "Terraform configuration",
			Category:   "Code & Configuration",
			Patterns:   []string{"*.tf"},
			Together:   true,
			Element:    counted,
			Example:    "resource \"aws_s3_bucket\" \"logs\" {\n  bucket = \"harbour-logs\"\n}",
			Components: []string{"coverage", "body", "types", "references", "comments"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Comments:   []string{"#", "//", "/*"},
		Evidence:   domains.OfKinds(counted, otherBlock, settingElement),
		Hazards:    hazards,
		Forgives:   comments.Forgive,
		Without:    without,
		Sampling:   domains.Sampling{Not: "the blocks of a configuration refer to one another"},
		Vocabulary: vocabulary,
	})
}
