package catalog

import (
	"fmt"
	"path"
	"runtime"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// TestCompareIsLinear is not parallel, since it counts what is allocated.
func TestCompareIsLinear(t *testing.T) {
	for _, d := range All() {
		if d.Info().Binary {
			continue // it is made no longer by joining another
		}
		t.Run(d.Info().Name, func(t *testing.T) {
			linear(t, d, domaintest.Seed(t, d.Info().Name+"1"))
		})
	}
}

// linear checks that comparing a document with a large well-formed one, many
// copies of itself in as many files, takes memory in proportion: twice the
// copies, less than three times the bytes. It counts what the whole program
// allocates, so nothing may run next to it. Time that takes no memory it does not
// see.
func linear(t *testing.T, d domains.Domain, document vfs.Files) {
	t.Helper()
	const size, most = 512 << 10, 3.0
	bytes := 0
	for _, content := range document {
		bytes += len(content)
	}
	n := 1 + size/bytes
	half, whole := allocated(d, document, copies(document, n)), allocated(d, document, copies(document, 2*n))
	if ratio := whole / half; ratio >= most {
		t.Errorf("%d copies take %.1f MB and %d copies %.1f MB, %.2f times as much, want less than %v times",
			n, half/1e6, 2*n, whole/1e6, ratio, most)
	}
}

// copies repeats the files of a document under numbered names.
func copies(document vfs.Files, n int) vfs.Files {
	all := vfs.Files{}
	for name, content := range document {
		ext := path.Ext(name)
		for k := range n {
			all[fmt.Sprintf("%s_%04d%s", strings.TrimSuffix(name, ext), k, ext)] = content
		}
	}
	return all
}

// allocated is the bytes that a comparison allocates.
func allocated(d domains.Domain, reference, candidate vfs.Files) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d.Compare(reference, candidate)
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}
