package dns

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"agentd/vfs"
)

// recordsOf are the records of a part.
func recordsOf(part string) []entry {
	return slices.DeleteFunc(readFiles(vfs.Files{"part.zone": part})[0].entries, func(e entry) bool { return e.kind != recordEntry })
}

// records is how many records a part has.
func records(part string) string { return strconv.Itoa(len(recordsOf(part))) }

// seconds is the TTL that the first record of a part is written with, in seconds; empty if it has none.
func seconds(part string) string {
	all := recordsOf(part)
	if len(all) == 0 || all[0].ttl < 0 {
		return ""
	}
	n, ok := readTTL(all[0].word(all[0].ttl))
	if !ok {
		return ""
	}
	return strconv.FormatUint(uint64(n), 10)
}

// reverseName is the name under which the address of the first record of a part is looked up (RFC 1035, section
// 3.5; RFC 3596, section 2.5); empty if it has no address.
func reverseName(part string) string {
	all := recordsOf(part)
	if len(all) == 0 || all[0].typeName != "A" && all[0].typeName != "AAAA" || len(all[0].data()) == 0 {
		return ""
	}
	address, err := netip.ParseAddr(all[0].word(all[0].typ + 1))
	if err != nil {
		return ""
	}
	var labels []string
	for _, b := range slices.Backward(address.AsSlice()) {
		if address.Is4() {
			labels = append(labels, strconv.Itoa(int(b)))
		} else {
			labels = append(labels, fmt.Sprintf("%x.%x", b&0xf, b>>4))
		}
	}
	zone := ".ip6.arpa."
	if address.Is4() {
		zone = ".in-addr.arpa."
	}
	return strings.Join(labels, ".") + zone
}
