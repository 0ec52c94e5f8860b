package dbschema

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"agentd/vfs"
)

func TestForSQLiteFollowsThePublishedRules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SET NAMES utf8;\nx":                                                  "\nx",
		"a\n\n  insert into t values (1);b":                                   "a\nb",
		"/*!40101 SET a=b */;/* c */ /*! d */":                                "; /*! d */",
		"a # b\n  # c\nd":                                                     "a # b\n\nd",
		") ENGINE = MyISAM DEFAULT CHARSET=latin1;":                           ")  ;",
		"a DEFAULT CHARACTER SET utf8 COLLATE x_y,":                           "a ,",
		"a COLLATE=b c AUTO_INCREMENT=3 d":                                    "a  c  d",
		"COMMENT='it''s' COMMENT 'it''s' COMMENT \"":                          "'s'  COMMENT \"",
		"x ON UPDATE CURRENT_TIMESTAMP(3) timestamp(3) CURRENT_TIMESTAMP( 3)": "x  timestamp CURRENT_TIMESTAMP( 3)",
		"`a` enum('b)','c'), set ( 'd' )":                                     `"a" TEXT','c'), TEXT`,
		"tinyint(1) int(11) INT (2) point unsigned":                           "INTEGER INTEGER INTEGER (2) point ",
		"mediumtext binary(16) varbinary(2) binary double(1,2) json":          "TEXT BLOB varbinary(2)  REAL(1,2) TEXT",
		"a GENERATED ALWAYS AS (b(c) + 1) STORED NOT NULL":                    "a  NOT NULL",
		"b, CONSTRAINT `c` FOREIGN KEY (`d`) REFERENCES `e` (`f`) ON DELETE SET NULL ON UPDATE NO ACTION)": "b)",
		"b, FOREIGN KEY (d) REFERENCES e (f))":                               "b, FOREIGN KEY (d) REFERENCES e (f))",
		"a,\n KEY `b` (`c`(10)), KEY (d)\n, INDEX e (f), UNIQUE INDEX g (h)": "a)",
		"UNIQUE KEY `a` (`b`), UNIQUE KEY (c), PRIMARY KEY `d` (`e`(4))":     `UNIQUE ("b"), UNIQUE (c), PRIMARY KEY ("e")`,
		"a, FULLTEXT KEY b (c), FULLTEXT d (e)":                              "a, FULLTEXT d (e)",
		`INDEX "a" ("b"(10), c(10))`:                                         `INDEX "a" ("b", c(10))`,
		") words left;) = ;":                                                 "););",
	} {
		if got := forSQLite(text); strings.Join(strings.Fields(got), " ") != strings.ToLower(strings.Join(strings.Fields(want), " ")) {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestParseReadsWhatRuns(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want string // tables with their columns, indexes and primary keys
	}{
		"names have no case":                 {"create table A (B int, c text);", "a(b,c)"},
		"the primary key of an integer":      {"create table a (b int not null, primary key (b));", "a(b) pk b"},
		"the primary key of a text":          {"create table a (b char(3) primary key, c int);", "a(b,c) i b pk b"},
		"one that fails is left out":         {"create table a (b int,);\ncreate table c (d int);", "c(d)"},
		"a table given twice":                {"create table a (b int);\ncreate table a (c int);", "a(b)"},
		"a table dropped between":            {"create table a (b int);\ndrop table a;\ncreate table a (c int);", "a(c)"},
		"an index outside":                   {"create table a (b int);\ncreate unique index c on a (b);", "a(b) i b"},
		"an index outside where one fails":   {"create table a (b int);\ncreate index c on a (b);\nselect;", "a(b)"},
		"the last semicolon where one fails": {"create tabel x;\ncreate table a (b int);\ncreate table c (d int)", "a(b)"},
		"views and temporary tables":         {"create table a (b int);\ncreate view v as select b from a;\ncreate temp table c (d int);", "a(b)"},
		"a generated column":                 {"create table a (b int, c int as (b + 1));", "a(b)"},
		"SQLite's own names":                 {"create table sqliteX (b int); create table sqlite (c int);", "sqlite(c)"},
		"altered tables":                     {"create table a (b int);\nalter table a add column c int;", "a(b,c)"},
	} {
		got, err := Parse(vfs.Files{"a.sql": c.text})
		if err != nil || summary(got) != c.want {
			t.Errorf("%s: %s, want %s; %v", rule, summary(got), c.want, err)
		}
	}
}

func summary(s Schema) string {
	var tables []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		t := s[name]
		line := name + "(" + strings.Join(slices.Sorted(maps.Keys(t.columns)), ",") + ")"
		for _, columns := range t.indexes {
			line += " i " + strings.Join(columns, "+")
		}
		if key := t.primaryKey(); len(key) > 0 {
			line += " pk " + strings.Join(key, "+")
		}
		tables = append(tables, line)
	}
	return strings.Join(tables, "; ")
}

// Statements that could run long, fill memory or reach files do not.
func TestSQLiteIsContained(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for label, c := range map[string]struct{ statement, want string }{
		"endless query": {
			"create table b as with recursive n(x) as (select 1 union all select x + 1 from n) select x from n where x > 0;", "a(c); b(x)",
		},
		"endless select": {"with recursive n(x) as (select 1 union all select x + 1 from n) select x from n;", "a(c)"},
		"large values":   {"create table b as select zeroblob(1000000000) x, randomblob(1000000000) y from a where c > 0;", "a(c); b(x,y)"},
		"cross join":     {"create table b as select 1 x from json_each('[1,2]') u, json_each('[1,2]') v;", "a(c); b(x)"},
		"rows":           {"; insert into a values (1), (2); replace into a values (3);", "a(c)"},
		"trigger":        {"create trigger t after insert on a begin insert into a values (new.c + 1); end; replace into a values (1);", "a(c)"},
		"another file":   {"attach '" + dir + "/x.db' as x; create table x.b (d int);", "a(c)"},
		"a copy":         {"vacuum into '" + dir + "/y.db';", "a(c)"},
		"a setting":      {"pragma journal_mode = wal; pragma writable_schema = on; delete from sqlite_master;", "a(c)"},
		"an extension":   {"create table b as select load_extension('x') y from a where c > 0;", "a(c)"},
	} {
		got, err := Parse(vfs.Files{"a.sql": "create table a (c int);\n" + c.statement})
		if err != nil || summary(got) != c.want {
			t.Errorf("%s: %s, want %s; %v", label, summary(got), c.want, err)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("files were made: %v, %v", files, err)
	}
}
