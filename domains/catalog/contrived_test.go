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
