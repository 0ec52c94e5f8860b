package playlist

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "playlist1"), contrived)
}

const (
	playlistRoot = `<playlist xmlns="http://xspf.org/ns/0/">`
	playlistList = playlistRoot + "<trackList>"
	playlistEnd  = "</trackList></playlist>"
)

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":        {Before: playlistList, Record: "<track/>", After: playlistEnd},
	"titles":      {Before: playlistList, Record: "<track><title>%d</title></track>", After: playlistEnd},
	"same titles": {Before: playlistList, Record: "<track><title>a</title></track>", After: playlistEnd},
	"seeded":      {Before: playlistList, Record: "<track><title>Sodade</title><creator>Cesária Évora</creator><album>%d</album></track>", After: playlistEnd},
	"albums":      {Before: playlistList, Record: "<track><album>%d</album></track>", After: playlistEnd},
	"one note":    {Before: playlistList + "<track><title>The Wild Rover</title><creator>Lankum</creator><annotation>", Record: "bring the fader %d ", After: "</annotation></track>" + playlistEnd},
	"one letter":  {Before: playlistList + "<track><title>The Wild Rover</title><creator>Lankum</creator><annotation>", Record: "e ", After: "</annotation></track>" + playlistEnd},
	"one album":   {Before: playlistList + "<track><title>Sodade</title><creator>Cesária Évora</creator><album>", Record: "miss %d ", After: "</album></track>" + playlistEnd},
	"lines":       {Before: playlistList + "<track><annotation>", Record: "%d\n", After: "</annotation></track>" + playlistEnd},
	"metas":       {Before: playlistList + "<track>", Record: `<meta rel="year">%d</meta>`, After: "</track>" + playlistEnd},
	"relations":   {Before: playlistList + "<track>", Record: `<meta rel="a%d">1</meta>`, After: "</track>" + playlistEnd},
	"fields":      {Before: playlistList + "<track>", Record: "<a%d/>", After: "</track>" + playlistEnd},
	"extensions":  {Before: playlistList + "<track>", Record: `<extension application="a"/>`, After: "</track>" + playlistEnd},
	"items":       {Before: playlistList + `<track><extension application="a">`, Record: "<b>%d</b>", After: "</extension></track>" + playlistEnd},
	"of the list": {Before: playlistRoot, Record: `<meta rel="a">%d</meta>`, After: "</playlist>"},
	"same metas":  {Before: playlistRoot, Record: `<meta>1</meta>`, After: "</playlist>"},
	"unclosed":    {Before: playlistList, Record: "<track><title>%d"},
	"open tracks": {Before: playlistList, Record: "<track>"},
	"open titles": {Before: playlistList + "<track>", Record: "<title>"},
	"misspelt":    {Before: playlistList, Record: "<track><title>%d</name></track>", After: playlistEnd},
	"lists":       {Before: playlistRoot, Record: "<trackList/>", After: "</playlist>"},
	"wrappers":    {Record: "<xspf>"},
	"playlists":   {Record: "<playlist/>"},
	"nested":      {Before: playlistList + strings.Repeat("<title>", 200), Record: "<track/>", After: playlistEnd},
	"attributes":  {Before: playlistList + "<track ", Record: `a%d="" `, After: "/>" + playlistEnd},
	"prefixes":    {Before: playlistList + "<track ", Record: `xmlns:a%d="u" `, After: "/>" + playlistEnd},
	"ampersands":  {Before: playlistList + "<track><title>", Record: "&", After: "</title></track>" + playlistEnd},
	"comments":    {Before: playlistList, Record: "<!--%d-->", After: playlistEnd},
	"commented":   {Before: playlistList, Record: "<!--%d--><track/>", After: playlistEnd},
	"text":        {Before: playlistList, Record: "%d\n", After: playlistEnd},
	"prose":       {Record: "%d\n"},
}
