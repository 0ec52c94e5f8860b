package dbschema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/domains/edit"
	published "agentd/domains/published/dbschema"
	"agentd/vfs"
)

const environment = "dbschema1"

// documentFile is that of the documents in these tests.
const documentFile = "schema.sql"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:     domaintest.With(t, New(), environment),
		Seed:       domaintest.Seed(t, environment),
		Generate:   rapid.Custom(drawDocument),
		RSForgives: 0.3,
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, domaintest.With(f, New(), environment), domaintest.Seed(f, environment))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, environment))
}

// drawDocument draws a schema whose tables have names and columns of their own.
func drawDocument(t *rapid.T) vfs.Files {
	d := &drawer{T: t}
	if d.sometimes("heading") {
		d.text.WriteString(d.one("heading", "-- Host: db2\n", "/*!40101 SET NAMES utf8 */;\n", "SET foreign_key_checks = 0;\n", "/* two\n   lines */\n"))
	}
	names := rapid.Permutation([]string{"co_tours", "co_guides", "co_stops", "st_visits", "bikes", "Old_Log", "st_2fa"}).Draw(t, "names")
	for _, name := range names[:1+d.upTo(3, "tables")] {
		d.table(name)
	}
	if d.sometimes("end") {
		d.text.WriteString("-- Dump completed\n")
	}
	return vfs.Files{documentFile: d.text.String()}
}

type drawer struct {
	*rapid.T
	text    strings.Builder
	columns []string // of the table in hand
	before  string   // the last table
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) table(name string) {
	if d.sometimes("comment") {
		d.text.WriteString(d.one("comment text", "-- summer only\n", "# see the wiki\n", "\n--\n-- Guides; paid by the day\n--\n"))
	}
	if d.sometimes("drop") {
		fmt.Fprintf(&d.text, "DROP TABLE IF EXISTS `%s`;\n", name)
	}
	quote := d.one("quote", "`", "`", "")
	d.columns = rapid.Permutation([]string{"tour_id", "name", "guide_id", "starts_at", "price", "Level", "note", "is_open"}).Draw(d.T, "columns")
	d.columns = d.columns[:2+d.upTo(5, "number")]
	var entries []string
	for _, column := range d.columns {
		entries = append(entries, d.column(quote+column+quote))
	}
	entries = append(entries, d.keys(name, quote)...)
	indent := d.one("indent", "  ", "\t", "    ", "")
	fmt.Fprintf(&d.text, "%s %s%s%s (\n%s%s\n)%s;\n", d.one("create", "CREATE TABLE", "create table"), quote, name, quote,
		indent, strings.Join(entries, d.one("between", ",\n", ",\n\n", ", ")+indent), d.one("options", "", " ENGINE=InnoDB",
			" ENGINE=MyISAM DEFAULT CHARSET=latin1 COLLATE=latin1_german1_ci", " engine = InnoDB COMMENT='tours, 2019 on' ROW_FORMAT=DYNAMIC",
			" AUTO_INCREMENT=41 DEFAULT CHARACTER SET utf8mb4"))
	if d.sometimes("index") {
		fmt.Fprintf(&d.text, "CREATE INDEX ix_%s ON `%s` (`%s`);\n", name, name, d.columns[0])
	}
	d.before = name
}

func (d *drawer) column(name string) string {
	kind := d.one("type", "int(11)", "INT UNSIGNED", "varchar(40)", "VARCHAR(127) COLLATE utf8mb4_bin", "decimal(8,2)", "text", "datetime",
		"enum('easy','hard','don''t')", "ENUM('a')", "timestamp", "double", "char(3) CHARACTER SET latin1", "tinyint(1)", "json")
	null := d.one("null", " NOT NULL", "", " DEFAULT NULL", " NULL")
	value := ""
	if null == " NOT NULL" && kind == "int(11)" {
		value = d.one("default", "", " DEFAULT '0'", " DEFAULT -1")
	}
	comment := d.one("comment", "", "", " COMMENT 'per person | day'", " COMMENT 'the guide''s own'")
	return name + " " + kind + null + value + comment
}

func (d *drawer) keys(table, quote string) []string {
	first, second := quote+d.columns[0]+quote, quote+d.columns[1]+quote
	var entries []string
	for _, key := range []string{
		"PRIMARY KEY (" + first + ")",
		"UNIQUE KEY `u` (" + first + "," + second + ")",
		"KEY `by_second` (" + second + ")",
		"KEY by_both (" + first + ", " + second + ") USING BTREE",
		"CONSTRAINT `chk_" + table + "` CHECK (" + second + " <> '')",
		"FULLTEXT KEY `words` (" + second + ")",
	} {
		if d.sometimes("key") && !(strings.Contains(key, "CHECK") && quote == "") && !strings.Contains(key, "USING") {
			entries = append(entries, key)
		}
	}
	if d.before != "" && d.sometimes("foreign key") {
		entries = append(entries, fmt.Sprintf("CONSTRAINT `fk_%s` FOREIGN KEY (`%s`) REFERENCES `%s` (`%s`) ON DELETE CASCADE",
			table, d.columns[0], d.before, d.columns[0]))
	}
	return entries
}

func TestColumnsAreCountedWithoutKeys(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		"CREATE TABLE `a` (`id` int, `at` date, PRIMARY KEY (`id`), KEY `at` (`at`), CHECK (`id` > 0));": "2",
		"-- trams\nCREATE TABLE a (id int, twice int AS (id * 2));":                                      "2",
		"CREATE INDEX x ON a (id, at);":                                                                  "",
		"DROP TABLE a;":                                                                                  "",
	} {
		if got := columns(statement); got != want {
			t.Errorf("%s: %q columns, want %q", statement, got, want)
		}
	}
}

func TestAttributes(t *testing.T) {
	t.Parallel()
	attributes := vocabulary().Attributes
	for name, c := range map[string]struct{ text, want string }{
		"table":          {"CREATE INDEX `x` ON `b` (`c`)", "b"},
		"prefix":         {"DROP TABLE IF EXISTS `cl_old_phones`", "cl"},
		"column type":    {"  `id` int(10) unsigned", "int(10)"},
		"varchar length": {"  a char(3), b VARCHAR(40)", "40"},
		"description":    {"  a int COMMENT 'the owner''s words', b int", "the owner''s words"},
		"comment":        {"-- ------\n--\n-- Animals, 2", "Animals, 2"},
	} {
		at := slices.IndexFunc(attributes, func(a edit.Attribute) bool { return a.Name == name })
		if found := attributes[at].Find.FindStringSubmatch(c.text); found == nil || found[1] != c.want {
			t.Errorf("%s of %q: %q, want %q", name, c.text, found, c.want)
		}
	}
	if found := attributes[1].Find.FindString("FOREIGN KEY (a) ON DELETE SET NULL ON UPDATE CASCADE"); found != "" {
		t.Errorf("%q names a table", found)
	}
}

func TestTooLargeIsAProblem(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, environment)
	for label, text := range map[string]string{
		"statements": "create view v as select 1;" + strings.Repeat("drop view v;\n", published.MostStatements),
		"script":     "create view v as select '" + strings.Repeat("x", published.MostScript) + "';",
	} {
		score := New().Compare(seed, vfs.Files{"a.sql": text})
		if score.RS != 0 || !strings.Contains(score.Problem, published.ErrTooLarge.Error()) {
			t.Errorf("%s: Value %v, problem %q", label, score.RS, score.Problem)
		}
	}
}

func TestStatisticsOfNothing(t *testing.T) {
	t.Parallel()
	stats, err := New().Statistics(vfs.Files{"a.sql": "Nothing of the kind."})
	want := domains.Stats{Counts: []domains.Count{{Name: "Tables", Value: "0"}}}
	if diff := cmp.Diff(want, stats); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestFilesInWhichNothingIsLeftOutStay(t *testing.T) {
	t.Parallel()
	const (
		berths = "CREATE TABLE berth (id int,\n\tdraft int);\n"
		cranes = "CREATE TABLE crane (\n\tid int, reach int,  -- in m\n\n\tberth int references berth (draft));\n"
		pilots = "create table pilot (id int,name text);\r\n"
	)
	files := vfs.Files{"berths.sql": berths, "cranes.sql": cranes, "pilots.sql": pilots, "notes.txt": "  as agreed"}
	left := New().Without(files, func(n int) bool { return n == 1 }) // the draft
	if strings.Contains(left["berths.sql"], "draft") {
		t.Errorf("the column stays: %s", left["berths.sql"])
	}
	for _, name := range []string{"cranes.sql", "pilots.sql", "notes.txt"} {
		if left[name] != files[name] {
			t.Errorf("%s is %q, and was %q", name, left[name], files[name])
		}
	}
}
