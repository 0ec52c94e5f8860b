package crystal

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "crystal1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":        {Before: "data_a\n", Record: "loop_ _a%d 1\n"},
	"items":       {Before: "data_a\n", Record: "_a%d 1\n"},
	"blocks":      {Record: "data_%d\n"},
	"same blocks": {Record: "data_a\n"},
	"frames":      {Before: "data_a\n", Record: "save_%d\nsave_\n"},
	"open frames": {Before: "data_a\n", Record: "save_a\n"},
	"values":      {Before: "data_a\nloop_\n_a\n", Record: "1\n"},
	"numbers":     {Before: "data_a\nloop_\n_a\n", Record: "%d\n"},
	"ragged":      {Before: "data_a\nloop_\n_a\n_b\n_c\n", Record: "1\n2 %d\n", After: "1\n"},
	"columns":     {Before: "data_a\nloop_\n", Record: "_a%d\n", After: "1\n"},
	"sites":       {Before: "data_a\nloop_\n_atom_site_label\n", Record: "O%d\n"},
	"one site":    {Before: "data_a\nloop_\n_atom_site_label\n_atom_site_fract_x\n", Record: "O1 %d\n"},
	"bonds":       {Before: "data_a\nloop_\n_geom_bond_atom_site_label_1\n_geom_bond_distance\n", Record: "O%d 2\n"},
	"operations":  {Before: "data_a\nloop_\n_symmetry_equiv_pos_as_xyz\n", Record: "x,y,z+%d\n"},
	"authors":     {Before: "data_a\nloop_\n_publ_author_name\n", Record: "a%d\n"},
	"loops":       {Before: "data_a\n", Record: "loop_\n_a\n1\n\n"},
	"site loops":  {Before: "data_a\n", Record: "loop_\n_atom_site_label\n_a%d\nO1 1\n"},
	"scalars":     {Before: "data_a\n", Record: "_atom_site_a%d 1\n"},
	"comments":    {Before: "data_a\n", Record: "#%d\n"},
	"remarks":     {Before: "data_a\nloop_\n_a\n", Record: "1 #%d\n"},
	"lines":       {Before: "data_a\n_a 1\n", Record: "a%d\n"},
	"preface":     {Record: "a%d\n", After: "data_a\n"},
	"text":        {Before: "data_a\n_a\n;\n", Record: "a%d\n", After: ";\n"},
	"journal":     {Before: "data_a\n_journal_name_full\n;\n", Record: "a%d\n", After: ";\n"},
	"open text":   {Before: "data_a\n_a\n;\n", Record: "%d\n"},
	"open texts":  {Before: "data_a\n", Record: "_a%d\n;\n"},
	"fields":      {Before: "data_a\nloop_\n_a\n", Record: ";\n;\n"},
	"short texts": {Before: "data_a\n_a\n", Record: ";1;\n"},
	"quotes":      {Before: "data_a\nloop_\n_a\n", Record: "'\n"},
	"quote line":  {Before: "data_a\n_a ", Record: "'a"},
	"brackets":    {Before: "#\\#CIF_2.0\ndata_a\n_a ", Record: "["},
	"parentheses": {Before: "data_a\n_cell_length_a ", Record: "1()("},
	"returns":     {Before: "data_a\n_a\n;\n", Record: "#\r;", After: "\n;\n"},
}
