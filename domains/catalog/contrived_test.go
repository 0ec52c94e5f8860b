package catalog

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// contrived are documents made to be slow to compare: the shortest legal record
// of a format, over and over, each time the same or with another number in the
// place of the %d. Some share with the seed of the built-in environment what
// the published scores pair by.
var contrived = map[string]map[string]document{
	"accounting": {
		"bare":      {record: "2023/01/01 a\n"},
		"payees":    {record: "2023/01/01 a%d\n"},
		"postings":  {record: "2023/01/01 Heikkila Properties\n a  %d\n"},
		"near":      {record: "2023/01/01 Heikkila Propertie%d\n a  %d\n"},
		"one entry": {before: "2023/01/01 Heikkila Properties\n", record: " a%d\n"},
		"comments":  {before: "2023/01/01 Heikkila Properties\n", record: " ;%d\n"},
		"lines":     {record: "%d\n"},
		"dates":     {record: "2023/01/01 b\n2023/01/05 c%d\n2023/01/06 d\n2023/02/01 a\n"},
	},
	"calendar": {
		"bare":       {before: "BEGIN:VCALENDAR\n", record: "BEGIN:VEVENT\nEND:VEVENT\n", after: "END:VCALENDAR\n"},
		"uids":       {before: "BEGIN:VCALENDAR\n", record: "BEGIN:VEVENT\nUID:%d\nEND:VEVENT\n", after: "END:VCALENDAR\n"},
		"starts":     {before: "BEGIN:VCALENDAR\n", record: "BEGIN:VEVENT\nUID:1\nDTSTART:20240909\nSUMMARY:%d\nEND:VEVENT\n", after: "END:VCALENDAR\n"},
		"one event":  {before: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", record: "A:%d\n", after: "END:VEVENT\nEND:VCALENDAR\n"},
		"categories": {before: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", record: "CATEGORIES:%d\n", after: "END:VEVENT\nEND:VCALENDAR\n"},
		"properties": {before: "BEGIN:VCALENDAR\n", record: "A:%d\n", after: "END:VCALENDAR\n"},
		"calendars":  {record: "BEGIN:VCALENDAR\nX:%d\nEND:VCALENDAR\n"},
		"alarms":     {before: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", record: "BEGIN:VALARM\nEND:VALARM\n", after: "END:VEVENT\nEND:VCALENDAR\n"},
		"kinds":      {before: "BEGIN:VCALENDAR\n", record: "BEGIN:A%d\nEND:A%d\n", after: "END:VCALENDAR\n"},
	},
	"circuit": {
		"bare":        {record: "R1 0 0 1\n"},
		"numbered":    {record: "R%d 0 0 1\n"},
		"values":      {record: "R1 0 0 %d\n"},
		"instances":   {record: "X%d n%d a\n"},
		"seeded":      {record: "Vtank tank 0 DC %d\n"},
		"cells":       {record: ".subckt a%d\n.ends\n"},
		"cell":        {record: ".subckt a\n.ends\n"},
		"nested":      {record: ".subckt a\n"},
		"ports":       {before: ".subckt MFBLP", record: " p%d", after: "\n.ends\n"},
		"insides":     {before: ".subckt MFBLP in\n", record: "R%d a b 1\n", after: ".ends\n"},
		"nodes":       {before: "X1", record: " n%d", after: " a\n"},
		"parameters":  {before: ".param", record: " p%d=1", after: "\n"},
		"arguments":   {before: "M1 d g s b n", record: " p%d=1", after: "\n"},
		"points":      {before: "Vtank tank 0 PWL(", record: "%d 1 ", after: ")\n"},
		"continued":   {before: "Vtank tank 0 PWL(", record: "0 1\n+", after: ")\n"},
		"behind":      {before: "R1 a b 1", record: " ;\n +"},
		"commented":   {before: "R1 a b 1\n", record: "*\n+\n"},
		"quotes":      {before: "R1 a b ", record: "' a=1 ", after: "#\n"},
		"braces":      {before: "R1 a b ", record: "{", after: "\n"},
		"groups":      {before: ".ic ", record: "{}"},
		"parentheses": {before: ".ic ", record: "("},
		"digits":      {before: "R1 a b ", record: "12", after: "\n"},
		"comments":    {record: "* %d\n"},
		"commands":    {record: ".ic %d\n"},
		"models":      {record: ".model a%d D\n"},
		"control":     {before: ".control\n", record: "a %d\n", after: ".endc\n"},
		"lines":       {record: "%d\n"},
		"includes":    {record: ".include %d\n"},
	},
	"crystal": {
		"bare":        {before: "data_a\n", record: "loop_ _a%d 1\n"},
		"items":       {before: "data_a\n", record: "_a%d 1\n"},
		"blocks":      {record: "data_%d\n"},
		"same blocks": {record: "data_a\n"},
		"frames":      {before: "data_a\n", record: "save_%d\nsave_\n"},
		"open frames": {before: "data_a\n", record: "save_a\n"},
		"values":      {before: "data_a\nloop_\n_a\n", record: "1\n"},
		"numbers":     {before: "data_a\nloop_\n_a\n", record: "%d\n"},
		"ragged":      {before: "data_a\nloop_\n_a\n_b\n_c\n", record: "1\n2 %d\n", after: "1\n"},
		"columns":     {before: "data_a\nloop_\n", record: "_a%d\n", after: "1\n"},
		"sites":       {before: "data_a\nloop_\n_atom_site_label\n", record: "O%d\n"},
		"one site":    {before: "data_a\nloop_\n_atom_site_label\n_atom_site_fract_x\n", record: "O1 %d\n"},
		"bonds":       {before: "data_a\nloop_\n_geom_bond_atom_site_label_1\n_geom_bond_distance\n", record: "O%d 2\n"},
		"operations":  {before: "data_a\nloop_\n_symmetry_equiv_pos_as_xyz\n", record: "x,y,z+%d\n"},
		"authors":     {before: "data_a\nloop_\n_publ_author_name\n", record: "a%d\n"},
		"loops":       {before: "data_a\n", record: "loop_\n_a\n1\n\n"},
		"site loops":  {before: "data_a\n", record: "loop_\n_atom_site_label\n_a%d\nO1 1\n"},
		"scalars":     {before: "data_a\n", record: "_atom_site_a%d 1\n"},
		"comments":    {before: "data_a\n", record: "#%d\n"},
		"remarks":     {before: "data_a\nloop_\n_a\n", record: "1 #%d\n"},
		"lines":       {before: "data_a\n_a 1\n", record: "a%d\n"},
		"preface":     {record: "a%d\n", after: "data_a\n"},
		"text":        {before: "data_a\n_a\n;\n", record: "a%d\n", after: ";\n"},
		"journal":     {before: "data_a\n_journal_name_full\n;\n", record: "a%d\n", after: ";\n"},
		"open text":   {before: "data_a\n_a\n;\n", record: "%d\n"},
		"open texts":  {before: "data_a\n", record: "_a%d\n;\n"},
		"fields":      {before: "data_a\nloop_\n_a\n", record: ";\n;\n"},
		"short texts": {before: "data_a\n_a\n", record: ";1;\n"},
		"quotes":      {before: "data_a\nloop_\n_a\n", record: "'\n"},
		"quote line":  {before: "data_a\n_a ", record: "'a"},
		"brackets":    {before: "#\\#CIF_2.0\ndata_a\n_a ", record: "["},
		"parentheses": {before: "data_a\n_cell_length_a ", record: "1()("},
		"returns":     {before: "data_a\n_a\n;\n", record: "#\r;", after: "\n;\n"},
	},
	"dbschema": {
		"bare":        {record: "create table a(b);"},
		"tables":      {record: "create table a%d(b);"},
		"dropped":     {record: "drop table if exists a;create table a(b);"},
		"columns":     {before: "create table a(", record: "b%d int,", after: "c int);"},
		"seeded":      {before: "CREATE TABLE `cl_clients` (", record: "`client_id` int,", after: "c int);"},
		"keys":        {before: "create table cl_clients(client_id int", record: ",key k%d (client_id)", after: ");"},
		"unique":      {before: "create table cl_clients(client_id int", record: ",unique(client_id)", after: ");"},
		"conditions":  {before: "create table a(b int", record: ",check(b>%d)", after: ");"},
		"condition":   {before: "create table a(b int check(b in(1", record: ",%d", after: ")));"},
		"odd tables":  {record: "create table a%d(b int check(abs(b)>1));"},
		"members":     {before: "create table cl_clients(title enum('a'", record: ",'%d'", after: "));"},
		"options":     {before: "create table a(b int)", record: " a%d=1"},
		"indexes":     {before: "create table a(b int);", record: "create index i%d on a(b);"},
		"rows":        {before: "insert into a values (1)", record: ",(%d)", after: ";"},
		"statements":  {record: "set a=%d;"},
		"views":       {record: "create view v%d as select 1;"},
		"altered":     {before: "alter table a add b int", record: ",add c%d int", after: ";"},
		"references":  {before: "create table a(b int", record: ",foreign key(b) references a%d(b)", after: ");"},
		"constraints": {before: "create table a(b int", record: " constraint a%d foreign key (", after: ");"},
		"names":       {record: "key (create table drop table if exists a%d "},
		"comments":    {record: "-- %d\n"},
		"beside":      {before: "create table a(", record: "b%d int, -- a\n", after: "c int);"},
		"quotes":      {record: "create table `a%d (`b` int, c text default 'x);\n"},
		"blanks":      {record: ",\n \t\n"},
		"lines":       {record: "a %d\n"},
	},
	"earncall": {
		"bare":      {record: "Aa:\n"},
		"turns":     {record: "Aa:%d\n"},
		"seeded":    {record: "Operator: Thank you. %d\n"},
		"sentences": {record: "Aa:B. C. %d\n"},
		"cast":      {record: "Aa:\nAb:\nAc:\nAd:\nAe:\nAf:\nAg:\nAh:\nAi:\nAj:\nAk:\nAl:\n"},
		"one":       {before: "Operator: ", record: "word %d "},
		"said":      {before: "Operator: ", record: "A%d. "},
		"signs":     {before: "Operator: ", record: "!#$&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~ÄÖÜäöüß%d"},
		"wrapped":   {before: "Operator: ", record: "%d\n"},
		"amounts":   {before: "Operator: ", record: "$%d "},
		"scales":    {before: "Operator: ", record: "$%d million "},
		"commas":    {before: "Operator: $", record: "1,"},
		"digits":    {before: "Operator: $", record: "1", after: "a"},
		"points":    {before: "Operator: ", record: "1.1"},
		"stops":     {before: "Operator: ", record: "."},
		"headings":  {record: "Q&A\n"},
		"sections":  {record: "Q&A\nAa:%d\n"},
		"lists":     {record: "Executives\n%d\n"},
		"dashes":    {record: "A - %d\n"},
		"names":     {record: "A A A A A A A A A A\n"},
		"lines":     {record: "%d\n"},
	},
	"edifact": {
		"bare":         {record: "UNH+1+ORDRSP'UNT+2+1'"},
		"numbered":     {record: "UNH+%d+ORDRSP'UNT+2+%d'"},
		"envelopes":    {record: "UNB+UNOC:3+1+2+3:4+%d'UNZ+0+%d'"},
		"items":        {before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'", record: "LIN'", after: "UNT+1+1'"},
		"numbers":      {before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'", record: "LIN+%d'", after: "UNT+1+1'"},
		"articles":     {before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'", record: "LIN+++%d:EN'", after: "UNT+1+1'"},
		"descriptions": {before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'", record: "LIN'IMD+++:::ACER %d'", after: "UNT+1+1'"},
		"quantities":   {before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'LIN'", record: "QTY+%d:1'", after: "UNT+1+1'"},
		"parties":      {before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'", record: "NAD+%d'", after: "UNT+1+1'"},
		"contacts":     {before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'", record: "NAD+BY'CTA+%d'COM+1'", after: "UNT+1+1'"},
		"counts":       {before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'", record: "CNT+2:%d'", after: "UNT+1+1'"},
		"texts":        {record: "text %d'\n"},
		"sized":        {record: "UNH+1+O'LIN'LIN'UNT+2+1'UNH+2+O'LIN'UNT+2+1'"},
		"service":      {record: "UNA:+.? '"},
	},
	"genealogy": {
		"bare":        {record: "0 @I@ INDI\n"},
		"individuals": {record: "0 @I%d@ INDI\n"},
		"names":       {record: "0 @I%d@ INDI\n1 NAME %d\n"},
		"families":    {record: "0 @F%d@ FAM\n"},
		"husbands":    {before: "0 @I1@ INDI\n1 NAME Rasmus Jensen /Kroman/\n", record: "0 @F%d@ FAM\n1 HUSB @I1@\n"},
		"children":    {before: "0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n", record: "1 CHIL @I%d@\n"},
		"child":       {before: "0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n", record: "1 CHIL @I1@\n"},
		"claims":      {before: "0 @I1@ INDI\n", record: "1 FAMS @F%d@\n"},
		"claim":       {before: "0 @I1@ INDI\n", record: "1 FAMS @F1@\n"},
		"facts":       {before: "0 @I1@ INDI\n", record: "1 A %d\n"},
		"tags":        {before: "0 @I1@ INDI\n", record: "1 A%d\n"},
		"births":      {before: "0 @I1@ INDI\n", record: "1 BIRT %d\n"},
		"records":     {record: "0 @A%d@ A\n"},
		"record":      {record: "0 A\n"},
		"associated":  {before: "0 @I1@ INDI\n", record: "1 ASSO @I1@\n"},
		"continued":   {before: "0 @I1@ INDI\n1 NOTE\n", record: "2 CONC %d\n"},
		"lines":       {record: "a %d\n"},
		"header":      {before: "0 HEAD\n", record: "1 A %d\n"},
	},
	"geodata": {
		"bare":       {before: `{"type":"FeatureCollection","features":[`, record: `{},`, after: `{}]}`},
		"features":   {before: `{"type":"FeatureCollection","features":[`, record: `{"type":"Feature"},`, after: `{}]}`},
		"properties": {before: `{"type":"FeatureCollection","features":[`, record: `{"type":"Feature","properties":{"id":%d}},`, after: `{}]}`},
		"points":     {before: `{"type":"FeatureCollection","features":[`, record: `{"geometry":{"type":"Point","coordinates":[%d,1]}},`, after: `{}]}`},
		"members":    {before: `{"type":"FeatureCollection",`, record: `"%d":1,`, after: `"features":[]}`},
		"one":        {before: `{"type":"FeatureCollection","features":[{"properties":{"id":"CW01",`, record: `"%d":1,`, after: `"a":1}}]}`},
		"line":       {before: `{"type":"FeatureCollection","features":[{"properties":{"id":"CW01"},"geometry":{"type":"LineString","coordinates":[`, record: `[%d,1],`, after: `[1,1]]}}]}`},
		"ring":       {before: `{"type":"FeatureCollection","features":[{"properties":{"id":"CW01"},"geometry":{"type":"Polygon","coordinates":[[`, record: `[1,1],`, after: `[1,1]]]}}]}`},
		"holes":      {before: `{"type":"FeatureCollection","features":[{"properties":{"id":"CW01"},"geometry":{"type":"Polygon","coordinates":[`, record: `[[1,%d]],`, after: `[[1,1]]]}}]}`},
		"sequence":   {record: "{\"a\":%d}\n"},
		"lines":      {record: "a %d\n"},
	},
	"hamradio": {
		"bare":    {before: "x<EOH>", record: "<EOR>"},
		"calls":   {before: "x<EOH>", record: "<CALL:6>%06d<EOR>"},
		"call":    {before: "x<EOH>", record: "<CALL:6>EA1FCR<EOR>"},
		"near":    {before: "x<EOH>", record: "<CALL:6>EA1FCR<BAND:3>17m<COMMENT:6>%06d<EOR>"},
		"same":    {before: "x<EOH>", record: "<CALL:6>EA1FCR<BAND:3>17m<EOR>"},
		"dates":   {before: "x<EOH>", record: "<QSO_DATE:8>20230725<BAND:3>17m<CALL:6>%06d<EOR>"},
		"fields":  {before: "x<EOH>", record: "<A%06d:1>1", after: "<EOR>"},
		"header":  {before: "x", record: "<A%06d:1>1", after: "<EOH>"},
		"endless": {before: "x<EOH>", record: "<CALL:6>%06d<QSO_DATE:8>20230725"},
		"lines":   {before: "x<EOH>", record: "a %d\n"},
	},
	"makefile": {
		"bare":          {record: "a:\n"},
		"rules":         {record: "a%d:\n"},
		"rule":          {record: "help: a%d\n"},
		"targets":       {record: "a%d ", after: ": b\n"},
		"product":       {before: strings.Repeat("help ", 2) + strings.Repeat("a ", 2000) + "x: ", record: "b%d "},
		"variables":     {record: "A%d=1\n"},
		"appended":      {record: "A+=%d\n"},
		"simple":        {before: "A:=\n", record: "A+=%d\n"},
		"recipe":        {before: "help:\n", record: "\t%d\n"},
		"recipes":       {record: "help:\n\t%d\n"},
		"continued":     {before: "help:\n", record: "\t%d\\\n"},
		"chain":         {record: "a%d: b%d\n"},
		"patterns":      {before: "help: x\n", record: "%%d: y\n\tz\n"},
		"static":        {before: "x: y\n", record: "a%d: %: %\n"},
		"specific":      {record: "help: A%d=1\n"},
		"conditionals":  {record: "ifdef A%d\n"},
		"alternatives":  {before: "ifdef A\n", record: "else ifdef A%d\nx:\n"},
		"includes":      {record: "-include %d\n"},
		"phony":         {record: ".PHONY: a%d\n"},
		"references":    {before: "A=1\n", record: "B:=$(A)$(B%d)\n"},
		"reference":     {before: "A=1\nx:=", record: "$A$(A%d)"},
		"open":          {record: "$("},
		"opened":        {before: "all: ", record: "$(A ", after: strings.Repeat(")", 1000)},
		"definitions":   {record: "define a%d\nendef\n"},
		"calls":         {before: "f=\n", record: "$(call f,%d)\n"},
		"evaluated":     {record: "$(eval A%d=1)\n"},
		"prose":         {record: "a %d\n"},
		"blank recipes": {before: "help:\n", record: "  %d\n"},
	},
	"molecule": {
		"bare":     {record: "\n\n\n  0  0\nM  END\n$$$$\n"},
		"titles":   {record: "%d\n\n\n  0  0\nM  END\n$$$$\n"},
		"names":    {record: "\n\n\n  0  0\nM  END\n>  <ID>\nAS-%d\n\n$$$$\n"},
		"name":     {record: "\n\n\n  0  0\nM  END\n>  <ID>\nAS-001\n\n$$$$\n"},
		"rings":    {record: "%d\n\n\n  6  6\n" + strings.Repeat("    0.0000    0.0000    0.0000 C  \n", 6) + "  1  2  2\n  2  3  1\n  3  4  2\n  4  5  1\n  5  6  2\n  1  6  1\nM  END\n$$$$\n"},
		"atoms":    {before: "x\n\n\n999  0\n", record: "    0.0000    0.0000    0.0000 C  \n", after: "M  END\n"},
		"bonds":    {before: "x\n\n\n  2999\n" + strings.Repeat("    0.0000    0.0000    0.0000 C  \n", 2), record: "  1  2  1\n", after: "M  END\n"},
		"charges":  {before: "x\n\n\n  1  0\n    0.0000    0.0000    0.0000 C  \n", record: "M  CHG  1   1   1\n", after: "M  END\n"},
		"extended": {before: "x\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 BEGIN ATOM\n", record: "M  V30 %d C 0 0 0 0\n"},
		"fields":   {before: "x\n\n\n  0  0\nM  END\n>  <ID>\nAS-001\n\n", record: "> <A%d>\n1\n\n"},
		"field":    {before: "x\n\n\n  0  0\nM  END\n>  <ID>\nAS-001\n\n", record: "> <NOTE>\n%d\n\n"},
		"value":    {before: "x\n\n\n  0  0\nM  END\n>  <ID>\nAS-001\n\n> <NOTE>\n", record: "%d\n"},
		"headers":  {record: "> <>\n\n"},
		"ends":     {record: "$$$$\n"},
		"counts":   {record: "V2000\n"},
		"lines":    {record: "a %d\n"},
	},
	"python": {
		"bare":        {record: "a\n"},
		"names":       {record: "a%d = 1\n"},
		"renamed":     {record: "a%d = b%d\n"},
		"functions":   {record: "def f%d(): pass\n"},
		"function":    {record: "def load(): pass\n"},
		"one body":    {before: "def load():\n", record: " a(%d)\n"},
		"wrapper":     {before: "def run():\n", record: " a(%d)\n", after: "run()\n"},
		"wrappers":    {record: "def f%d(): pass\nf%d()\n"},
		"parameters":  {before: "def load(", record: "a%d, ", after: "): pass\n"},
		"decorators":  {record: "@a%d\n", after: "def load(): pass\n"},
		"table":       {before: "LANES = [", record: "%d, ", after: "]\n"},
		"texts":       {before: "a(", record: "'%d' ", after: ")\n"},
		"fields":      {before: "f'", record: "{a%d}", after: "'\n"},
		"comments":    {record: "# %d\n"},
		"comment":     {record: "a #%d\n"},
		"docstring":   {before: "'''", record: "%d\n", after: "'''\n"},
		"endless":     {record: "'''\n\"\"\"%d\n"},
		"unclosed":    {record: "a = (%d\n"},
		"commas":      {before: "a(", record: "(%d,),", after: ")\n"},
		"fors":        {before: "a = ", record: "for a%d "},
		"semicolons":  {record: "a;"},
		"imports":     {record: "import a%d\n"},
		"import":      {before: "import ", record: "a%d, ", after: "b\n"},
		"lines":       {record: "%d is no Python\n"},
		"escapes":     {before: "'", record: "\\x41", after: "'\n"},
		"blocks":      {record: "if a:\n if b:\n  c\n"},
		"definitions": {before: "class A:\n", record: " def f%d(self): pass\n"},
	},
	"robotics": {
		"bare":          {before: `<robot name="kulvert">`, record: "<link/>", after: "</robot>"},
		"links":         {before: `<robot name="kulvert">`, record: `<link name="a%d"/>`, after: "</robot>"},
		"joints":        {before: `<robot name="kulvert">`, record: `<joint name="a%d" type="fixed"><parent link="base_link"/></joint>`, after: "</robot>"},
		"visuals":       {before: `<robot name="kulvert"><link name="base_link">`, record: "<visual/>", after: "</link></robot>"},
		"named visuals": {before: `<robot name="kulvert"><link name="base_link">`, record: `<visual name="a%d"/>`, after: "</link></robot>"},
		"attributes":    {before: `<robot name="kulvert"><link name="base_link" `, record: `a%d="" `, after: "/></robot>"},
		"properties":    {before: `<robot name="kulvert"><gazebo>`, record: "<a%d>1</a%d>", after: "</gazebo></robot>"},
		"plugins":       {before: `<robot name="kulvert"><gazebo>`, record: `<plugin name="drive"/>`, after: "</gazebo></robot>"},
		"blocks":        {before: `<robot name="kulvert">`, record: "<gazebo/>", after: "</robot>"},
		"unknown":       {before: `<robot name="kulvert">`, record: "<a%d/>", after: "</robot>"},
		"numbers":       {before: `<robot name="kulvert"><link name="base_link"><inertial><origin xyz="`, record: "%d ", after: `"/></inertial></link></robot>`},
		"mesh":          {before: `<robot name="kulvert"><link name="base_link"><visual><geometry><mesh filename="`, record: "a%d", after: `"/></geometry></visual></link></robot>`},
		"comments":      {before: `<robot name="kulvert">`, record: "<!--%d-->", after: "</robot>"},
		"closing tags":  {before: `<robot name="kulvert">`, record: "<link></lnk>", after: "</robot>"},
		"open tags":     {record: "<a"},
		"open comments": {record: "<!--"},
		"text":          {before: "<robot>", record: "%d\n", after: "</robot>"},
	},
	"spreadsheet": {
		"bare":    {before: "Date,Invoice\n", record: ",\n"},
		"one":     {before: "a\n", record: "1\n"},
		"numbers": {before: "Date,Invoice\n", record: "%d\n"},
		"pairs":   {before: "Date,Invoice\n", record: "2023-04-03,%d\n"},
		"seeded":  {before: "Date,Invoice,Berth,Customer,Category,Item,Qty,Amount,Note\n", record: "2023-04-03,00%d,A3,R. Isbister,Berthing,Annual berth per m,7.6,656.64,\n"},
		"columns": {record: "%d,"},
		"wide":    {before: strings.Repeat("a,", 2000) + "\n", record: "%d\n"},
		"commas":  {record: strings.Repeat(",", 50) + "\n"},
	},
	"subtitles": {
		"bare":   {record: "0:0:0-->0:0:1\n\n\n"},
		"equal":  {record: "1\n0:0:0-->0:0:1\na\n\n"},
		"texts":  {record: "1\n0:0:0-->0:0:1\n%d\n\n"},
		"words":  {record: "1\n0:0:0-->0:0:1\n[engine rumbling] %d\n\n"},
		"seeded": {record: "1\n0:0:0-->0:0:1\n[engine rumbling]\n\n"},
		"times":  {record: "1\n00:00:%d --> 00:00:58,958\n[engine rumbling]\n\n"},
		"one":    {before: "1\n0:0:0-->0:0:1\n", record: "%d\n"},
		"blanks": {before: "1\n0:0:0-->0:0:1\n", record: "%d\n\n"},
	},
	"treebank": {
		"bare":      {record: "1\ta\n\n"},
		"words":     {record: "1\t%d\n\n"},
		"lemmas":    {record: "1\ta\tb\n\n"},
		"one":       {before: "# sent_id = tlt014-003\n# text = Where was your father's stage, Ambrose?\n", record: "1\ta\tb\n"},
		"forms":     {before: "# sent_id = tlt014-003\n# text = Where was your father's stage, Ambrose?\n", record: "1\t%d\tb\n"},
		"texts":     {record: "# text = Where was %d\n\n"},
		"comments":  {record: "#\n\n"},
		"comment":   {record: "# a%d = %d\n", after: "1\ta\tb\n"},
		"features":  {before: "1\ta\tb\tc\td\t", record: "a%d=1|", after: "b=1\n"},
		"sentences": {record: "# sent_id = %d\n1\ta\tb\n\n"},
		"lines":     {record: "a%d\n"},
	},
	"weather": {
		"bare":      {record: "METAR A\n"},
		"times":     {record: "METAR PANC %06dZ\n"},
		"same":      {before: "METAR OBSERVATIONS\n", record: "METAR PANC 281753Z %d\n"},
		"remarks":   {before: "METAR OBSERVATIONS\n", record: "METAR PANC 281753Z RMK %d\n"},
		"words":     {before: "METAR PANC 281753Z", record: " %d"},
		"remark":    {before: "METAR PANC 281753Z RMK", record: " a%d"},
		"weather":   {before: "METAR PANC 281753Z", record: " RA"},
		"slashes":   {before: "METAR PANC 281753Z ", record: "/"},
		"wrapped":   {before: "METAR PANC 281753Z\n", record: "%d\n"},
		"forecasts": {record: "TAF A%d\n"},
		"issued":    {before: "TAF FORECASTS\n", record: "TAF PANC %06dZ 2818/0124 1SM\n"},
		"forecast":  {before: "TAF FORECASTS\nTAF PANC 281735Z 2818/0124\n", record: "FM%06d 1SM\n"},
		"changes":   {before: "TAF FORECASTS\nTAF PANC 281735Z 2818/0124\n", record: "TEMPO\n"},
		"stations":  {before: "METAR A\nSTATIONS:", record: " A%d"},
		"header":    {before: "METAR A\n", record: "DTG: %d\n"},
		"titles":    {before: "METAR A\n", record: "TAF\n"},
		"lines":     {record: "(%d)\n"},
	},
}

type document struct{ before, record, after string }

// sized repeats the record until the document has about that many bytes.
func (d document) sized(bytes int) string {
	var b strings.Builder
	b.WriteString(d.before)
	for n := 0; b.Len() < bytes; n++ {
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(d.record, "%06d", fmt.Sprintf("%06d", n)), "%d", strconv.Itoa(n)))
	}
	b.WriteString(d.after)
	return b.String()
}

// BenchmarkContrived compares 5 MB of each contrived document with the seed, in
// both directions, and with itself. It reports CPU time, that of the garbage
// collector included.
func BenchmarkContrived(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as agentd has it
	for _, d := range All() {
		b.Run(d.Info().Name, func(b *testing.B) {
			seed := domaintest.Seed(b, d.Info().Name+"1")
			file := seed.Names()[0]
			for label, doc := range contrived[d.Info().Name] {
				b.Run(label, func(b *testing.B) {
					files := vfs.Files{file: doc.sized(5 << 20)}
					b.Run("candidate", func(b *testing.B) { compareTimed(b, d, seed, files) })
					b.Run("reference", func(b *testing.B) { compareTimed(b, d, files, seed) })
					b.Run("itself", func(b *testing.B) { compareTimed(b, d, files, files) })
				})
			}
		})
	}
}

func compareTimed(b *testing.B, d domains.Domain, reference, candidate vfs.Files) {
	start := cpuTime(b)
	for b.Loop() {
		d.Compare(reference, candidate)
	}
	b.ReportMetric(float64((cpuTime(b)-start).Milliseconds())/float64(b.N), "cpu-ms/op")
}

func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
