package catalog

import (
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// Tests leave domains out by these properties, so that they must be true.
func TestPropertiesOfDomains(t *testing.T) {
	t.Parallel()
	for _, d := range All() {
		info := d.Info()
		for _, name := range names(d) {
			if vfs.Binary(name) != info.Binary {
				t.Errorf("%s: binary is %v, and %s is a name of its", info.Name, info.Binary, name)
			}
		}
		if info.AnyText != (info.Category == domains.General) {
			t.Errorf("%s: any text is %v, the category %s", info.Name, info.AnyText, info.Category)
		}
		if info.AnyText && d.CheckReference(vfs.Files{names(d)[0]: "Any words.\n"}) != nil {
			t.Errorf("%s takes no text of any words", info.Name)
		}
	}
}
