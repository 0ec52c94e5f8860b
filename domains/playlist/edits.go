package playlist

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// documentFile is the file that every backward step leaves.
const documentFile = "slow_boat.xspf"

// frameFile is the playlist without its tracks, where they are elsewhere.
const frameFile = "frame.xspf"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_decade", Forward: splitByDecade, Backward: mergeDecades},
		{Name: "twenty_minute_sets", Forward: toSets, Backward: fromSets},
		{Name: "show_notes", Forward: toNotes, Backward: fromNotes},
		{Name: "track_table", Forward: toTable, Backward: fromTable},
		{Name: "jspf", Forward: toJSPF, Backward: fromJSPF},
		{Name: "clock_times", Forward: toClockTimes, Backward: fromClockTimes},
		{Name: "label_codes", Forward: toCodes, Backward: fromCodes},
		{Name: "local_first", Forward: localFirst, Backward: backInOrder(localFirstFile)},
		{Name: "separation", Forward: separate, Backward: backInOrder(separatedFile)},
	}
}

var errNoPlaylist = errors.New("no XSPF file")

// playlist is a document that can be edited.
type playlist struct {
	*xml.Document
	root *xml.Node // playlist
	list *xml.Node // trackList
}

// newPlaylist finds the playlist in what was read.
func newPlaylist(x *xml.Document) (*playlist, error) {
	root := x.Root()
	if root != nil && root.Is("xspf") {
		root = root.Child("playlist")
	}
	if root == nil {
		return nil, errors.New("no playlist")
	}
	list := root.Child("trackList")
	if list == nil {
		return nil, errors.New("no trackList")
	}
	return &playlist{x, root, list}, nil
}

// readDocument reads the XSPF files that a forward step is given, as one.
func readDocument(files vfs.Files) (*playlist, error) {
	var doc *playlist
	xspf := files.Match([]string{"*" + extension})
	for _, name := range xspf.Names() {
		part, err := readNamed(xspf, name)
		if err != nil {
			return nil, err
		}
		if doc == nil {
			doc = part
		} else {
			doc.putItems(part.takeItems())
			doc.list.Children = append(doc.list.Children, part.list.Children...)
		}
	}
	if doc == nil {
		return nil, errNoPlaylist
	}
	return doc, nil
}

// readNamed reads an XSPF file that a step needs.
func readNamed(files vfs.Files, name string) (*playlist, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	p, err := newPlaylist(read(text))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return p, nil
}

func (p *playlist) print() string { return printed(p.Document) }

func asDocument(p *playlist) vfs.Files { return vfs.Files{documentFile: p.print()} }

func (p *playlist) tracks() []*xml.Node { return p.list.All("track") }

func (p *playlist) takeItems() []item { return takeItems(p.list, func() bool { return true }) }

// putItems adds tracks after those that are there.
func (p *playlist) putItems(items []item) {
	at := len(p.list.Children)
	for at > 0 && p.list.Children[at-1].Kind == xml.Comment {
		at--
	}
	var nodes []*xml.Node
	for _, i := range items {
		nodes = append(append(nodes, i.comments...), i.Node)
	}
	p.list.Children = slices.Insert(p.list.Children, at, nodes...)
}

// part returns a file with the root element of p and those tracks alone.
func (p *playlist) part(items []item) string {
	root, list := *p.root, *p.list
	list.Children = nil
	root.Children = []*xml.Node{&list}
	part := &playlist{&xml.Document{Top: &xml.Node{Children: []*xml.Node{&root}}}, &root, &list}
	part.putItems(items)
	return part.print()
}

// metas returns the meta elements of a track for a rel.
func metas(track *xml.Node, rel string) []*xml.Node {
	return slices.DeleteFunc(track.All("meta"), func(n *xml.Node) bool {
		is, _ := n.Attribute("rel")
		return is != rel
	})
}

// metaOf is the value that a track has for a rel: of several, the last.
func metaOf(track *xml.Node, rel string) string {
	if all := metas(track, rel); len(all) > 0 {
		return content(all[len(all)-1])
	}
	return ""
}

// addMeta gives a track a value for a rel.
func addMeta(track *xml.Node, rel, text string) {
	meta := track.NewChild("meta")
	meta.Attrs = []xml.Attr{{Name: "rel", Value: rel}}
	meta.SetContent(text)
	track.Children = append(track.Children, meta)
}

// removeMetas takes a track's values for a rel away.
func removeMetas(track *xml.Node, rel string) {
	all := metas(track, rel)
	track.Remove(func(n *xml.Node) bool { return slices.Contains(all, n) })
}

// refuseMeta is an error if a track has a value that an edit means to add.
func refuseMeta(tracks []*xml.Node, rel string) error {
	for n, track := range tracks {
		if len(metas(track, rel)) > 0 {
			return fmt.Errorf("track %d has a meta %s already", n+1, rel)
		}
	}
	return nil
}

// duration is a track's in milliseconds; false if it has none that is a number.
func duration(track *xml.Node) (ms int, ok bool) {
	return milliseconds(content(track.Child("duration")))
}

// milliseconds reads a number as the format has it, up to some days.
func milliseconds(text string) (int, bool) {
	const mostDigits = 9
	if text == "" || len(text) > mostDigits || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	ms, err := strconv.Atoi(text)
	return ms, err == nil
}
