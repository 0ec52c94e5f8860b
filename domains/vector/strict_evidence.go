package vector

import (
	"slices"

	"agentd/domains"
	"agentd/vfs"
)

// evidence counts the drawn elements of drawings. The published reader takes the
// elements of any XML document for shapes, so the outermost one must be <svg>.
func evidence(files vfs.Files, elements []domains.Element) int {
	if !slices.ContainsFunc(elements, isDrawing) {
		return 0
	}
	return domains.OfKinds(counted)(files, elements)
}

func isDrawing(e domains.Element) bool { return e.Kind == drawingKind && e.Value("element") == "svg" }
