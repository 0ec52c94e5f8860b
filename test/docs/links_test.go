package docs

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	picture = regexp.MustCompile(`(?:src|srcset)="([^"]+)"`)
	fence   = regexp.MustCompile("(?ms)^```.*?^```$|^    .*?$|`[^`\n]*`")
	heading = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
)

// texts are all pages by their names.
func texts(t *testing.T) map[string]string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for page := range strings.Lines(string(names)) {
		page = strings.TrimSpace(page)
		if strings.HasPrefix(page, "environments/builtin/") || strings.Contains(page, "/testdata/") || strings.HasPrefix(page, "policies/") {
			continue // documents and prompts, not pages
		}
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		all[page] = string(text)
	}
	return all
}

// Packages go into a virtual environment, which the page makes first: the system's own Python may be managed externally. An image has
// nothing else.
func TestPackagesAreInstalledIntoAVirtualEnvironment(t *testing.T) {
	t.Parallel()
	installs := regexp.MustCompile(`(?m)^ *(?:RUN )?(?:\S*/)?pip install\b`)
	found := 0
	for page, text := range texts(t) {
		for _, at := range installs.FindAllStringIndex(text, -1) {
			found++
			if line := text[at[0]:at[1]]; !strings.Contains(line, "RUN ") && !strings.Contains(text[:at[0]], "-m venv ") {
				t.Errorf("%s: %s stands before a virtual environment is made", page, strings.TrimSpace(line))
			}
		}
	}
	if found < 5 {
		t.Errorf("%d commands were found; there are more", found)
	}
}

// Every link of every page leads to a file that is there, and to a heading in it.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	all, count := texts(t), 0
	for page, whole := range all {
		text := fence.ReplaceAllString(whole, "")
		for _, match := range slices.Concat(link.FindAllStringSubmatch(text, -1), picture.FindAllStringSubmatch(text, -1)) {
			count++
			to, err := url.Parse(match[1])
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			if to.Scheme != "" {
				if to.Scheme != "https" && to.Scheme != "http" || to.Host == "" {
					t.Errorf("%s: %s is no address", page, match[1])
				}
				continue
			}
			file := page
			if to.Path != "" {
				file = filepath.Join(filepath.Dir(page), to.Path)
			}
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				t.Errorf("%s: %s leads nowhere", page, match[1])
				continue
			}
			if to.Fragment != "" && !slices.Contains(anchors(all[file]), to.Fragment) {
				t.Errorf("%s: %s has no heading #%s", page, file, to.Fragment)
			}
		}
	}
	if count < 100 {
		t.Errorf("%d links were found; there are more", count)
	}
}

// anchors are those of a page's headings.
func anchors(text string) (all []string) {
	for _, match := range heading.FindAllStringSubmatch(regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, ""), -1) {
		all = append(all, Anchor(match[1]))
	}
	return all
}
