package robotics

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "robotics1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":          {Before: `<robot name="kulvert">`, Record: "<link/>", After: "</robot>"},
	"links":         {Before: `<robot name="kulvert">`, Record: `<link name="a%d"/>`, After: "</robot>"},
	"joints":        {Before: `<robot name="kulvert">`, Record: `<joint name="a%d" type="fixed"><parent link="base_link"/></joint>`, After: "</robot>"},
	"visuals":       {Before: `<robot name="kulvert"><link name="base_link">`, Record: "<visual/>", After: "</link></robot>"},
	"named visuals": {Before: `<robot name="kulvert"><link name="base_link">`, Record: `<visual name="a%d"/>`, After: "</link></robot>"},
	"attributes":    {Before: `<robot name="kulvert"><link name="base_link" `, Record: `a%d="" `, After: "/></robot>"},
	"properties":    {Before: `<robot name="kulvert"><gazebo>`, Record: "<a%d>1</a%d>", After: "</gazebo></robot>"},
	"plugins":       {Before: `<robot name="kulvert"><gazebo>`, Record: `<plugin name="drive"/>`, After: "</gazebo></robot>"},
	"blocks":        {Before: `<robot name="kulvert">`, Record: "<gazebo/>", After: "</robot>"},
	"unknown":       {Before: `<robot name="kulvert">`, Record: "<a%d/>", After: "</robot>"},
	"numbers":       {Before: `<robot name="kulvert"><link name="base_link"><inertial><origin xyz="`, Record: "%d ", After: `"/></inertial></link></robot>`},
	"mesh":          {Before: `<robot name="kulvert"><link name="base_link"><visual><geometry><mesh filename="`, Record: "a%d", After: `"/></geometry></visual></link></robot>`},
	"comments":      {Before: `<robot name="kulvert">`, Record: "<!--%d-->", After: "</robot>"},
	"closing tags":  {Before: `<robot name="kulvert">`, Record: "<link></lnk>", After: "</robot>"},
	"open tags":     {Record: "<a"},
	"open comments": {Record: "<!--"},
	"text":          {Before: "<robot>", Record: "%d\n", After: "</robot>"},
}
