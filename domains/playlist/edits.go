package playlist

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/xml"
)

// playlists says how playlists are taken apart and put together.
var playlists = exact.Format[playlist, item]{
	Patterns: []string{"*" + extension},
	Read:     readPlaylist,
	Print:    playlist.print,
	Parts:    func(p *playlist) *[]item { return &p.items },
	Join: func(all []playlist) playlist {
		if len(all) == 0 {
			return playlist{fault: errors.New("no XSPF file")}
		}
		joined := all[0]
		for _, p := range all[1:] {
			joined.items = append(joined.items, p.items...)
			joined.list.Children = append(joined.list.Children, p.list.Children...)
		}
		return joined
	},
	Shell: playlist.shell,
	Fault: func(p *playlist) error { return p.fault },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_decade", splitByDecade),
		domains.Taking("cut_sets", cutSets),
		domains.Taking("notes_apart", notesApart),
		domains.Taking("track_table", trackTable),
		domains.Taking("jspf", inJSPF),
		domains.Taking("clock_times", clockTimes),
		domains.Taking("code_meta", codeMeta),
		domains.Taking("flag_first", flagFirst),
		domains.Taking("separate", separate),
	}
}

// playlist is a document that can be edited.
type playlist struct {
	*xml.Document
	root  *xml.Node // playlist
	list  *xml.Node // trackList, without its tracks
	items []item
	fault error // why it could not be read
}

// readPlaylist finds the playlist in a text.
func readPlaylist(text string) playlist {
	x := read(text)
	root := x.Root()
	if root != nil && root.Is("xspf") {
		root = root.Child("playlist")
	}
	if root == nil {
		return playlist{fault: errors.New("no playlist")}
	}
	list := root.Child("trackList")
	if list == nil {
		return playlist{fault: errors.New("no trackList")}
	}
	return playlist{Document: x, root: root, list: list, items: takeItems(list, func() bool { return true })}
}

// print prints the tracks before the comments at the end of the list.
func (p playlist) print() string {
	rest := p.list.Children
	at := len(rest)
	for at > 0 && rest[at-1].Kind == xml.Comment {
		at--
	}
	all := slices.Clone(rest[:at])
	for _, i := range p.items {
		all = append(append(all, i.comments...), i.Node)
	}
	p.list.Children = append(all, rest[at:]...)
	text := printed(p.Document)
	p.list.Children = rest
	return text
}

// shell returns a playlist with the root element alone.
func (p playlist) shell() playlist {
	root, list := *p.root, *p.list
	list.Children = nil
	root.Children = []*xml.Node{&list}
	return playlist{Document: &xml.Document{Top: &xml.Node{Children: []*xml.Node{&root}}}, root: &root, list: &list}
}

// metas returns the meta elements of a track for a rel.
func metas(track *xml.Node, rel string) []*xml.Node {
	return slices.DeleteFunc(track.All("meta"), func(n *xml.Node) bool {
		return n.Value("rel") != rel
	})
}

// metaOf is the value that a track has for a rel: of several, the last.
func metaOf(track *xml.Node, rel string) string {
	if all := metas(track, rel); len(all) > 0 {
		return content(all[len(all)-1])
	}
	return ""
}

// removeMetas takes a track's values for a rel away.
func removeMetas(track *xml.Node, rel string) {
	all := metas(track, rel)
	track.Remove(func(n *xml.Node) bool { return slices.Contains(all, n) })
}

// refuseMeta is an error if a track has a value that an edit means to add.
func refuseMeta(items []item, rel string) error {
	for n, i := range items {
		if len(metas(i.Node, rel)) > 0 {
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
