package viewer

import (
	"image"
	"path/filepath"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/internal/picture"
	"agentd/results"
	"agentd/vfs"
)

// grey is a picture of 16 by 16 pixels with one that is lighter.
func grey(t *testing.T, at int) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for i := range m.Pix {
		m.Pix[i] = 255 // alpha
		if i%4 < 3 {
			m.Pix[i] = 100
		}
	}
	m.Pix[4*at] = 110
	content, err := picture.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestPicturesAreShownSideBySideWithTheirDifference(t *testing.T) {
	t.Parallel()
	store, err := results.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	env := environments.Environment{
		Name: "image9", Domain: "image", Seed: vfs.Files{"scene.png": grey(t, 0)}, Targets: []string{"scene.png"},
		Edits: []environments.Edit{{Name: "mirror", Forward: "Mirror it.", Backward: "Flip it."}},
	}
	if err := store.PutContents(t.Context(), []string{env.Encode()}); err != nil {
		t.Fatal(err)
	}
	e, err := store.Begin(t.Context(), "pictures", results.Manifest{
		Models: []results.Model{{Name: "m"}}, Environments: map[string]string{env.Name: env.Hash()}, RoundTrips: 1, Repeats: 1,
	}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{store: store, experiment: e}
	s.relays, err = store.Plan(t.Context(), []results.Relay{{
		Experiment: e.ID, Model: "m", Policy: "direct", Environment: env.Name, Domain: "image", Repeat: 1, Schedule: []string{"mirror"},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.append(t, 0, results.Interaction{Output: vfs.Files{"mirrored.png": grey(t, 15)}},
		results.Interaction{Score: &results.Score{RS: 0.9, Strict: 0.5}, Output: vfs.Files{"scene.png": grey(t, 5)}})
	if s.Viewer, err = New(store, Options{Lookup: catalog.Lookup}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})

	page := s.get("/relays/1/2").Body.String()
	for _, want := range []string{
		`src="/relays/1/0/picture?name=scene.png"`, `src="/relays/1/2/picture?name=scene.png"`,
		`src="/relays/1/2/picture?name=scene.png&amp;since=0"`, "2 of 256 pixels changed",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the interaction lacks %s", want)
		}
	}
	if page := s.get("/relays/1").Body.String(); !strings.Contains(page, `src="/relays/1/0/picture?name=scene.png"`) || !strings.Contains(page, "@2, 90 %") {
		t.Error("the page of the relay has no montage")
	}
	answer := s.get("/relays/1/2/picture?name=scene.png&since=0")
	shown, err := picture.Decode(answer.Body.String())
	if err != nil || answer.Header().Get("Content-Type") != "image/png" {
		t.Fatalf("%d %s: %v", answer.Code, answer.Header(), err)
	}
	for i := range 256 {
		if got, want := shown.Pixels.Pix[4*i], map[int]uint8{0: 40, 5: 40}[i]; got != want {
			t.Errorf("pixel %d of the difference is %d, want %d", i, got, want)
		}
	}
	for _, path := range []string{"/relays/1/2/picture?name=no.png", "/relays/1/2/picture?name=../scene.png", "/relays/1/x/picture?name=scene.png", "/relays/1/1/picture?name=mirrored.png&since=0", "/relays/1/9/picture?name=scene.png"} {
		if got := s.get(path).Code; got != 404 {
			t.Errorf("%s: status %d, want 404", path, got)
		}
	}
}
