package dbschema

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// documentFile is the document of the built-in environment.
const documentFile = "schema.sql"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), environment) }

// depot is a document in which double brackets stand for backticks.
var depot = backticked(`-- tram depot
SET NAMES utf8;

DROP TABLE IF EXISTS [[tr_cars]];
CREATE TABLE [[tr_cars]] (
  [[car_no]] smallint(5) unsigned NOT NULL,
  [[built]] year(4) DEFAULT NULL, -- plate by the door
  [[livery]] varchar(40) DEFAULT NULL COMMENT 'red|cream, owner''s',
  [[state]] enum('runs','stored','sold') NOT NULL DEFAULT 'runs',
  PRIMARY KEY ([[car_no]]),
  UNIQUE KEY [[plate]] ([[built]],[[car_no]]),
  KEY [[state]] ([[state]])
) ENGINE=MyISAM DEFAULT CHARSET=latin1 ROW_FORMAT=FIXED COMMENT='cars';

CREATE TABLE [[wk_jobs]] (
  [[job_id]] int(11) NOT NULL,
  [[car_no]] smallint(5) unsigned DEFAULT NULL,
  [[hours]] decimal(5,1) DEFAULT NULL,
  CONSTRAINT [[fk_car]] FOREIGN KEY ([[car_no]]) REFERENCES [[tr_cars]] ([[car_no]]) ON DELETE CASCADE,
  CONSTRAINT [[some]] CHECK (job_id > 0)
) ENGINE=InnoDB;
-- end
`)

func backticked(text string) string { return strings.NewReplacer("[[", "`", "]]", "`").Replace(text) }

// inDepot is the depot with some texts replaced, given in pairs.
func inDepot(pairs ...string) string {
	for i := range pairs {
		pairs[i] = backticked(pairs[i])
	}
	return strings.NewReplacer(pairs...).Replace(depot)
}

var forwardResults = map[string]vfs.Files{
	"split_by_prefix": {
		"rest.sql": "-- tram depot\nSET NAMES utf8;\n-- end\n",
		"tr.sql":   depot[strings.Index(depot, "DROP"):strings.Index(depot, "\nCREATE TABLE `wk")],
		"wk.sql":   depot[strings.Index(depot, "CREATE TABLE `wk"):strings.Index(depot, "-- end")],
		"order.csv": `position,file
1,rest.sql
2,tr.sql
3,tr.sql
4,wk.sql
`,
	},
	"data_dictionary": {
		"statements.csv": backticked(`table,statement,options,comment
,SET NAMES utf8,,-- tram depot
,DROP TABLE IF EXISTS [[tr_cars]],,
tr_cars,CREATE TABLE [[tr_cars]],ENGINE=MyISAM DEFAULT CHARSET=latin1 ROW_FORMAT=FIXED COMMENT='cars',
wk_jobs,CREATE TABLE [[wk_jobs]],ENGINE=InnoDB,
,,,-- end
`),
		"columns.csv": `table,column,definition,comment
tr_cars,car_no,smallint(5) unsigned NOT NULL,
tr_cars,built,year(4) DEFAULT NULL,-- plate by the door
tr_cars,livery,"varchar(40) DEFAULT NULL COMMENT 'red|cream, owner''s'",
tr_cars,state,"enum('runs','stored','sold') NOT NULL DEFAULT 'runs'",
wk_jobs,job_id,int(11) NOT NULL,
wk_jobs,car_no,smallint(5) unsigned DEFAULT NULL,
wk_jobs,hours,"decimal(5,1) DEFAULT NULL",
`,
		"keys.csv": backticked(`table,definition,comment
tr_cars,PRIMARY KEY ([[car_no]]),
tr_cars,"UNIQUE KEY [[plate]] ([[built]],[[car_no]])",
tr_cars,KEY [[state]] ([[state]]),
wk_jobs,CONSTRAINT [[fk_car]] FOREIGN KEY ([[car_no]]) REFERENCES [[tr_cars]] ([[car_no]]) ON DELETE CASCADE,
wk_jobs,CONSTRAINT [[some]] CHECK (job_id > 0),
`),
	},
	"sorted_columns": {
		"sorted.sql": inDepot(
			"  [[car_no]] smallint(5) unsigned NOT NULL,\n  [[built]] year(4) DEFAULT NULL, -- plate by the door\n",
			"  [[built]] year(4) DEFAULT NULL, -- plate by the door\n  [[car_no]] smallint(5) unsigned NOT NULL,\n",
			"  [[job_id]] int(11) NOT NULL,\n  [[car_no]] smallint(5) unsigned DEFAULT NULL,\n  [[hours]] decimal(5,1) DEFAULT NULL,\n",
			"  [[car_no]] smallint(5) unsigned DEFAULT NULL,\n  [[hours]] decimal(5,1) DEFAULT NULL,\n  [[job_id]] int(11) NOT NULL,\n",
		),
		"column_order.csv": `table,column
tr_cars,car_no
tr_cars,built
tr_cars,livery
tr_cars,state
wk_jobs,job_id
wk_jobs,car_no
wk_jobs,hours
`,
	},
	"innodb": {
		"innodb.sql": inDepot(
			"ENGINE=MyISAM DEFAULT CHARSET=latin1 ROW_FORMAT=FIXED COMMENT",
			"ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT",
			"ENGINE=InnoDB;", "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;",
		),
		"storage_profile.json": `[
  {
    "table": "tr_cars",
    "engine": "MyISAM",
    "charset": "latin1",
    "collate": null,
    "row_format": "FIXED"
  },
  {
    "table": "wk_jobs",
    "engine": "InnoDB",
    "charset": null,
    "collate": null,
    "row_format": null
  }
]
`,
	},
	"wide_varchars": {
		"wide.sql":   inDepot("varchar(40)", "varchar(63)"),
		"widths.csv": "table,column,n\ntr_cars,livery,40\n",
	},
	"camel_case": {
		"camel.sql": inDepot("[[car_no]]", "[[carNo]]", "[[job_id]]", "[[jobId]]", "job_id", "jobId"),
		"names.csv": `table,column,renamed
tr_cars,car_no,carNo
wk_jobs,job_id,jobId
wk_jobs,car_no,carNo
`,
	},
	"enum_checks": {
		"checked.sql": inDepot("enum('runs','stored','sold')", "varchar(6)", "  KEY [[state]] ([[state]])\n",
			"  KEY [[state]] ([[state]]),\n  CONSTRAINT [[enum_tr_cars_state]] CHECK ([[state]] IN ('runs','stored','sold'))\n"),
	},
	"indexes_out": {
		"tables.sql": inDepot(",\n  UNIQUE KEY [[plate]] ([[built]],[[car_no]]),\n  KEY [[state]] ([[state]])", ""),
		"indexes.sql": backticked(`CREATE UNIQUE INDEX [[plate]] ON [[tr_cars]] ([[built]],[[car_no]]);
CREATE INDEX [[state]] ON [[tr_cars]] ([[state]]);
`),
	},
	"comments_out": {
		"bare.sql": inDepot(" COMMENT 'red|cream, owner''s'", "", " COMMENT='cars'", ""),
		"descriptions.md": `# Tables and columns

## tr_cars

cars

| column | description |
| --- | --- |
| livery | red\|cream, owner's |
`,
	},
}

func TestEdits(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{documentFile: depot}, forwardResults, domaintest.InMeaning)
}

func TestEditsRefuseWhatTheyCannotDo(t *testing.T) {
	t.Parallel()
	for edit, text := range map[string]string{
		"camel_case":      "CREATE TABLE a (car_no int, carNo int);",
		"data_dictionary": "CREATE TABLE a (b int);\nThat is all.",
	} {
		if got, err := domaintest.Edit(t, demonstration(t), edit).Forward(vfs.Files{"a.sql": text}); err == nil {
			t.Errorf("%s of %q gave %v, want an error", edit, text, got)
		}
	}
}

// A backward step takes what a person may have written, not only what the
// forward step writes.
func TestBackwardTakesOtherSpellings(t *testing.T) {
	t.Parallel()
	document := vfs.Files{documentFile: depot}
	for edit, changes := range map[string]map[string][2]string{
		"enum_checks":  {"checked.sql": {"CONSTRAINT `enum_tr_cars_state` CHECK (`state` IN ('runs','stored','sold'))", "constraint enum_tr_cars_state check (state in ('runs', 'stored', 'sold'))"}},
		"indexes_out":  {"indexes.sql": {"CREATE INDEX `state` ON `tr_cars` (`state`)", "create index state on tr_cars(state)"}},
		"comments_out": {"descriptions.md": {"| livery | red", "|livery|red"}},
		"innodb":       {"storage_profile.json": {`"collate": null,`, ``}},
	} {
		e := domaintest.Edit(t, demonstration(t), edit)
		there, err := e.Forward(document)
		if err != nil {
			t.Fatal(err)
		}
		for file, change := range changes {
			if there[file] = strings.Replace(there[file], change[0], change[1], 1); !strings.Contains(there[file], change[1]) {
				t.Fatalf("%s: no %q", edit, change[0])
			}
		}
		again, err := e.Backward(there)
		if err != nil {
			t.Fatal(err)
		}
		if differences := New().Differences(document, again); len(differences) > 0 {
			t.Errorf("%s: %v", edit, differences)
		}
	}
}

func TestEditsTakeOtherParameters(t *testing.T) {
	t.Parallel()
	document := vfs.Files{"trams.sql": "CREATE TABLE `tram` (\n  `kind` enum('a','bb') NOT NULL COMMENT 'of car'\n) ENGINE=MyISAM;\n"}
	domaintest.Parameters(t, New(), document, domaintest.ToTheLetter,
		domaintest.Made{
			Edit: "enum_checks", Parameters: `{"document": "trams.sql", "to": "c.sql", "prefix": "chk_"}`,
			Want: vfs.Files{"c.sql": "CREATE TABLE `tram` (\n  `kind` varchar(2) NOT NULL COMMENT 'of car',\n" +
				"  CONSTRAINT `chk_tram_kind` CHECK (`kind` IN ('a','bb'))\n) ENGINE=MyISAM;\n"},
		},
		domaintest.Made{
			Edit: "set_storage", Parameters: `{"document": "trams.sql", "to": "s.sql", "engine": "Aria", "charset": "latin1", "collate": "latin1_bin", "list": "s.json"}`,
			Want: vfs.Files{
				"s.sql": strings.Replace(document["trams.sql"], "MyISAM", "Aria DEFAULT CHARSET=latin1 COLLATE=latin1_bin", 1),
				"s.json": "[\n  {\n    \"table\": \"tram\",\n    \"engine\": \"MyISAM\",\n    \"charset\": null,\n" +
					"    \"collate\": null,\n    \"row_format\": null\n  }\n]\n",
			},
		},
		domaintest.Made{
			Edit: "comments_aside", Parameters: `{"document": "trams.sql", "to": "b.sql", "title": "Trams", "list": "t.md"}`,
			Want: vfs.Files{
				"b.sql": strings.Replace(document["trams.sql"], " COMMENT 'of car'", "", 1),
				"t.md":  "# Trams\n\n## tram\n\n| column | description |\n| --- | --- |\n| kind | of car |\n",
			},
		},
	)
}
