package catalog

import (
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// What a change made dangerous, and what protected a document and is gone, is a warning; what
// was so before is none, and no score knows of it.
func TestWarnings(t *testing.T) {
	t.Parallel()
	const (
		group = "resource \"aws_security_group\" \"web\" {\n  ingress {\n    from_port   = 22\n    to_port     = 22\n    cidr_blocks = [\"10.0.0.0/8\"]\n  }\n  egress {\n    cidr_blocks = [\"0.0.0.0/0\"]\n  }\n}\n"
		open  = "resource \"aws_security_group\" \"web\" {\n  ingress {\n    from_port   = 22\n    to_port     = 22\n    cidr_blocks = [\"0.0.0.0/0\"]\n  }\n  egress {\n    cidr_blocks = [\"0.0.0.0/0\"]\n  }\n}\n"
		rule  = "resource \"google_compute_firewall\" \"ssh\" {\n  source_ranges = [\"0.0.0.0/0\"]\n}\n"
		data  = "resource \"aws_db_instance\" \"db\" {\n  deletion_protection = true\n  storage_encrypted   = true\n}\n"
		bare  = "resource \"aws_db_instance\" \"db\" {\n  deletion_protection = false\n  publicly_accessible = true\n}\n"
		kept  = "resource \"aws_s3_bucket_versioning\" \"press\" {\n  versioning_configuration {\n    status = \"Enabled\"\n  }\n}\n"
		image = "FROM alpine:3 AS build\nRUN make\nFROM alpine:3\nCOPY --from=build /x /x\n"
		zone  = "$ORIGIN harbour.example.\n$TTL 300\n@ IN SOA ns1 admin 1 2 3 4 5\n@ NS ns1\nns1 A 10.0.0.1\n"
		mail  = "@ TXT \"v=spf1 mx -all\"\n_dmarc TXT \"v=DMARC1; p=reject\"\n@ CAA 0 issue \"ca.example\"\n"
	)
	for name, c := range map[string]struct {
		domain, file, before, after string
		want                        []string
	}{
		"a port is opened to the world":            {"infra", "main.tf", group, open, []string{"aws_security_group.web: ingress from everywhere, port 22"}},
		"it was open before":                       {"infra", "main.tf", open, open + data, nil},
		"egress to the world is usual":             {"infra", "main.tf", data, data + group, nil},
		"a firewall":                               {"infra", "main.tf", group, group + rule, []string{"google_compute_firewall.ssh: ingress from everywhere"}},
		"protections switched off":                 {"infra", "main.tf", data, bare, []string{"aws_db_instance.db: publicly accessible", "no longer: deletion protection of aws_db_instance.db", "no longer: encryption of aws_db_instance.db"}},
		"versions are not kept any more":           {"infra", "main.tf", kept, strings.Replace(kept, "Enabled", "Suspended", 1), []string{"no longer: versioning of aws_s3_bucket_versioning.press"}},
		"protections switched on":                  {"infra", "main.tf", bare, data, nil},
		"a document that is new":                   {"infra", "main.tf", "", open, []string{"aws_security_group.web: ingress from everywhere, port 22"}},
		"a user that is root now":                  {"docker", "Dockerfile", image + "USER app\n", image + "USER root\n", []string{"the last stage runs as root", "no longer: a user other than root in the last stage"}},
		"a user that is gone":                      {"docker", "Dockerfile", image + "USER app\n", image, []string{"no longer: a user other than root in the last stage"}},
		"root only for a while":                    {"docker", "Dockerfile", image + "USER app\n", image + "USER root\nRUN ls\nUSER app:app\n", nil},
		"root in another stage":                    {"docker", "Dockerfile", image + "USER app\n", "FROM alpine:3 AS build\nUSER root\nRUN make\nFROM alpine:3\nCOPY --from=build /x /x\nUSER app\n", nil},
		"a privileged build":                       {"docker", "Dockerfile", image, "FROM alpine:3 AS build\nRUN --security=insecure make\nFROM alpine:3\nCOPY --from=build /x /x\n", []string{"a privileged RUN in stage build (--security=insecure)"}},
		"mail that is no longer protected":         {"dns", "db.zone", zone + mail, zone, []string{"no longer: SPF record of harbour.example.", "no longer: DMARC policy of _dmarc.harbour.example.", "no longer: CAA records of harbour.example."}},
		"everyone may send":                        {"dns", "db.zone", zone + mail, zone + "@ TXT \"v=spf1 mx +all\"\n_dmarc TXT \"v=DMARC1; p=none\"\n@ CAA 0 issue \"ca.example\"\n", []string{"SPF record of harbour.example. lets everyone send (+all)", "no longer: DMARC policy of _dmarc.harbour.example."}},
		"an SPF record written in two parts":       {"dns", "db.zone", zone + mail, zone + "@ TXT \"v=spf1 \" \"mx -all\"\n_dmarc TXT \"v=DMARC1;p=quarantine\"\n@ CAA 0 issue \"ca.example\"\n", nil},
		"a document that is gone has no warnings":  {"infra", "main.tf", data, "", nil},
		"a domain that knows of nothing dangerous": {"accounting", "a.ledger", "2024-03-02 * Cafe\n    Food  12 EUR\n    Cash\n", "2024-03-02 * Cafe\n    Food  21 EUR\n    Cash\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, ok := Lookup(c.domain)
			if !ok {
				t.Fatal(c.domain)
			}
			files := func(text string) vfs.Files {
				if text == "" {
					return nil
				}
				return vfs.Files{c.file: text}
			}
			got := domains.Warnings(d, files(c.before), files(c.after))
			slices.Sort(got)
			want := slices.Clone(c.want)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
