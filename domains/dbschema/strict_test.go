package dbschema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const museum = `-- loans desk
/*!40101 SET NAMES utf8 */;
SET foreign_key_checks = 0;
DROP TABLE IF EXISTS ` + "`lenders`" + `;
CREATE TABLE ` + "`lenders`" + ` (
  ` + "`id`" + ` int(10) unsigned NOT NULL AUTO_INCREMENT, -- never reused
  ` + "`name`" + ` varchar(80) NOT NULL DEFAULT '' COMMENT 'as on the label',
  ` + "`kind`" + ` enum('museum','private') NOT NULL DEFAULT 'private',
  ` + "`fee`" + ` decimal(8,2) DEFAULT NULL,
  PRIMARY KEY (` + "`id`" + `),
  KEY ` + "`name`" + ` (` + "`name`" + `(20))
) ENGINE=InnoDB DEFAULT CHARSET=utf8 COMMENT='who lends';

CREATE TABLE ` + "`loans`" + ` (
  ` + "`loan_no`" + ` char(7) NOT NULL,
  ` + "`lender`" + ` int(10) unsigned NOT NULL,
  ` + "`until`" + ` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ` + "`days`" + ` int(11) DEFAULT '0',
  PRIMARY KEY (` + "`loan_no`" + `),
  UNIQUE KEY ` + "`once`" + ` (` + "`lender`,`until`" + `),
  CONSTRAINT ` + "`fk_lender`" + ` FOREIGN KEY (` + "`lender`" + `) REFERENCES ` + "`lenders`" + ` (` + "`id`" + `) ON DELETE CASCADE,
  CONSTRAINT ` + "`some`" + ` CHECK (days >= 0)
);
INSERT INTO lenders VALUES (1,'Perth','museum',NULL),(2,'D. Orr','private',40);
-- end
`

func TestWhatStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, candidate := range map[string]string{
		"layout":               strings.NewReplacer("\n  ", "\n\t", "`,`", "`, `", " (`", "(`").Replace(museum),
		"names without quotes": strings.ReplaceAll(museum, "`", ""),
		"keywords in lower case": strings.NewReplacer("CREATE TABLE", "create table", "NOT NULL", "not null", "PRIMARY KEY", "primary key",
			"ENGINE", "engine", "INSERT INTO", "insert into").Replace(museum),
		"the order of tables": func() string {
			lenders, loans := strings.Index(museum, "DROP"), strings.Index(museum, "CREATE TABLE `loans`")
			end := strings.Index(museum, "INSERT")
			return museum[:lenders] + museum[loans:end] + museum[lenders:loans] + museum[end:]
		}(),
		"the order of keys":        swapped("  PRIMARY KEY (`id`),\n", "  KEY `name` (`name`(20))\n", "  KEY `name` (`name`(20)),\n  PRIMARY KEY (`id`)\n"),
		"the order of clauses":     changed("NOT NULL DEFAULT 'private'", "DEFAULT 'private' NOT NULL"),
		"the order of options":     changed("ENGINE=InnoDB DEFAULT CHARSET=utf8 COMMENT='who lends'", "COMMENT 'who lends' CHARACTER SET utf8 ENGINE innodb"),
		"an explicit null":         changed("`fee` decimal(8,2) DEFAULT NULL", "`fee` decimal(8,2) NULL"),
		"other names of types":     changed("decimal(8,2)", "NUMERIC(8,2)", "int(11)", "INTEGER(11)"),
		"a number in quotes":       changed("DEFAULT '0'", "DEFAULT 0"),
		"other names of now":       changed("DEFAULT CURRENT_TIMESTAMP", "DEFAULT now()"),
		"INDEX for KEY":            changed("  KEY `name`", "  INDEX `name`"),
		"an index outside":         changed(",\n  KEY `name` (`name`(20))", "", "-- end", "CREATE INDEX `name` ON `lenders` (`name`(20));\n-- end"),
		"a constraint outside":     changed(",\n  CONSTRAINT `some` CHECK (days >= 0)", "", "-- end", "ALTER TABLE loans ADD CONSTRAINT some CHECK ((`days` >= 0));\n-- end"),
		"a key at its column":      changed("char(7) NOT NULL", "char(7) PRIMARY KEY", "  PRIMARY KEY (`loan_no`),\n", ""),
		"RESTRICT, which is usual": changed("ON DELETE CASCADE", "ON DELETE CASCADE ON UPDATE RESTRICT"),
		"the order of rows":        changed("(1,'Perth','museum',NULL),(2,'D. Orr','private',40)", "(2,'D. Orr','private',40), (1,'Perth','museum',NULL)"),
		"rows in two statements":   changed(",NULL),(2,", ",NULL); INSERT INTO `lenders` VALUES (2,"),
		"other marks of comments":  changed("-- loans desk", "# loans desk", "-- end", "/* end */"),
		"a fence":                  "```sql\n" + museum + "```\n",
		"a byte order mark":        "\ufeff" + museum,
		"no semicolon at the end":  changed(",40);\n-- end\n", ",40)\n-- end\n"),
		"other quotes in a string": changed("'as on the label'", `"as on the label"`),
	} {
		score := New().Compare(vfs.Files{documentFile: museum}, vfs.Files{documentFile: candidate})
		if candidate == museum && rule != "RESTRICT, which is usual" || score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(vfs.Files{documentFile: museum}, vfs.Files{documentFile: candidate}))
		}
	}
}

func swapped(first, second, by string) string { return strings.Replace(museum, first+second, by, 1) }

// changed is the museum with texts replaced, given in pairs.
func changed(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(museum) }

func TestWhatStrictSees(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		candidate string
		where     string // of the first difference
	}{
		"a length":               {changed("varchar(80)", "varchar(8)"), "column lenders.name, size"},
		"a width":                {changed("`days` int(11)", "`days` int(1)"), "column loans.days, size"},
		"a sign":                 {changed("`lender` int(10) unsigned", "`lender` int(10)"), "column loans.lender, unsigned"},
		"a default":              {changed("DEFAULT 'private'", "DEFAULT 'museum'"), "column lenders.kind, default"},
		"a member":               {changed("'museum','private')", "'museum','privat')"), "column lenders.kind, member 2"},
		"a comment":              {changed("as on the label", "as on label"), "column lenders.name, comment"},
		"NOT NULL":               {changed("datetime NOT NULL", "datetime"), "column loans.until, null"},
		"auto_increment":         {changed(" AUTO_INCREMENT", ""), "column lenders.id, auto_increment"},
		"the order of columns":   {changed("`loan_no` char(7) NOT NULL,\n  `lender` int(10) unsigned", "`lender` int(10) unsigned NOT NULL,\n  `loan_no` char(7)"), "column loans.loan_no"},
		"a column added":         {changed("  `days`", "  `nights` int(11),\n  `days`"), "column loans.nights"},
		"a column twice":         {changed("  `days`", "  `days` int(11) DEFAULT '0',\n  `days`"), "column loans.days"},
		"letter case":            {changed("`days` int", "`Days` int"), "column loans.days, name"},
		"a key's order":          {changed("`lender`,`until`", "`until`,`lender`"), "unique key loans.once, column 1"},
		"a key's kind":           {changed("UNIQUE KEY", "KEY"), "unique key loans.once, kind"},
		"a prefix length":        {changed("`name`(20)", "`name`"), "key lenders.name, column 1"},
		"a key lost":             {changed(",\n  KEY `name` (`name`(20))", ""), "key lenders.name"},
		"an action":              {changed("ON DELETE CASCADE", "ON DELETE SET NULL"), "foreign key loans.fk_lender, on delete"},
		"a reference":            {changed("REFERENCES `lenders`", "REFERENCES `lender`"), "foreign key loans.fk_lender, references"},
		"a condition":            {changed("days >= 0", "days > 0"), "check loans.some, condition"},
		"an engine":              {changed("InnoDB", "MyISAM"), "table lenders, engine"},
		"a table renamed":        {changed("TABLE `loans`", "TABLE `loan`"), "table loans, name"},
		"a dropped statement":    {changed("DROP TABLE IF EXISTS `lenders`;\n", ""), "DROP TABLE lenders"},
		"a statement":            {changed("foreign_key_checks = 0", "foreign_key_checks = 1"), "SET foreign_key_checks =, text"},
		"a version":              {changed("/*!40101 SET NAMES utf8 */", "SET NAMES utf8"), "SET NAMES utf8, version"},
		"a value":                {changed("'D. Orr'", "'D. Or'"), "row 2 of lenders, value 2"},
		"a line comment":         {changed("-- never reused\n", "\n"), "comment at column lenders.id"},
		"its place":              {changed(", -- never reused", ",", "DEFAULT '0',", "DEFAULT '0', -- never reused"), "comment at column lenders.id, at"},
		"a sentence":             {"I have checked the keys.\n" + museum, "line outside statements"},
		"a surplus comma":        {changed("(20))\n)", "(20)),\n)"), "table lenders"},
		"a missing comma":        {changed("unsigned NOT NULL,\n", "unsigned NOT NULL\n"), "table loans"},
		"a missing semicolon":    {changed("COMMENT='who lends';", "COMMENT='who lends'"), "semicolon after table lenders"},
		"a missing parenthesis":  {changed("(days >= 0)\n)", "(days >= 0)\n"), "table loans"},
		"a drop below its table": {changed("DROP TABLE IF EXISTS `lenders`;\n", "", "-- end", "DROP TABLE IF EXISTS `lenders`;\n-- end"), "DROP TABLE lenders, stands"},
	} {
		found := New().Differences(vfs.Files{documentFile: museum}, vfs.Files{documentFile: c.candidate})
		if len(found) == 0 || found[0].Where != c.where {
			t.Errorf("%s: %v, want one at %s", rule, found, c.where)
		}
	}
	score := New().Compare(vfs.Files{documentFile: museum}, vfs.Files{"schema.txt": museum})
	if score.Strict == 1 {
		t.Error("a file name that is not .sql is not seen")
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, environment)
	one := vfs.Files{documentFile: strings.Replace(seed[documentFile], "`farm_name` varchar(80)", "`farm_name` varchar(60)", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.998 || score.Strict >= 1 {
		t.Errorf("one wrong length in 163 columns leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{Kind: domains.Changed, Where: "column cl_clients.farm_name, size", Was: "80", Is: "60"}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
}

// One slip in a table does not take the columns after it along.
func TestSlipsStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	for slip, candidate := range map[string]string{
		"surplus parenthesis":  changed("char(7) NOT NULL", "char(7)) NOT NULL"),
		"missing parenthesis":  changed("char(7) NOT NULL", "char(7 NOT NULL"),
		"missing comma":        changed("char(7) NOT NULL,", "char(7) NOT NULL"),
		"surplus comma":        changed("char(7) NOT NULL,", "char(7) NOT NULL,,"),
		"no end of the table":  changed("who lends';", "who lends'"),
		"no end of the string": changed("as on the label'", "as on the label"),
	} {
		score := New().Compare(vfs.Files{documentFile: museum}, vfs.Files{documentFile: candidate})
		if score.Strict < 0.85 || score.Strict == 1 {
			t.Errorf("%s leaves Strict at %v: %v", slip, score.Strict, New().Differences(vfs.Files{documentFile: museum}, vfs.Files{documentFile: candidate}))
		}
	}
}

// What is no schema gives a score, and the published reading says why not.
func TestBadInput(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, environment)
	for label, text := range map[string]string{
		"empty":        "",
		"prose":        "I have split the tables; Update the keys. CREATE TABLE\n",
		"binary":       "CREATE TABLE \x00\xff\xfe (",
		"parentheses":  "CREATE TABLE a (b int CHECK " + strings.Repeat("(", 10_000) + strings.Repeat(")", 10_000) + ");",
		"tables":       strings.Repeat("CREATE TABLE (", 10_000),
		"quotes":       strings.Repeat("'\\'\n", 10_000),
		"comments":     strings.Repeat("/*", 10_000),
		"a wide table": "CREATE TABLE a (" + strings.Repeat("b int, ", 10_000) + "c int);",
	} {
		score := New().Compare(seed, vfs.Files{documentFile: text})
		if score.RS != 0 || score.Strict < 0 || score.Strict > 0.5 || score.Problem == "" {
			t.Errorf("%s: Value %v, Strict %v, problem %q", label, score.RS, score.Strict, score.Problem)
		}
	}
}

func TestNamesWithoutQuotesHaveNoCase(t *testing.T) {
	t.Parallel()
	strict := func(a, b string) float64 {
		return New().Compare(vfs.Files{"a.sql": a}, vfs.Files{"a.sql": b}).Strict
	}
	const plain = "create table berth (\n  id integer primary key,\n  type text,\n  account integer references Owner (Id)\n);\ncreate index by_type on berth (type);\n"
	if got := strict(plain, strings.NewReplacer("type", "TYPE", "account", "Account", "Owner (Id)", "owner (id)", "berth", "BERTH").Replace(plain)); got != 1 {
		t.Errorf("names in other letters: Strict %v, want 1", got)
	}
	quoted := strings.ReplaceAll(plain, "account", `"account"`)
	if got := strict(quoted, strings.ReplaceAll(quoted, `"account"`, `"Account"`)); got == 1 {
		t.Error("a name in quotes in other letters: Strict is 1")
	}
}

func TestColumnsMayBeCalledKey(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"key VARCHAR(50) NOT NULL":        "column key",
		"key DECIMAL(8, 2)":               "column key",
		"key ENUM('bow', 'stern')":        "column key",
		"key TEXT":                        "column key",
		"key INT REFERENCES berth (id)":   "column key",
		"index INT CHECK (index > 0)":     "column index",
		"KEY (berth)":                     "key berth",
		"KEY by_name (name(20), berth)":   "key by_name",
		"KEY USING BTREE (berth)":         "key berth",
		"INDEX by_name USING HASH (name)": "key by_name",
		"INDEX by_sum ((length + beam))":  "key by_sum",
		"INDEX by_name CLUSTERED (name)":  "key by_name",
		"KEY `by name` (`name` DESC)":     "key by name",
	} {
		d := entryDefinition(tokensOf(entry))
		got := "column " + d.column
		if d.column == "" {
			got = d.kind + " " + d.keyName()
		}
		if got != want {
			t.Errorf("%s is %s, want %s", entry, got, want)
		}
	}
}

func TestTablesHaveNoOrder(t *testing.T) {
	t.Parallel()
	const (
		berth = "CREATE TABLE berth (\n  id int NOT NULL,\n  quay varchar(9),\n  draft int\n);\n"
		crane = "CREATE TABLE crane (\n  id int NOT NULL,\n  berth int,\n  reach int,\n  load int\n);\n"
		pilot = "CREATE TABLE pilot (\n  id int NOT NULL,\n  name varchar(40)\n);\n"
	)
	harbour := berth + crane + pilot
	compare := func(candidate string) (float64, string) {
		reference, files := vfs.Files{documentFile: harbour}, vfs.Files{documentFile: candidate}
		return New().Compare(reference, files).Strict, fmt.Sprint(New().Differences(reference, files))
	}
	if strict, found := compare(pilot + berth + crane); strict != 1 {
		t.Errorf("tables in another order: Strict %v: %s", strict, found)
	}
	first, _ := compare(strings.ReplaceAll(harbour, "TABLE berth", "TABLE bay"))
	last, found := compare(strings.ReplaceAll(harbour, "TABLE berth", "TABLE zone"))
	if first != last || strings.Contains(found, "moved") {
		t.Errorf("a new name leaves %v if the alphabet has it first, %v if last: %s", first, last, found)
	}
	swapped := strings.Replace(pilot, "  id int NOT NULL,\n  name varchar(40)\n", "  name varchar(40),\n  id int NOT NULL\n", 1)
	if strict, found := compare(swapped + berth + crane); strict == 1 || strings.Count(found, "moved") != 1 {
		t.Errorf("columns that changed places in a table that changed its own: Strict %v: %s", strict, found)
	}
}

// Databases other than MySQL need no blank after the hyphens of a comment.
func TestHyphensWithoutABlankBeginAComment(t *testing.T) {
	t.Parallel()
	const spaced = "-- berths\nCREATE TABLE berth (\n  id int, -- never reused\n  draft int -- in cm\n);\nINSERT INTO berth VALUES (1, 5--1);\n"
	tight := strings.NewReplacer("-- b", "--b", "-- n", "--n", "-- i", "--i").Replace(spaced)
	compare := func(candidate string) (float64, []domains.Difference) {
		reference, files := vfs.Files{documentFile: tight}, vfs.Files{documentFile: candidate}
		return New().Compare(reference, files).Strict, New().Differences(reference, files)
	}
	if strict, found := compare(spaced); strict != 1 {
		t.Errorf("blanks after hyphens: Strict %v: %v", strict, found)
	}
	if strict, _ := compare(strings.Replace(tight, "5--1", "5--2", 1)); strict == 1 {
		t.Error("a number after two signs is taken for a comment")
	}
	if _, found := compare(strings.Replace(tight, "never", "seldom", 1)); len(found) != 1 || found[0].Where != "comment at column berth.id, text" {
		t.Errorf("another word in a comment: %v", found)
	}
}

// The columns that a query fills count, and so does their order.
func TestColumnsThatAQueryFillsCount(t *testing.T) {
	t.Parallel()
	const filled = "INSERT INTO loans (item, member) SELECT i, m FROM old_loans;\n"
	for name, c := range map[string]struct {
		columns string
		same    bool
	}{
		"one is gone":      {"(member)", false},
		"in another order": {"(member, item)", false},
		"in quotes":        {"( \"item\",\n  \"member\" )", true},
	} {
		after := strings.Replace(filled, "(item, member)", c.columns, 1)
		if differences := New().Differences(vfs.Files{"a.sql": filled}, vfs.Files{"a.sql": after}); (len(differences) == 0) != c.same {
			t.Errorf("%s: %v", name, differences)
		}
	}
}

// Scripts of SQL Server write types in brackets, and the collation of a column after them.
func TestTypesInBrackets(t *testing.T) {
	t.Parallel()
	const made = "CREATE TABLE [dbo].[boats] (\n  [name] [varchar] (9) COLLATE Danish_Norwegian_CI_AS NULL,\n" +
		"  [mark] [nvarchar](4) COLLATE Latin1_General_BIN NOT NULL,\n  [sail] [dbo].[SailNo](7, 2) NULL\n);\n"
	for name, c := range map[string]struct {
		was, is string
		field   string // that changed
	}{
		"collation":                 {"Danish_Norwegian_CI_AS", "Danish_Norwegian_CS_AS", "collation"},
		"collation of another type": {"Latin1_General_BIN", "Latin1_General_CI_AS", "collation"},
		"no collation":              {" COLLATE Latin1_General_BIN", "", "collation"},
		"size":                      {"(9)", "(90)", "size"},
		"decimals":                  {"(7, 2)", "(7, 3)", "decimals"},
		"type":                      {"[varchar]", "[char]", "type"},
		"type of one's own":         {"[SailNo]", "[HullNo]", "type"},
		"no brackets":               {"[varchar] (9)", "varchar(9)", ""},
		"no brackets at one's own":  {"[dbo].[SailNo]", "dbo.SailNo", ""},
		"another letter case":       {"[nvarchar]", "[NVARCHAR]", ""},
		"a collation in small ones": {"Latin1_General_BIN", "latin1_general_bin", ""},
	} {
		after := strings.Replace(made, c.was, c.is, 1)
		differences := New().Differences(vfs.Files{"a.sql": made}, vfs.Files{"a.sql": after})
		found := fmt.Sprint(differences)
		if c.field == "" && len(differences) > 0 || c.field != "" && (len(differences) != 1 || !strings.Contains(found, c.field)) {
			t.Errorf("%s: %s", name, found)
		}
	}
}
