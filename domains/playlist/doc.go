// Package playlist is the domain of XSPF playlists, as players and radio
// stations write them: an ordered list of tracks, each with title, creator,
// album, note, duration, places where it is found, and the station's own values
// in meta elements, such as year, label, rotation class and flags. The track is
// what is counted.
//
// The published score pairs tracks by title and creator and looks at their
// album, year, label, rotation, flags and annotation, and at the order of the
// pairs. Strict looks at every element and attribute of a track and of the
// playlist: locations, durations, links, extensions, comments, additions and
// repeated plays, and the order of all tracks. It reads files that a strict
// parser rejects: under any name, without their namespace, with a closing tag
// that is lost or misspelt, or with sentences around the playlist.
package playlist
