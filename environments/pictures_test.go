package environments_test

import (
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

// The built-in environments of pictures: exact edits lead there and back, and doing
// nothing is no edit.
func TestPictures(t *testing.T) {
	t.Parallel()
	envs, err := environments.Pictures()
	if err != nil {
		t.Fatal(err)
	}
	bytes := 0
	for _, env := range envs {
		bytes += env.Seed.Bytes()
		d, ok := catalog.Lookup(env.Domain)
		if !ok {
			t.Fatalf("%s: domain %s is not built", env.Name, env.Domain)
		}
		stats, err := d.Statistics(env.Seed)
		if err != nil || stats.Counts[1].Value != "512x512" {
			t.Errorf("%s: %v, %v", env.Name, stats, err)
		}
		if len(env.Edits) < 6 || len(env.Distractors) > 0 {
			t.Errorf("%s: %d edits and %d distractors, want 6 and none", env.Name, len(env.Edits), len(env.Distractors))
		}
		exact := 0
		for _, edit := range env.Edits {
			oracle, ok := env.OracleFor(edit, d)
			if !ok {
				if edit.Summary == "" {
					t.Errorf("%s, %s: neither an oracle nor a description", env.Name, edit.Name)
				}
				continue
			}
			exact++
			there, err := oracle.Forward(env.Seed)
			if err != nil {
				t.Fatalf("%s, %s: %v", env.Name, edit.Name, err)
			}
			for _, target := range edit.Targets {
				if _, made := there[target]; !made {
					t.Errorf("%s, %s: %s is not made", env.Name, edit.Name, target)
				}
			}
			if noop, _ := domains.Expect(d, env.Seed, there).Score(env.Seed); noop > 0.5 {
				t.Errorf("%s, %s: doing nothing scores %.2f", env.Name, edit.Name, noop)
			}
			back, err := oracle.Backward(there)
			if err != nil {
				t.Fatalf("%s, %s: %v", env.Name, edit.Name, err)
			}
			if score := d.Compare(env.Seed, back); score.RS != 1 || score.Strict != 1 {
				t.Errorf("%s, %s: Value %v, Strict %v", env.Name, edit.Name, score.RS, score.Strict)
			}
		}
		if exact < 4 {
			t.Errorf("%s: %d exact edits, want 4 or more", env.Name, exact)
		}
	}
	if bytes > 3<<20 {
		t.Errorf("the pictures have %d bytes, more than 3 MB", bytes)
	}
}

// What is stored or exported of pictures is text, and gives the same bytes.
func TestPicturesAsText(t *testing.T) {
	t.Parallel()
	envs, err := environments.Pictures()
	if err != nil {
		t.Fatal(err)
	}
	env := envs[0]
	stored, err := environments.Decode(env.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if !stored.Seed.Equal(env.Seed) || stored.Hash() != env.Hash() {
		t.Error("a stored environment is not the same")
	}
	if _, err := vfs.FromTexts(vfs.Files{"a.png": "base64:?"}); err == nil {
		t.Error("malformed base64 was accepted")
	}
}
