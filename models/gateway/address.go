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

// A request may name a picture, a sound or a file by its address, which the model's server then
// fetches. The command must not use that server to reach networks that it cannot reach itself.
// So an address must contain its data, or be a public one.

// maxAddress is the largest size of an address without data, in bytes.
const maxAddress = 8 << 10

// addresses maps the members of requests that hold conversations to the endings of member names
// that hold addresses, such as image_url, video_url and url.
var addresses = map[string][]string{"messages": {"url"}, "input": {"url"}, "contents": {"fileUri", "file_uri"}}

// namesAddress reports whether a member's name ends in one of the suffixes. name is the raw
// JSON between its quotes.
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

// checkAddress returns an error for an address that the model's server must not fetch. text is
// the raw JSON string with its quotes.
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

// public reports whether an address is an https URL with a host name registered under a public
// suffix. It rejects other names, IP addresses in any spelling, and URLs that clients parse
// differently.
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
	listed = listed || strings.Contains(suffix, ".") // a privately owned suffix
	reserved := strings.HasSuffix(host, ".arpa")     // includes private networks
	return listed && !reserved && host != suffix && !strings.HasPrefix(host, ".") && !strings.Contains(host, "..") && !strings.HasSuffix(host, ".")
}
