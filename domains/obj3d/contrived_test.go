package obj3d

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
	"bare":        {Before: "g a\nv 0 0 0\n", Record: "f 1\n"},
	"triangles":   {Before: "g gable_south\nv 0 0 0\n", Record: "f 1 1 1\n"},
	"numbered":    {Before: "g gable_south\nv 0 0 0\n", Record: "f 1 1 %d\n"},
	"relative":    {Before: "v 0 0 0\n", Record: "f -1\n"},
	"textured":    {Before: "v 0 0 0\nvt 0\nvn 0 0 1\n", Record: "f 1/1/1 1/1/1 1/1/1\n"},
	"one face":    {Before: "v 0 0 0\nf", Record: " 1"},
	"one polygon": {Before: "v 0 0 0\nf", Record: " %d"},
	"polyline":    {Before: "v 0 0 0\nl", Record: " %d"},
	"slashes":     {Before: "v 0 0 0\nf ", Record: "/"},
	"minus":       {Before: "v 0 0 0\nf ", Record: "-"},
	"digits":      {Before: "v 0 0 ", Record: "12"},
	"vertices":    {Before: "g gable_south\n", Record: "v 0 0 0\n"},
	"in a row":    {Before: "g gable_south\n", Record: "v %d 0 0\n"},
	"on a plane":  {Before: "g gable_south\n", Record: "v 0 0.%d 0\n"},
	"near":        {Before: "g gable_south\n", Record: "v 0.%d 2 0\n"},
	"beside":      {Before: "g wall_front\n", Record: "v 0.5 0.%d 0.5\n"},
	"one vertex":  {Before: "v", Record: " 0"},
	"textures":    {Record: "vt 0\n"},
	"normals":     {Record: "vn 0 0 %d\n"},
	"groups":      {Record: "g\n"},
	"named":       {Record: "g %d\n"},
	"one line":    {Before: "g", Record: " %d"},
	"held":        {Before: "g" + strings.Repeat(" a", 199) + "\nv 0 0 0\n", Record: "f 1\n"},
	"members":     {Record: "g a%d b\nf 1\n"},
	"long name":   {Before: "usemtl " + strings.Repeat("a", 1<<20) + "\nv 0 0 0\n", Record: "f 1\n"},
	"long number": {Before: "v 0 0 0." + strings.Repeat("1", 1<<20) + "\n", Record: "f 1 1 1\n"},
	"objects":     {Record: "o %d\n"},
	"materials":   {Record: "usemtl %d\n"},
	"libraries":   {Record: "mtllib %d\n"},
	"smoothing":   {Record: "s %d\n"},
	"comments":    {Record: "#%d\n"},
	"marks":       {Record: "#\n"},
	"continued":   {Before: "v 0 0 0\nf ", Record: "\\\n"},
	"curves":      {Record: "end\n"},
	"statement":   {Before: "parm", Record: " %d"},
	"lines":       {Record: "%d\n"},
	"one letter":  {Record: "v\n"},
	"defined":     {Record: "newmtl a%d\n"},
	"redefined":   {Record: "newmtl a\nKd 0 0 %d\n"},
	"one colour":  {Before: "newmtl a\nKd", Record: " %d"},
	"maps":        {Before: "newmtl a\n", Record: "map_Kd %d\n"},
}
