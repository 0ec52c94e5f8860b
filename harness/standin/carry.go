package standin

import (
	"fmt"
	"path"
	"strings"

	"agentd/vfs"
)

// bundleMark begins the line before each of several documents that had to be
// carried in one file.
const bundleMark = "=== carried: "

// carry moves documents over to target names, so that carrying them again to
// the names they came from gives them back. One document takes the first
// target; several are bundled into it. The targets left over get a line that
// says so.
func carry(files vfs.Files, targets []string) vfs.Files {
	documents := unbundle(files)
	names := documents.Names()
	result := vfs.Files{}
	if returned := documents.Match(targets); len(names) > 1 && len(returned) == len(names) {
		result = returned
	} else if len(names) > 1 {
		var bundle strings.Builder
		for _, name := range names {
			bundle.WriteString(bundleMark + name + "\n" + documents[name])
		}
		result[concrete(targets[0], names[0])] = bundle.String()
	} else if len(names) == 1 {
		result[concrete(targets[0], names[0])] = documents[names[0]]
	}
	for i, target := range targets {
		if len(result.Match([]string{target})) == 0 {
			result[concrete(target, fmt.Sprintf("spare%d", i))] = spareText
		}
	}
	return result
}

const spareText = "=== nothing carried\n"

// unbundle takes bundles apart and leaves spare files out.
func unbundle(files vfs.Files) vfs.Files {
	apart := vfs.Files{}
	for _, name := range files.Names() {
		content := files[name]
		if content == spareText {
			continue
		}
		parts := strings.Split("\n"+content, "\n"+bundleMark)
		if first := strings.TrimPrefix(parts[0], "\n"); first != "" || len(parts) == 1 {
			apart[name] = first
		}
		for k, part := range parts[1:] {
			inner, text, _ := strings.Cut(part, "\n")
			if k < len(parts)-2 {
				text += "\n"
			}
			apart[inner] = text
		}
	}
	return apart
}

// concrete makes a file name of a target: a pattern takes a document's name in
// place of its wildcards.
func concrete(target, document string) string {
	if !strings.ContainsAny(target, "*?[") {
		return target
	}
	stem := strings.TrimSuffix(path.Base(document), path.Ext(document))
	dir := path.Dir(target)
	name := strings.ReplaceAll(path.Base(target), "*", stem)
	name = strings.NewReplacer("?", "x", "[", "", "]", "").Replace(name)
	return path.Join(dir, name)
}
