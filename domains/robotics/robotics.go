// Package robotics is the domain of robot models in the Unified Robot Description Format: links with inertia, shapes
// and colours, the joints that connect them, transmissions, and settings for simulators. Links and joints are counted.
//
// The published score looks up links, joints, transmissions and Gazebo blocks by name in small letters and compares
// masses, inertia, shapes, poses, axes and limits. Strict looks at every element and attribute, at materials, blocks
// that the format does not know, comments, and additions and repetitions. It reads numbers by value, fills in what the
// format takes for granted (an origin of zeros, the x axis, a scale of one), forgives misspelt closing tags, and reads
// files of any name and number. Order means nothing to it, as in the format.
package robotics

import (
	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/robotics"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:     "robotics",
			Title:    "URDF robot descriptions",
			Category: "Science & Engineering",
			Patterns: []string{"*.urdf"},
			Element:  counted,
			Example:  `<link name="base"/>`,
			Components: []string{
				"link_coverage", "link_accuracy", "joint_coverage", "joint_accuracy", "transmissions", "gazebo",
			},
		},
		Parse:    published.Parse,
		Score:    domains.Noting(published.Score),
		Stats:    published.Stats,
		Form:     wellformed.XML,
		Elements: elements,
		// Transmissions and Gazebo blocks have a score of their own.
		Others:     published.Others,
		Evidence:   domains.OfKinds(counted, transmissionKind, gazeboKind),
		Without:    without,
		Sampling:   domains.Sampling{Not: "the links and joints of a robot make up one tree"},
		Vocabulary: vocabulary,
	})
}
