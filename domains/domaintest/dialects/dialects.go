// Package dialects has small documents in forms of a format that the published reader may not read.
package dialects

import "agentd/internal/charset"

// Document is a document in one dialect of a format.
type Document struct {
	Domain, Name string
	Text         string    // in the bytes of its encoding, which is mostly UTF-8
	Harmless     [2]string // what a resave writes in another way, and how
	Damage       [2]string // what is damaged, and to what
}

// All are the documents by their titles: at least one for each form that the signs of a domain name.
func All() map[string]Document {
	return map[string]Document{
		"hledger": {"accounting", "club.journal", "; books of the boat club\n\n2016/1/5 * rope shop\n    expenses:rope   $12.00\n    assets:bank\n\n" +
			"2016/1/6 paint\n    expenses:paint  $7.50\n    assets:bank\n\n2016/1/9 berth\n    expenses:berth  $80.00\n    assets:bank\n",
			[2]string{"expenses:rope   $12.00", "expenses:rope     $12.00"}, [2]string{"$7.50", "$5.70"}},
		"hledger envelopes": {"accounting", "env.journal", "2016/1/1 * set up\n    (assets:bank:month:rope)       $-9.42\n    (assets:bank:free)           $500\n\n" +
			"2016/1/5 * rope shop\n    expenses:rope   $12.00\n    assets:bank\n    [assets:bank:month:rope]       $-12.00\n    [assets:bank:free]          $12.00\n",
			[2]string{"(assets:bank:free)           $500", "(assets:bank:free)  $500"}, [2]string{"$-12.00", "$12.00"}},
		"beancount": {"accounting", "books.beancount", "option \"title\" \"Boat club\"\n\n2024-01-01 open Assets:Bank EUR\n2024-01-01 open Expenses:Rope\n\n" +
			"2024-01-05 * \"Chandler\" \"Rope\"\n  Expenses:Rope  12.00 EUR\n  Assets:Bank\n\n2024-01-07 * \"Chandler\" \"Paint\"\n  Expenses:Rope  8.00 EUR\n  Assets:Bank\n\n" +
			"2024-02-01 balance Assets:Bank  -20.00 EUR\n",
			[2]string{"  Expenses:Rope  12.00 EUR", "    Expenses:Rope     12.00 EUR"}, [2]string{"-20.00", "20.00"}},
		"WebVTT": {"subtitles", "talk.vtt", "WEBVTT\n\nNOTE recorded at the pier\n\n00:01.000 --> 00:04.000 align:start\nThe tide turns at six.\n\n" +
			"2\n00:05.000 --> 00:09.000\n<v Mara>We leave at ten.\n- Not before.\n", [2]string{"00:01.000 --> 00:04.000", "00:00:01.000 --> 00:00:04.000"}, [2]string{"00:09.000", "00:08.000"}},
		"Fountain": {"screenplay", "pier.fountain", "Title: The Pier\nAuthor: Mara Lind\n\nEXT. PIER - DAY\n\nA boat lies at the pier.\n\nMARA\nWe leave at ten.\n\nCUT TO:\n\n" +
			"INT. CABIN - NIGHT\n\nIVO\n(tired)\nI bring bread.\n", [2]string{"A boat lies at the pier.\n\n", "A boat lies at the pier.\n\n\n"}, [2]string{"bread", "milk"}},
		"mol": {"molecule", "water.mol", "water\n  agentd  01012412002D\n\n  3  2  0  0  0  0            999 V2000\n    0.0000    0.0000    0.0000 O   0  0\n" +
			"    0.7570    0.5860    0.0000 H   0  0\n   -0.7570    0.5860    0.0000 H   0  0\n  1  2  1  0\n  1  3  1  0\nM  END\n",
			[2]string{"  agentd  01012412002D", "  other   02022412002D"}, [2]string{" 0.5860    0.0000 H   0  0\n   -", " 0.5860    0.0000 F   0  0\n   -"}},
		"SPICE of any extension": {"circuit", "pump.sp", "charge pump\nr1 1 2 10k\nc1 2 0 1p\nv1 1 0 5\n.tran 1n 1u\n.end\n", [2]string{"r1 1 2 10k", "R1 1 2 10K"}, [2]string{"10k", "20k"}},
		"extended M3U": {"playlist", "boat.m3u8", "#EXTM3U\n#EXTINF:123,Mara Lind - Slow Boat\nmusic/slow.mp3\n#EXTINF:201,Ivo - Tide\nmusic/tide.mp3\n",
			[2]string{"#EXTINF:123,Mara", "#EXTINF:123, Mara"}, [2]string{"201", "210"}},
		"M3U": {"playlist", "boat.m3u", "music/slow.mp3\nmusic/tide.mp3\nmusic/last.mp3\n", [2]string{"music/tide.mp3\n", "music/tide.mp3\n\n"}, [2]string{"tide", "ride"}},
		"mbox": {"emails", "pier.mbox", "From mara@pier.test Mon Jan  1 00:00:00 2024\nFrom: Mara <mara@pier.test>\nTo: Ivo <ivo@pier.test>\nSubject: Boat\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\nWe leave at ten.\n\n" +
			"From ivo@pier.test Mon Jan  1 01:00:00 2024\nFrom: Ivo <ivo@pier.test>\nTo: Mara <mara@pier.test>\nSubject: Re: Boat\nDate: Mon, 1 Jan 2024 01:00:00 +0000\n\nI bring bread.\n\n",
			[2]string{"Subject: Boat", "Subject:  Boat"}, [2]string{"bread", "milk"}},
		"VOTable in XML": {"starcatalog", "stars.xml", "<?xml version=\"1.0\"?>\n<VOTABLE version=\"1.3\">\n<RESOURCE><TABLE><FIELD name=\"id\" datatype=\"int\"/><FIELD name=\"mag\" datatype=\"float\"/>\n" +
			"<DATA><TABLEDATA><TR><TD>1</TD><TD>2.5</TD></TR><TR><TD>2</TD><TD>3.5</TD></TR></TABLEDATA></DATA></TABLE></RESOURCE>\n</VOTABLE>\n",
			[2]string{"<TR><TD>1</TD>", "<TR>\n  <TD>1</TD>"}, [2]string{"3.5", "3.7"}},
		"XSPF without a namespace": {"playlist", "boat.xspf", "<playlist version=\"0\"><trackList><track><title>Slow Boat</title><location>a.mp3</location></track><track><title>Tide</title></track></trackList></playlist>\n",
			[2]string{"<track><title>Tide", "<track>\n<title>Tide"}, [2]string{"Tide", "Ride"}},
		"KML 2.1": {"landmarks", "pier.kml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://earth.google.com/kml/2.1\"><Document>\n" +
			"<Placemark><name>Old Pier</name><Point><coordinates>1,2</coordinates></Point></Placemark>\n</Document></kml>\n", [2]string{"<Placemark><name>", "<Placemark>\n  <name>"}, [2]string{"1,2", "1,3"}},
		"KML without a namespace": {"landmarks", "pier.kml", "<kml><Placemark><name>Old Pier</name><Point><coordinates>1,2,0</coordinates></Point></Placemark></kml>\n",
			[2]string{"<Placemark><name>", "<Placemark>\n  <name>"}, [2]string{"Old", "New"}},
		"a zone of absolute names": {"dns", "a.test", "a.test.      3600 IN SOA ns1.a.test. admin.a.test. 1 1800 900 604800 86400\na.test.      3600 IN NS ns1.a.test.\nwww.a.test.  3600 IN A 192.0.2.1\n",
			[2]string{"www.a.test.  3600", "www.a.test. 3600"}, [2]string{"192.0.2.1", "192.0.2.9"}},
		"a zone of $GENERATE": {"dns", "db.pool", "$ORIGIN a.test.\n$TTL 3600\n$GENERATE 1-9 host-$ A 192.0.2.$\n$GENERATE 10-20 pool-$ CNAME host-$\n",
			[2]string{"host-$ A", "host-$  A"}, [2]string{"1-9", "1-8"}},
		"to-dos": {"calendar", "todo.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b//EN\r\nBEGIN:VTODO\r\nUID:1@a.test\r\nDTSTAMP:20240101T000000Z\r\nSUMMARY:Buy bread\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\n" +
			"DESCRIPTION:bread\r\nEND:VALARM\r\nEND:VTODO\r\nEND:VCALENDAR\r\n", [2]string{"SUMMARY:Buy bread", "SUMMARY:Buy \r\n bread"}, [2]string{"Buy bread", "Buy milk"}},
		"journals": {"calendar", "journal.ics", "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//a//b//EN\nBEGIN:VJOURNAL\nUID:1@a.test\nDTSTAMP:20240101T000000Z\nSUMMARY:The pier\nDESCRIPTION:Wind from the west.\nEND:VJOURNAL\nEND:VCALENDAR\n",
			[2]string{"SUMMARY:The pier\nDESCRIPTION:Wind from the west.\n", "DESCRIPTION:Wind from the west.\nSUMMARY:The pier\n"}, [2]string{"west", "east"}},
		"free times": {"calendar", "busy.ifb", "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//a//b//EN\nBEGIN:VFREEBUSY\nUID:1@a.test\nDTSTAMP:20240101T000000Z\nFREEBUSY:20240101T080000Z/PT1H\nEND:VFREEBUSY\nEND:VCALENDAR\n",
			[2]string{"UID:1@a.test\nDTSTAMP:20240101T000000Z\n", "DTSTAMP:20240101T000000Z\nUID:1@a.test\n"}, [2]string{"PT1H", "PT2H"}},
		"a dump of PostgreSQL": {"dbschema", "pg_dump.sql", "SET client_encoding = 'UTF8';\n\nCREATE FUNCTION public.tell(since date) RETURNS void\n    LANGUAGE plpgsql\n    AS $_$\nBEGIN\n  RAISE NOTICE 'CREATE TABLE x; %', since;\nEND\n$_$;\n\n" +
			"CREATE TABLE public.berth (\n    id integer NOT NULL,\n    label text\n);\n\nCOPY public.berth (id, label) FROM stdin;\n1\tnorth; it's cold\n2\t\\N\n\\.\n\n" +
			"ALTER TABLE ONLY public.berth\n    ADD CONSTRAINT berth_pkey PRIMARY KEY (id);\n\nCREATE TRIGGER told BEFORE UPDATE ON public.berth FOR EACH ROW EXECUTE FUNCTION public.tell();\n",
			[2]string{"    id integer NOT NULL,\n    label text\n", "  id integer NOT NULL, label text\n"}, [2]string{"it's cold", "it's warm"}},
		"a dump of MySQL": {"dbschema", "dump.sql", "-- MySQL dump\n/*!40101 SET NAMES utf8 */;\nDROP TABLE IF EXISTS `berth`;\nCREATE TABLE `berth` (\n  `id` int(11) NOT NULL AUTO_INCREMENT,\n  `label` varchar(160) DEFAULT NULL,\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB;\n\n" +
			"INSERT INTO `berth` VALUES (1,'north; it\\'s cold'),(2,NULL);\nDELIMITER ;;\nCREATE TRIGGER `told` BEFORE INSERT ON `berth` FOR EACH ROW BEGIN\n  SET NEW.label = UPPER(NEW.label);\n  SET @last = NEW.id;\nEND ;;\nDELIMITER ;\n",
			[2]string{"  `id` int(11)", "    `id`   int(11)"}, [2]string{"@last = NEW.id", "@last = NEW.label"}},
		"SQL Server": {"dbschema", "mssql.sql", "CREATE TABLE [dbo].[Berth]\n(\n    [Id] INT NOT NULL IDENTITY,\n    [Label] NVARCHAR(160) NOT NULL\n);\nGO\n\nCREATE TABLE [dbo].[Ship]\n(\n    [Id] INT NOT NULL\n);\nGO\n",
			[2]string{"    [Id] INT NOT NULL IDENTITY,", "  [Id]  INT NOT NULL IDENTITY,"}, [2]string{"NVARCHAR(160)", "NVARCHAR(80)"}},
		"semicolons and decimal commas": {"spreadsheet", "boote.csv", "Boot;Länge;Preis\nMöwe;7,50;1.200,00\nRobbe;9,25;2.400,50\nOtter;6,00;900,00\n", [2]string{"Möwe;7,50", "\"Möwe\";7,50"}, [2]string{"2.400,50", "2.400,55"}},
		"single quotes":                 {"spreadsheet", "boats.csv", "'boat','length','note'\n'Gull','7.5','white, ''fast'''\n'Seal','9.25','12\" mast'\n'Otter','6','old, grey'\n", [2]string{"'Otter','6'", "Otter,6"}, [2]string{"9.25", "9.26"}},
		"tabs":                          {"spreadsheet", "boats.tsv", "boat\tlength\tprice\nGull\t7.5\t1200\nSeal\t9.25\t2400\nOtter\t6\t900\n", [2]string{"Gull\t", "\"Gull\"\t"}, [2]string{"2400", "2500"}},
		"several documents of Kubernetes": {"json", "k8s.yaml", "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web-config\ndata:\n  COLOR: blue\n",
			[2]string{"COLOR: blue", "COLOR: \"blue\""}, [2]string{"blue", "red"}},
		"a workflow":           {"json", "ci.yml", "name: ci\non: [push]\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n", [2]string{"on: [push]", "on:\n  - push"}, [2]string{"push", "pull"}},
		"compose with anchors": {"json", "compose.yaml", "x-common: &common\n  restart: always\nservices:\n  web:\n    <<: *common\n    image: web:1.0\n  db:\n    <<: *common\n    image: db:2.0\n", [2]string{"image: web:1.0", "image: 'web:1.0'"}, [2]string{"db:2.0", "db:2.1"}},
		"mmCIF": {"crystal", "protein.cif", "data_9XYZ\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n" +
			"ATOM 1 N N 10.000 11.000 12.000\nATOM 2 C CA 11.000 11.500 12.500\n", [2]string{"ATOM 1 N N ", "ATOM  1  N  N  "}, [2]string{"12.500", "12.600"}},
		"LilyPond in Italian, by include": {"musicsheet", "a.ly", "\\version \"2.24.0\"\n\\include \"italiano.ly\"\nmelodia = \\relative do' { do4 re mi fa | sol2 la | si1 }\n\\score { \\new Staff \\melodia }\n",
			[2]string{"do4 re mi", "do4  re\n mi"}, [2]string{"sol2", "la2"}},
		"values of variables": {"infra", "terraform.tfvars", "region = \"eu\"\nzones  = [\"a\", \"b\"]\n", [2]string{"region = ", "region   = "}, [2]string{"\"eu\"", "\"us\""}},
		"GeoJSON in .json":    {"geodata", "w.geo.json", "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"n\":1},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}]}\n", [2]string{"\"n\":1", "\"n\": 1"}, [2]string{"[1,2]", "[1,3]"}},
		"GEDCOM in ANSEL":     {"genealogy", "family.gedcom", "0 HEAD\n1 SOUR a\n1 GEDC\n2 VERS 5.5\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME J\xe8urgen /\xa1\xf0ca/\n1 BIRT\n2 DATE 1 JAN 1900\n0 TRLR\n", [2]string{"1 NAME J\xe8urgen /", "1 NAME J\xe8urgen  /"}, [2]string{"J\xe8u", "J\xe2u"}},
		"GEDCOM in Latin-1":   {"genealogy", "family.ged", "0 HEAD\n1 SOUR a\n1 GEDC\n2 VERS 5.5\n1 CHAR ISO-8859-1\n0 @I1@ INDI\n1 NAME J\xfcrgen /M\xfcller/\n1 BIRT\n2 DATE 1 JAN 1900\n0 TRLR\n", [2]string{"rgen /M", "rgen  /M"}, [2]string{"J\xfc", "J\xfb"}},
	}
}

// Decoded is a text in UTF-8, as agentd reads a file; false if its encoding is not told.
func Decoded(text string) (string, bool) {
	encoding, ok := charset.Detect(text, "")
	decoded, exact := encoding.Decode(text)
	return decoded, ok && exact
}
