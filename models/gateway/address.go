package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"agentd/models/wire"
)

// A picture, a sound or a file may be given by its address, which the model's server
// fetches. That server stands where the command does not: a command must not have it
// look into its own network. So an address holds its data itself, or is one that
// anybody could fetch.

// maxAddress bounds an address that holds no data, in bytes.
const maxAddress = 8 << 10

// addresses are the members of requests that hold conversations, and how the names of
// members end in them that hold addresses: image_url, video_url, url and the like.
var addresses = map[string][]string{"messages": {"url"}, "input": {"url"}, "contents": {"fileUri", "file_uri"}}

// namesAddress reports whether a member of a message holds an address, as its name ends in
// one of the suffixes. The name is as it is written.
func namesAddress(name []byte, suffixes []string) bool {
	if len(suffixes) == 0 {
		return false
	}
	if bytes.IndexByte(name, '\\') >= 0 {
		var plain string
		if len(name) > wire.MaxWord || json.Unmarshal(name, &plain) != nil {
			return true
		}
		name = []byte(`"` + plain + `"`)
	}
	return slices.ContainsFunc(suffixes, func(suffix string) bool {
		at := len(name) - len(suffix) - 1
		return at > 0 && strings.EqualFold(string(name[at:at+len(suffix)]), suffix)
	})
}

var errAddress = errors.New("an address must be a data: URL, or begin with https:// and a public name: the model's server would fetch it")

// checkAddress returns an error for an address that a model's server must not fetch.
// It is as it is written, in quotes.
func checkAddress(text []byte) error {
	const data = `"data:`
	if len(text) >= len(data) && strings.EqualFold(string(text[:len(data)]), data) {
		return nil
	}
	var address string
	if len(text) > maxAddress || json.Unmarshal(text, &address) != nil || !public(address) {
		return errAddress
	}
	return nil
}

// public reports whether an address is one of https, at a name that is registered
// under a public suffix. Other names, numbers in any spelling, and what clients read
// differently are not.
func public(address string) bool {
	const name = "abcdefghijklmnopqrstuvwxyz0123456789-."
	if strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == '\\' || r >= 0x7f }) {
		return false
	}
	u, err := url.Parse(address)
	if err != nil || !strings.EqualFold(u.Scheme, "https") || u.User != nil || u.Opaque != "" {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err == nil || strings.Trim(host, name) != "" || u.Port() != "" && u.Port() != "443" {
		return false
	}
	suffix, listed := publicsuffix.PublicSuffix(host)
	listed = listed || strings.Contains(suffix, ".") // of a private owner
	reserved := strings.HasSuffix(host, ".arpa")     // for networks of one's own, among others
	return listed && !reserved && host != suffix && !strings.HasPrefix(host, ".") && !strings.Contains(host, "..") && !strings.HasSuffix(host, ".")
}
