package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser opens pages in Chromium and collects what it complains of and asks for.
type browser struct {
	ctx context.Context
	mu  sync.Mutex
	// complaints are errors and warnings on the console, requests the addresses
	// asked for.
	complaints, requests []string
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("chromium is not installed; run: sh test/scripts/install.sh test (make test does)")
	}
	// A test's own folder has a name that is too long for the browser's socket.
	folder, err := os.MkdirTemp("", "c")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, // its sandbox needs rights that a container may not give
		chromedp.UserDataDir(t.TempDir()), chromedp.Env("TMPDIR="+folder), chromedp.WSURLReadTimeout(time.Minute))
	allocated, stop := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, closeTab := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits until the browser has ended
		closeTab()
		stop()
	})
	b := &browser{ctx: ctx}
	if err := chromedp.Listen(ctx, b.heard); err != nil {
		t.Fatal(err)
	}
	must(t, b, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{})
		return err
	}))
	return b
}

func (b *browser) heard(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" {
			b.complaints = append(b.complaints, fmt.Sprintf("%s: %s", e.Type, e.Args[0].Value))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			b.complaints = append(b.complaints, e.Entry.Text)
		}
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

// must does something in the browser and returns what comes of it.
func must[T any](t *testing.T, b *browser, action chromedp.Action[T]) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 3*time.Minute)
	defer cancel()
	result, err := chromedp.Run(ctx, action)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// window is what a page is shown in.
type window struct {
	width, height int64 // in pixels
	scheme        string
}

// windows are those that every page is tried in: a phone, a tablet, and a small laptop, of
// which one is dark.
var windows = []window{{400, 720, "light"}, {800, 900, "light"}, {1280, 720, "light"}, {1280, 720, "dark"}}

// appear sets the window and the colour scheme that the page is told of.
func appear(w window) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: w.width, Height: w.height, DeviceScaleFactor: 1, Mobile: w.width < 600,
		})
		if err != nil {
			return err
		}
		_, err = cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: w.scheme}},
		})
		return err
	})
}

// violation is what axe-core finds wrong on a page.
type violation struct {
	ID, Impact, Help string
	Nodes            []struct{ HTML, FailureSummary string }
}

// allLoaded waits for the pictures of a page, also for those that are not in view.
const allLoaded = `Promise.all([...document.images].map(picture => { picture.loading = 'eager'; return picture.decode().catch(() => {}) })).then(() => {})`

// cutOff lists what does not fit its place: what reaches beyond the window, tables that have
// to be scrolled, and texts that are longer than a box which hides the rest. What is folded away or
// meant to be hidden has no place.
const cutOff = `[...document.body.querySelectorAll('*')].flatMap(e => {
	const style = getComputedStyle(e), box = e.getBoundingClientRect();
	if (box.width === 0 || box.right < 0 || !e.checkVisibility()) return [];
	const name = e.tagName + ' ' + (e.getAttribute('class') || '') + ': ' + e.textContent.trim().slice(0, 60);
	if (box.right > innerWidth + 1) return ['beyond the window: ' + name];
	if (style.overflowX !== 'visible' && !(e instanceof SVGElement) && e.scrollWidth > e.clientWidth + 1 && e.tagName !== 'INPUT') return ['has to be scrolled: ' + name];
	return [];
}).slice(0, 5)`

// hidden lists cells of tables that a reader cannot see at this width, save moments of a series, which a
// fold-out has, and equal lines of a diff, which are shown once.
const hidden = `[...document.querySelectorAll('main td')].filter(e => e.textContent.trim() && !e.classList.contains('more') &&
	!e.closest('details:not([open]), .diff') && !e.checkVisibility()).map(e => (e.dataset.label || '') + ' ' + e.textContent.trim()).slice(0, 5)`

// headline says where the number that a page is about ends, from the top of the window; 0
// if the page has none.
const headline = `(e => e ? e.getBoundingClientRect().bottom : 0)(document.querySelector('[data-headline]'))`

// look opens a page in all windows and checks what holds for every page. about says that
// it is about a number, which has to be seen without scrolling.
func (b *browser) look(t *testing.T, axe, address, origin, picture string, about bool) {
	t.Helper()
	b.mu.Lock()
	b.complaints, b.requests = nil, nil
	b.mu.Unlock()
	grounds := map[string]string{}
	for _, w := range windows {
		complain := func(format string, arguments ...any) {
			t.Helper()
			t.Errorf("%s, %s, %d wide: %s", address, w.scheme, w.width, fmt.Sprintf(format, arguments...))
		}
		must(t, b, appear(w))
		must(t, b, chromedp.Navigate(address))
		if bottom := must(t, b, chromedp.Evaluate[float64](headline)); about && (bottom <= 0 || bottom > float64(w.height)) {
			complain("its number ends %.0f pixels below the top of a window of %d", bottom, w.height)
		}
		if cut := must(t, b, chromedp.Evaluate[[]string](cutOff)); len(cut) > 0 {
			complain("cut off: %q", cut)
		}
		allSeen := func() {
			if cells := must(t, b, chromedp.Evaluate[[]string](hidden)); len(cells) > 0 {
				complain("cells are hidden: %q", cells)
			}
		}
		allSeen()
		must(t, b, chromedp.Evaluate[chromedp.Void](allLoaded, chromedp.EvalAwaitPromise))
		shot := must(t, b, chromedp.FullScreenshot(100))
		must(t, b, chromedp.Evaluate[chromedp.Void]("document.querySelectorAll('details').forEach(d => d.open = true)"))
		allSeen() // tables of many moments have to be scrolled there
		if overflow := must(t, b, chromedp.Evaluate[int]("document.scrollingElement.scrollWidth - document.documentElement.clientWidth")); overflow > 0 {
			complain("%d pixels wider than the window", overflow)
		}
		if page := must(t, b, chromedp.Evaluate[string]("document.documentElement.outerHTML")); strings.Contains(page, "%!") {
			complain("a value is printed as what it is not: %q", page[strings.Index(page, "%!"):][:40])
		}
		must(t, b, chromedp.Evaluate[chromedp.Void](axe))
		found := must(t, b, chromedp.Evaluate[[]violation]("axe.run({resultTypes: ['violations']}).then(r => r.violations)", chromedp.EvalAwaitPromise))
		for _, v := range found {
			complain("%s (%s): %s: %s", v.ID, v.Impact, v.Help, v.Nodes[0].HTML)
		}
		grounds[w.scheme] = must(t, b, chromedp.Evaluate[string]("getComputedStyle(document.body).backgroundColor"))
		file := filepath.Join(t.ArtifactDir(), fmt.Sprintf("%s-%s-%d.png", picture, w.scheme, w.width))
		if err := os.WriteFile(file, shot, 0o644); err != nil {
			t.Error(err)
		}
	}
	if grounds["light"] == grounds["dark"] {
		t.Errorf("%s has the same ground in light and dark: %s", address, grounds["light"])
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.complaints = slices.DeleteFunc(b.complaints, func(said string) bool {
		return picture == "not-found" && strings.Contains(said, "status of 404") // the browser says so itself
	})
	if len(b.complaints) > 0 {
		t.Errorf("%s: the console says %q", address, b.complaints)
	}
	for _, request := range b.requests {
		if !strings.HasPrefix(request, origin) && !strings.HasPrefix(request, "data:") {
			t.Errorf("%s asks for %s", address, request)
		}
	}
}

// serve starts agentd serve and returns its address without the last slash.
func serve(t *testing.T, db string) string {
	t.Helper()
	command := exec.Command(agentd, "serve", "--db", db, "--listen", "127.0.0.1:0")
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		if err := command.Wait(); err != nil {
			t.Errorf("agentd serve: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimSpace(line), "/")
}

func TestEveryPageInABrowser(t *testing.T) {
	t.Parallel()
	installed(t, ".", "axe-core")
	axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, file := filepath.Join(dir, "x.db"), filepath.Join(dir, "report.html")
	run(t, nil, nil, agentd, "run", "--db", db, "--name", "small", "--model", "sim:weak,sim:frontier", "--policy", "agentic,direct",
		"--env", "accounting1,subtitles1", "--round-trips", "12", "--repeats", "2", "--trace", "full", "--max-usd", "1000")
	run(t, nil, nil, agentd, "report", "--db", db, "--format", "html", "--to", file)
	origin := serve(t, db)
	b := openBrowser(t)
	for _, page := range []struct {
		picture, path string
		about         bool // a number
	}{
		{"experiments", "/", true}, {"experiment", "/experiments/small", true}, {"matrix", "/experiments/small/matrix", true}, {"relay", "/relays/1", true},
		{"forward", "/relays/1/1", true}, {"backward", "/relays/1/4", true}, {"two-arms", "/relays/1/4?against=relay-2", true},
		{"search", "/search?tool=run_python", false}, {"not-found", "/relays/9999", false}, {"nothing", "/search?tool=none", false},
	} {
		b.look(t, string(axe), origin+page.path, origin+"/", page.picture, page.about)
	}
	report := (&url.URL{Scheme: "file", Path: file}).String()
	b.look(t, string(axe), report, report, "report", true)
	b.folded(t, origin+"/experiments/small")
}

// folded checks that the page of an experiment takes three screens of a laptop, and that an address
// of a folded section opens it.
func (b *browser) folded(t *testing.T, address string) {
	t.Helper()
	const height = 800
	must(t, b, appear(window{1280, height, "light"}))
	must(t, b, chromedp.Navigate(address))
	if tall := must(t, b, chromedp.Evaluate[int]("document.scrollingElement.scrollHeight")); tall > 3*height {
		t.Errorf("%s is %d pixels high, more than three screens", address, tall)
	}
	must(t, b, chromedp.Navigate(address+"#section-failures"))
	must(t, b, chromedp.Poll[chromedp.Void]("document.querySelector('#section-failures').checkVisibility({contentVisibilityAuto: true})"))
}

// shownPictures brings each picture of a page into view, waits until it is decoded, and returns
// what is wrong with how it is shown. A picture is an img, or a figure drawn by the page itself.
const shownPictures = `(async (wanted) => {
	const faults = [], found = [];
	for (const folded of document.querySelectorAll('details')) folded.open = true; // as a reader does
	for (const picture of document.querySelectorAll('img, figure svg:not(svg svg)')) {
		const drawings = [...(picture.closest('figure') || picture).querySelectorAll('svg:not(svg svg)')];
		if (!picture.checkVisibility() && drawings.some(other => other.checkVisibility())) continue; // it is drawn for other widths
		const name = picture.alt || picture.getAttribute('aria-label') || '(without a name)';
		found.push(name);
		picture.scrollIntoView({block: 'center'});
		if (picture.tagName === 'IMG') {
			try { await picture.decode() } catch (e) { faults.push(name + ': ' + e.message); continue }
			if (!picture.complete || picture.naturalWidth === 0) faults.push(name + ' is not loaded');
			const box = picture.getBoundingClientRect();
			const ratio = box.width / box.height * picture.naturalHeight / picture.naturalWidth;
			if (Math.abs(ratio - 1) > 0.02) faults.push(name + ' is distorted: ' + box.width + ' by ' + box.height);
		}
		const parts = [picture, ...picture.querySelectorAll('text')].filter(part => part.checkVisibility());
		if (!parts.includes(picture)) faults.push(name + ' is hidden');
		for (const part of parts) {
			const box = part.getBoundingClientRect();
			if (part === picture && (box.width < 100 || box.height < 40)) faults.push(name + ' is ' + box.width + ' by ' + box.height);
			if (box.left < 0 || box.right > document.documentElement.clientWidth + 0.5) {
				faults.push(name + ', ' + (part.textContent.trim() || 'the picture') + ' lies from ' + box.left + ' to ' + box.right);
			}
			for (let around = part.parentElement; around && around.tagName !== 'BODY'; around = around.parentElement) {
				const outer = around.getBoundingClientRect();
				if (getComputedStyle(around).overflow !== 'visible' && (box.left < outer.left - 0.5 || box.right > outer.right + 0.5 || box.bottom > outer.bottom + 0.5)) {
					faults.push(name + ' is cut off by a ' + around.tagName + ' at ' + (part.textContent.trim() || 'its edge') + ': ' + [box.left - outer.left, outer.right - box.right, outer.bottom - box.bottom].map(Math.round));
				}
			}
		}
	}
	for (const name of wanted) if (!found.some(one => one.includes(name))) faults.push('there is no picture ' + name + ' but ' + found.join('; '));
	return faults;
})(%s)`

// A report of pictures shows the figure of Table 8, the page of a relay its montage, and that
// of an interaction its pictures before and after, with their difference.
func TestPicturesInABrowser(t *testing.T) {
	t.Parallel()
	installed(t, ".", "axe-core")
	axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, file := filepath.Join(dir, "x.db"), filepath.Join(dir, "report.html")
	run(t, nil, nil, agentd, "run", "--db", db, "--name", "pictures", "--model", "sim:weak", "--policy", "direct", "--env", "image1", "--round-trips", "3")
	run(t, nil, nil, agentd, "report", "--db", db, "--section", "images", "--to", file)
	origin := serve(t, db)
	b := openBrowser(t)
	report := (&url.URL{Scheme: "file", Path: file}).String()
	for picture, page := range map[string]struct {
		address, origin string
		wanted          []string // parts of the pictures' names
	}{
		"table-8":        {report, report, []string{"Table 8", "Strict@k"}},
		"montage":        {origin + "/relays/1", origin + "/", []string{"the picture, seed", "the picture, @2", "the picture, @4", "the picture, @6"}},
		"before-after":   {origin + "/relays/1/2", origin + "/", []string{"before", "after", "difference"}},
		"last-of-relay":  {origin + "/relays/1/6", origin + "/", []string{"before", "after", "difference"}},
		"forward-drawn":  {origin + "/relays/1/1", origin + "/", []string{"after"}},
		"table-8-served": {origin + "/experiments/pictures", origin + "/", []string{"Table 8"}},
	} {
		b.look(t, string(axe), page.address, page.origin, picture, false)
		wanted, err := json.Marshal(page.wanted)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range windows {
			must(t, b, appear(w))
			must(t, b, chromedp.Navigate(page.address))
			for _, fault := range must(t, b, chromedp.Evaluate[[]string](fmt.Sprintf(shownPictures, wanted), chromedp.EvalAwaitPromise)) {
				t.Errorf("%s, %s, %d wide: %s", page.address, w.scheme, w.width, fault)
			}
		}
	}
}

// The page of experiments follows one that runs, without a reload.
func TestTheBrowserFollowsARunningExperiment(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	arguments := []string{"run", "--db", db, "--name", "long", "--model", "sim:weak", "--policy", "direct", "--env", "accounting1", "--round-trips", "3000"}
	command := exec.Command(agentd, arguments...)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Signal(os.Interrupt); _ = command.Wait() })
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if out, _ := exec.Command(agentd, "export", "--db", db).Output(); len(out) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing is stored")
		}
	}
	b := openBrowser(t)
	must(t, b, chromedp.Navigate(serve(t, db)+"/"))
	const stored = `document.querySelector('[data-live$=" stored"]').textContent`
	before := must(t, b, chromedp.Evaluate[string]("window.same = 'the same page'; "+stored))
	must(t, b, chromedp.Poll[chromedp.Void](fmt.Sprintf("%s !== %q", stored, before)))
	if same := must(t, b, chromedp.Evaluate[string]("window.same || 'another page'")); same != "the same page" {
		t.Errorf("it is %s", same)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.complaints) > 0 {
		t.Errorf("the console says %q", b.complaints)
	}
}
