package environments_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/internal/charset"
	"agentd/internal/datafile"
	"agentd/vfs"
)

const inFrench = "date,payee,amount\n2024-03-01,Café Zoë,12.50\n2024-03-02,Crêperie,9.00\n2024-03-03,Épicerie,31.20\n2024-03-04,Gare de l'Est,4.80\n"

// A document of somebody's own is text to edits and policies, and is written to the disk in its own encoding.
func TestDocumentsKeepTheirEncodingsOnTheDisk(t *testing.T) {
	t.Parallel()
	d, err := catalog.Find("spreadsheet")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"windows-1252", "UTF-16LE-BOM", "UTF-16BE-BOM", "UTF-32LE-BOM"} {
		as, err := charset.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		content, err := as.Encode(inFrench)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "a.csv")
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var reader datafile.Reader
		documents, err := reader.Read(file, vfs.MaxFileBytes)
		if err != nil || documents["a.csv"] != inFrench {
			t.Fatalf("%s: read as %q, %v", name, documents, err)
		}
		env, err := environments.Own{Name: "own1", Documents: documents, Encodings: reader.Encodings, Edits: 3, Seed: 1}.Environment(d)
		if err != nil {
			t.Fatal(err)
		}
		if err := env.Save(filepath.Join(dir, "mine")); err != nil {
			t.Fatal(err)
		}
		if saved, err := os.ReadFile(filepath.Join(dir, "mine", "own1", "seed", "a.csv")); err != nil || string(saved) != content {
			t.Errorf("%s: saved as %q, %v", name, saved, err)
		}
		definition, err := os.ReadFile(filepath.Join(dir, "mine", "own1", "environment.yaml"))
		if err != nil || !strings.Contains(string(definition), "encodings:\n  a.csv: "+name+"\n") {
			t.Errorf("%s: environment.yaml does not say it: %v\n%s", name, err, definition)
		}
		loaded, err := environments.Load(filepath.Join(dir, "mine"))
		if err != nil {
			t.Fatal(err)
		}
		stored, err := environments.Decode(loaded[0].Encode())
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []environments.Environment{loaded[0], stored} {
			if got.Seed["a.csv"] != inFrench || !maps.Equal(got.Encodings, charset.Encodings{"a.csv": as}) {
				t.Errorf("%s: loaded as %q in %v", name, got.Seed["a.csv"], got.Encodings)
			}
		}
	}
}

// What environment.yaml says of an encoding is stronger than a guess.
func TestAnEncodingThatIsNamedIsTheOne(t *testing.T) {
	t.Parallel()
	const text = "name,place\nŽofie,Brno\n" // in windows-1252 the letter is another one, and as likely
	baltic, err := charset.Lookup("windows-1257")
	if err != nil {
		t.Fatal(err)
	}
	env := environments.Environment{
		Name: "own1", Domain: "spreadsheet", Licence: "CC0", Origin: "here", Seed: vfs.Files{"a.csv": text}, Targets: []string{"a.csv"},
		Encodings: charset.Encodings{"a.csv": baltic},
		Edits:     []environments.Edit{{Name: "e", Forward: "there", Backward: "back", Targets: []string{"b.csv"}}},
	}
	to := t.TempDir()
	if err := env.Save(to); err != nil {
		t.Fatal(err)
	}
	loaded, err := environments.Load(to)
	if err != nil || loaded[0].Seed["a.csv"] != text {
		t.Errorf("%v, %v", loaded, err)
	}
	env.Encodings = charset.Encodings{"b.csv": baltic}
	if err := env.Save(t.TempDir()); err == nil || !strings.Contains(err.Error(), "b.csv, which is no document") {
		t.Errorf("an encoding of no document: %v", err)
	}
	env.Encodings, env.Seed = charset.Encodings{"a.csv": baltic}, vfs.Files{"a.csv": "name\n日本\n"}
	if err := env.Save(t.TempDir()); err == nil || !strings.Contains(err.Error(), "a.csv is in windows-1257, which does not have the letter '日'") {
		t.Errorf("a letter that the encoding does not have: %v", err)
	}
}
