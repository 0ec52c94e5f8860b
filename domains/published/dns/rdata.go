package dns

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/internal/lazyregexp"
)

// Item is what stands at a place in a record's data.
type Item uint8

// What a field of the data of a record is.
const (
	NameItem Item = iota
	octetItem
	shortItem
	longItem
	ttlItem
	ipv4Item
	ipv6Item
	textItem  // a string of at most 255 characters
	valueItem // a string of any length
	TagItem
	algorithmItem
	// Those below take all that is left on the line.
	TextsItem
	HexItem
	Base64Item
	WordsItem // as written
	placeItem // latitude, longitude and sizes
)

// Forms are the data of the record types.
var Forms = byType(map[string][]Item{
	"A":                           {ipv4Item},
	"AAAA":                        {ipv6Item},
	"AFSDB KX LP MX RT":           {shortItem, NameItem},
	"AVC NINFO SPF TXT":           {TextsItem},
	"CAA":                         {octetItem, TagItem, valueItem},
	"CDNSKEY DNSKEY":              {shortItem, octetItem, algorithmItem, Base64Item},
	"CDS DLV DS":                  {shortItem, algorithmItem, octetItem, HexItem},
	"CNAME DNAME NS NSAP-PTR PTR": {NameItem},
	"DHCID OPENPGPKEY":            {Base64Item},
	"HINFO":                       {textItem, textItem},
	"HTTPS SVCB":                  {shortItem, NameItem, WordsItem},
	"NAPTR":                       {shortItem, shortItem, textItem, textItem, textItem, NameItem},
	"NSEC":                        {NameItem, WordsItem},
	"PX":                          {shortItem, NameItem, NameItem},
	"RP":                          {NameItem, NameItem},
	"SMIMEA TLSA":                 {octetItem, octetItem, octetItem, HexItem},
	"SOA":                         {NameItem, NameItem, longItem, ttlItem, ttlItem, ttlItem, ttlItem},
	"SRV":                         {shortItem, shortItem, shortItem, NameItem},
	"SSHFP":                       {octetItem, octetItem, HexItem},
	"URI":                         {shortItem, shortItem, valueItem},
	"X25":                         {textItem},
	"ZONEMD":                      {longItem, octetItem, octetItem, HexItem},
	"LOC":                         {placeItem},
	"AMTRELAY APL CERT CSYNC EUI48 EUI64 GPOS HIP IPSECKEY ISDN L32 L64 NID NSAP NSEC3 NSEC3PARAM RRSIG WKS": {WordsItem},
})

// byType divides the lists of types that share a form.
func byType(shared map[string][]Item) map[string][]Item {
	forms := map[string][]Item{}
	for types, form := range shared {
		for typ := range strings.FieldsSeq(types) {
			forms[typ] = form
		}
	}
	return forms
}

// opaque are the types that have only the generic form \# length data.
var opaque = strings.Fields("A6 ANY AXFR IXFR KEY MAILA MAILB MB MD MF MG MINFO MR NULL NXT OPT SIG TA TKEY TSIG UNSPEC")

// knownType returns a type in upper case; false if there is none of this name.
func knownType(text string) (string, bool) {
	upper := strings.ToUpper(text)
	if Forms[upper] != nil || slices.Contains(opaque, upper) {
		return upper, true
	}
	return "", false
}

// RecordType also takes types by number, such as TYPE65280.
func RecordType(text string) (string, bool) {
	if typ, ok := knownType(text); ok {
		return typ, true
	}
	digits, ok := strings.CutPrefix(strings.ToUpper(text), "TYPE")
	code, valid := number(digits, 16)
	return "TYPE" + code, ok && valid
}

var algorithms = map[string]string{
	"RSAMD5": "1", "DH": "2", "DSA": "3", "ECC": "4", "RSASHA1": "5", "DSANSEC3SHA1": "6", "RSASHA1NSEC3SHA1": "7",
	"RSASHA256": "8", "RSASHA512": "10", "ECCGOST": "12", "ECDSAP256SHA256": "13", "ECDSAP384SHA384": "14",
	"ED25519": "15", "ED448": "16", "INDIRECT": "252", "PRIVATEDNS": "253", "PRIVATEOID": "254",
}

// rdata reads the rest of a line as the data of a type. Its text is canonical
// but for addresses, which stay as written; key is equal for equal data.
func (r *zoneReader) rdata(typ string) (text, key string) {
	first := r.tokens.next(false, false)
	r.tokens.hold(first)
	form := Forms[typ]
	if form == nil || first.kind == identifier && first.value == `\#` {
		text = r.generic()
	} else {
		var texts, keys []string
		for _, it := range form {
			if text, key := r.item(it); text != "" {
				texts, keys = append(texts, text), append(keys, key)
			}
		}
		text, key = strings.Join(texts, " "), strings.Join(keys, " ")
	}
	r.endLine()
	return text, cmp.Or(key, text)
}

// item reads one item. Only names differ in text and key: keys have no letter
// case; and IPv6 addresses, whose key is their value.
func (r *zoneReader) item(it Item) (text, key string) {
	if it >= TextsItem {
		text = r.rest(it)
		return text, text
	}
	tok := r.tokens.next(false, false)
	if tok.kind != identifier && (tok.kind != quotedString || it == NameItem) {
		panic(syntaxError("expecting an identifier"))
	}
	if it == NameItem {
		relative, _ := cutOrigin(must(ReadName(tok.value, r.origin)), r.zone)
		return OrApex(relative), strings.ToLower(relative)
	}
	value := must(Unescape(tok.value, false))
	text, ok := Canonical(it, value)
	if !ok {
		panic(syntaxError("Text input is malformed."))
	}
	if it == ipv6Item {
		return value, text
	}
	return text, text
}

// Canonical is an item's only spelling; false if it is malformed.
func Canonical(it Item, value string) (string, bool) {
	switch it {
	case octetItem:
		return number(value, 8)
	case shortItem:
		return number(value, 16)
	case longItem:
		return number(value, 32)
	case ttlItem:
		seconds, ok := ReadTTL(value)
		return strconv.FormatUint(uint64(seconds), 10), ok
	case ipv4Item:
		address, err := netip.ParseAddr(value)
		return value, err == nil && address.Is4()
	case ipv6Item:
		address, err := netip.ParseAddr(value)
		if err != nil || !address.Is6() || address.Zone() != "" {
			return "", false
		}
		return address.String(), true
	case textItem:
		return Quote(value), len(value) <= 255
	case valueItem:
		return Quote(value), true
	case TagItem:
		return value, value != "" && strings.Trim(strings.ToLower(value), "abcdefghijklmnopqrstuvwxyz0123456789") == ""
	case algorithmItem:
		if code := algorithms[strings.ToUpper(value)]; code != "" {
			return code, true
		}
		return number(value, 8)
	}
	return value, true
}

func number(text string, bits int) (string, bool) {
	if !plain.IsDigits(text) {
		return "", false
	}
	n, err := strconv.ParseUint(text, 10, bits)
	return strconv.FormatUint(n, 10), err == nil
}

// rest reads the remaining tokens of the line as one item.
func (r *zoneReader) rest(it Item) string {
	var parts []string
	var err error        // that is found only once the line is read
	words := r.tokens.at // where they end
	tok := r.tokens.next(false, false)
	for ; !tok.ends(); tok = r.tokens.next(false, false) {
		words = r.tokens.at
		part := must(Unescape(tok.value, true))
		if it == TextsItem {
			if len(part) > 255 {
				err = syntaxError("string too long")
			}
			part = Quote(part)
		}
		parts = append(parts, part)
	}
	r.tokens.hold(tok)
	all := strings.Join(parts, " ")
	switch it {
	case placeItem:
		if !place.MatchString(all) {
			err = errors.New("bad hemisphere value")
			r.tokens.read = words // it is found before the line ends
		}
	case HexItem:
		all = strings.ToLower(strings.Join(parts, ""))
		_, err = hex.DecodeString(all)
	case Base64Item:
		all = strings.Join(parts, "")
		_, err = base64.StdEncoding.DecodeString(all)
	}
	if err != nil || all == "" && it != WordsItem {
		panic(syntaxError("Text input is malformed."))
	}
	return all
}

// generic reads \# length hexadecimal data.
func (r *zoneReader) generic() string {
	if r.word() != `\#` {
		panic(syntaxError(`generic rdata does not start with \#`))
	}
	length, _ := r.item(longItem)
	if length == "0" {
		return `\# 0 `
	}
	return `\# ` + length + " " + r.rest(HexItem)
}

// Quote writes a string in quotes.
func Quote(value string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(value) {
		writeEscaped(&b, value[i], `"\`, ' ')
	}
	b.WriteByte('"')
	return b.String()
}

// place is the data of a LOC record: degrees, minutes and seconds of latitude and longitude with capital letters
// for the hemispheres, an altitude and up to three lengths in metres.
var place = lazyregexp.New(`^\d+( \d+( \d+(\.\d+)?)?)? [NS] \d+( \d+( \d+(\.\d+)?)?)? [EW]( -?\d+(\.\d+)?m?){1,4}$`)
