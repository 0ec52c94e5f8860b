package standin

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/internal/picture"
	"agentd/models/sim"
	"agentd/vfs"
)

func pictures(t *testing.T) []environments.Environment {
	t.Helper()
	envs, err := environments.Pictures()
	if err != nil {
		t.Fatal(err)
	}
	return envs
}

// run runs a script on files and returns what it leaves.
func run(t *testing.T, program string, files vfs.Files) vfs.Files {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("python3", "-I", "-c", program)
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	left := vfs.Files{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		raw, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		left[entry.Name()] = string(raw)
	}
	return left
}

// small cuts a corner off a scene, so that scripts are quick.
func small(t *testing.T, files vfs.Files) vfs.Files {
	t.Helper()
	p, err := picture.Decode(files["scene.png"])
	if err != nil {
		t.Fatal(err)
	}
	corner := p.Pixels.Rect
	corner.Max.X, corner.Max.Y = 64, 48
	content, err := picture.Encode(p.Pixels.SubImage(corner))
	if err != nil {
		t.Fatal(err)
	}
	return vfs.Files{"scene.png": content}
}

// Scripts make the pixels that exact programs make, there and back.
func TestScriptsDoWhatOraclesDo(t *testing.T) {
	t.Parallel()
	d, _ := catalog.Lookup("image")
	seen := map[string]bool{}
	for _, env := range pictures(t) {
		seed := small(t, env.Seed)
		for _, edit := range env.Edits {
			if edit.Oracle.IsZero() || seen[edit.Name] {
				continue
			}
			seen[edit.Name] = true
			t.Run(edit.Name, func(t *testing.T) {
				t.Parallel()
				oracle, ok := env.OracleFor(edit, d)
				if !ok {
					t.Fatalf("there is no oracle %v", edit.Oracle)
				}
				index := NewIndex([]environments.Environment{env}, catalog.Lookup)
				want, err := oracle.Forward(seed)
				if err != nil {
					t.Fatal(err)
				}
				there := scripted(t, index, edit.Forward, seed, edit.Targets)
				same(t, d, want, there)
				same(t, d, seed, scripted(t, index, edit.Backward, there, env.Targets))
			})
		}
	}
	if len(seen) < 12 {
		t.Errorf("%d exact edits, want 12 or more", len(seen))
	}
}

// scripted does a step by the script of a stand-in.
func scripted(t *testing.T, index *Index, instruction string, files vfs.Files, targets []string) vfs.Files {
	t.Helper()
	job, ok := index.Find(instruction, files.Names(), targets)
	if !ok {
		t.Fatal("the instruction is not found")
	}
	return run(t, job.Program(files.Names(), "", sim.Damage{}), files)
}

func same(t *testing.T, d domains.Domain, want, got vfs.Files) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("files %v, want %v", got.Names(), want.Names())
	}
	for name, content := range want {
		if score := d.Compare(vfs.Files{name: content}, vfs.Files{name: got[name]}); score.Strict != 1 {
			t.Errorf("%s: %v", name, d.Differences(vfs.Files{name: content}, vfs.Files{name: got[name]}))
		}
	}
}

// Every kind of harm alters a picture, and a worse profile alters it more.
func TestPicturesAreHarmedAtTheProfilesRates(t *testing.T) {
	t.Parallel()
	d, _ := catalog.Lookup("image")
	seed := small(t, pictures(t)[0].Seed)
	mean := func(drop float64) float64 {
		total := 0.0
		const runs = 60
		for i := range uint64(runs) {
			damage := sim.Damage{Drop: drop, Random: rand.New(rand.NewPCG(i, 3))}
			total += d.Compare(seed, spoil(d, seed, damage)).RS / runs
		}
		return total
	}
	frontier, weak := mean(0.001), mean(0.01)
	if frontier >= 1 || weak >= frontier || weak < 0.4 {
		t.Errorf("frontier keeps %.3f, weak %.3f", frontier, weak)
	}
	p, err := picture.Decode(seed["scene.png"])
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []harm{{"noise", 4, 1}, {"shift", 4, 1}, {"blur", 1, 1}, {"region", 0.2, 1}, {"jpeg", 60, 1}} {
		change, ok := picture.Compare(p, &picture.Picture{Pixels: h.on(p.Pixels)})
		if !ok || change.Changed == 0 {
			t.Errorf("%s changes nothing", h.Kind)
		}
	}
}

func TestAnEditOfPicturesWithoutAProgramIsARenaming(t *testing.T) {
	t.Parallel()
	env := pictures(t)[0]
	index := NewIndex([]environments.Environment{env}, catalog.Lookup)
	for _, edit := range env.Edits {
		if !edit.Oracle.IsZero() {
			continue
		}
		job, _ := index.Find(edit.Forward, env.Seed.Names(), edit.Targets)
		made := job.Do(env.Seed, sim.Damage{})
		if len(made) != 1 || made[edit.Targets[0]] != env.Seed["scene.png"] {
			t.Errorf("%s makes %v", edit.Name, vfs.Files(made).Names())
		}
	}
}
