package e2e

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"html"
	"image"
	"image/color"
	"image/png"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"agentd/internal/look"
)

// mostPicture is the size in bytes that a picture of the README may have.
const mostPicture = 150_000

// The pictures of the README are made, light and dark, and are small. make screenshots names the
// folder for them in AGENTD_PICTURES and has the whole demonstration run first; without it a small
// one is run, and the pictures are kept nowhere.
func TestPicturesOfTheReadme(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("AGENTD_PICTURES")
	dir := t.TempDir()
	db, report := filepath.Join(dir, "x.db"), filepath.Join(dir, "report.html")
	demonstration := []string{"run", "--db", db, "--name", "demonstration"}
	if folder == "" {
		folder = t.TempDir()
		demonstration = append(demonstration, "--model", "sim:weak,sim:frontier", "--env", "accounting1,subtitles1", "--round-trips", "5")
	} else if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	summary, _ := run(t, nil, []string{"COLUMNS=100"}, agentd, demonstration...) // as wide as the pages show it
	run(t, nil, nil, agentd, "report", "--db", db, "--to", report)
	relay, number, _ := strings.Cut(worst(t, db), "/")
	origin := serve(t, db)
	file := func(path, fragment string) string {
		return (&url.URL{Scheme: "file", Path: path, Fragment: fragment}).String()
	}
	b := openBrowser(t)
	for _, picture := range []struct {
		name, address string
		width, height int64 // 0 for the height of the page
	}{
		{"overview", origin + "/experiments/demonstration", 1280, 800},
		{"report", file(report, "section-survival"), 1280, 850},
		{"relay", origin + "/relays/" + relay, 1280, 800},
		{"interaction", origin + "/relays/" + relay + "/" + number, 1280, 900},
		{"trust", file(terminal(t, dir, trusted(t, dir)), ""), 1280, 0},
	} {
		for scheme, suffix := range map[string]string{"light": "", "dark": "-dark"} {
			must(t, b, appear(window{picture.width, max(picture.height, 100), scheme}))
			must(t, b, chromedp.Navigate(picture.address))
			if picture.height == 0 {
				tall := must(t, b, chromedp.Evaluate[int64]("document.scrollingElement.scrollHeight"))
				must(t, b, appear(window{picture.width, tall, scheme}))
			}
			shot := small(t, must(t, b, chromedp.CaptureScreenshot()))
			if picture.name == "overview" {
				shot = described(shot, summary)
			}
			if len(shot) > mostPicture {
				t.Errorf("%s, %s: %d bytes, at most %d are good for a README", picture.name, scheme, len(shot), mostPicture)
			}
			if err := os.WriteFile(filepath.Join(folder, picture.name+suffix+".png"), shot, 0o644); err != nil {
				t.Error(err)
			}
		}
	}
}

// worst is the step of a relay on the ledger that lost the most, as "relay/number".
func worst(t *testing.T, db string) string {
	t.Helper()
	out, _ := run(t, nil, nil, agentd, "trace", "worst", "--db", db, "--arm", "sim:weak agentic", "--domain", "accounting")
	found := regexp.MustCompile(`agentd trace.* (\d+) (\d+)\n`).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("no step is named: %s", out)
	}
	return found[1] + "/" + found[2]
}

// trusted asks whether the editing of two documents can be handed over, and returns the command
// and what it says. The answer may be no.
func trusted(t *testing.T, dir string) string {
	t.Helper()
	for _, env := range builtin(t) {
		if !slices.Contains([]string{"accounting1", "subtitles1"}, env.Name) {
			continue
		}
		for name, content := range env.Seed {
			path := filepath.Join(dir, "documents", name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	arguments := []string{"trust", "documents", "--model", "sim:frontier"}
	command := exec.CommandContext(t.Context(), agentd, arguments...)
	command.Dir = dir
	out, err := command.Output()
	if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 3 && exit.ExitCode() != 5) { // not good enough, or not measured enough
		t.Fatalf("%v\n%s", err, out)
	}
	return "$ agentd " + strings.Join(arguments, " ") + "\n" + string(out)
}

// terminal writes a page that shows a text as a terminal would, and returns its path.
func terminal(t *testing.T, dir, said string) string {
	t.Helper()
	path := filepath.Join(dir, "terminal.html")
	page := fmt.Sprintf("<!DOCTYPE html><html lang=en><title>terminal</title><style>%s\nbody{max-width:none;padding:1.5rem} pre{font-size:0.925rem;padding:1.25rem;border:1px solid var(--line);margin:0}</style><pre>%s</pre>",
		look.Style(), html.EscapeString(said))
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// small encodes a picture again with the 256 colours that it has most of; others become the one
// that is nearest. Pages have few colours, so nothing is seen of it.
func small(t *testing.T, picture []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[color.Color]int{}
	bounds := full.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[full.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	few := image.NewPaletted(bounds, colours[:min(len(colours), 256)])
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			few.Set(x, y, full.At(x, y))
		}
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, few); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// described puts a text into a picture, as its Description (PNG, section 11.3.4.3): what it shows can be compared
// without looking at it.
func described(picture []byte, text string) []byte {
	const header = 8 + 25 // the signature and the first chunk, which must stay the first
	chunk := []byte("iTXtDescription\x00\x00\x00\x00\x00" + text)
	length := binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-len("iTXt")))
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk))
	return slices.Concat(picture[:header], length, chunk, sum, picture[header:])
}
