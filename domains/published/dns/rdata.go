package dns

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
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
	first := must(r.tokens.next(false, false))
	r.tokens.hold(first)
	form := Forms[typ]
	if form == nil || first.kind == identifier && first.value == `\#` {
		text = r.generic()
		return text, text
	}
	texts, keys := make([]string, 0, 8), make([]string, 0, 8)
	var malformed error // that is found only once the line is read
	for _, it := range form {
		text, key, err := r.item(it)
		if it == TagItem || it == algorithmItem {
			malformed = errors.Join(malformed, err)
		} else if err != nil {
			fail(err)
		}
		if text != "" {
			texts, keys = append(texts, text), append(keys, key)
		}
	}
	if malformed != nil {
		fail(syntaxError(malformed.Error()))
	}
	if typ == "DS" || typ == "CDS" || typ == "DLV" {
		if length := digestLengths[texts[2]]; length != 0 && length*2 != len(texts[3]) {
			fail(syntaxError("digest length inconsistent with digest type"))
		}
	}
	return strings.Join(texts, " "), strings.Join(keys, " ")
}

// digestLengths are in octets. Type 0 is reserved.
var digestLengths = map[string]int{"0": -1, "1": 20, "2": 32, "3": 32, "4": 48}

// item reads one item. Only names differ in text and key: keys have no letter
// case; and IPv6 addresses, whose key is their value.
func (r *zoneReader) item(it Item) (text, key string, err error) {
	if it >= TextsItem {
		text = r.rest(it)
		return text, text, nil
	}
	tok, err := r.tokens.next(false, false)
	if err != nil {
		return "", "", err
	}
	if it == NameItem {
		if tok.kind != identifier {
			return "", "", syntaxError("expecting an identifier")
		}
		name, err := ReadName(tok.value, r.origin)
		if err != nil {
			return "", "", syntaxError(err.Error())
		}
		relative, _ := cutOrigin(name, r.zone)
		return OrApex(relative), strings.ToLower(relative), nil
	}
	value, err := Unescape(tok.value, false)
	switch {
	case err != nil:
		return "", "", err
	case tok.kind == quotedString && it != textItem && it != valueItem && it != TagItem && it != algorithmItem:
		return "", "", syntaxError("expecting an identifier")
	case tok.kind != quotedString && tok.kind != identifier:
		return "", "", syntaxError("expecting a string")
	}
	text, ok := Canonical(it, value)
	if !ok {
		return "", "", syntaxError("Text input is malformed.")
	}
	if it == ipv6Item {
		return value, text, nil
	}
	return text, text, nil
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
	for {
		tok := must(r.tokens.next(false, false))
		if tok.ends() {
			r.tokens.hold(tok)
			return must(canonicalRest(it, parts))
		}
		if tok.kind == quotedString && (it == HexItem || it == Base64Item) {
			fail(syntaxError("Text input is malformed."))
		}
		parts = append(parts, tok.value)
		if it == placeItem {
			if err := place(parts, false); err != nil {
				fail(err)
			}
		}
	}
}

func canonicalRest(it Item, parts []string) (string, error) {
	for i, part := range parts {
		plain, err := Unescape(part, true)
		if err != nil {
			return "", err
		}
		parts[i] = plain
	}
	switch it {
	case placeItem:
		return strings.Join(parts, " "), place(parts, true)
	case TextsItem:
		if len(parts) == 0 {
			return "", syntaxError("Text input ended unexpectedly.")
		}
		for i, part := range parts {
			if len(part) > 255 {
				return "", syntaxError("string too long")
			}
			parts[i] = Quote(part)
		}
		return strings.Join(parts, " "), nil
	case HexItem:
		digits := strings.ToLower(strings.Join(parts, ""))
		if _, err := hex.DecodeString(digits); err != nil || digits == "" {
			return "", syntaxError("Non-hexadecimal digit found")
		}
		return digits, nil
	case Base64Item:
		data := strings.Join(parts, "")
		if _, err := base64.StdEncoding.DecodeString(data); err != nil || data == "" {
			return "", syntaxError("Incorrect padding")
		}
		return data, nil
	}
	return strings.Join(parts, " "), nil
}

// generic reads \# length hexadecimal data.
func (r *zoneReader) generic() string {
	tok := must(r.tokens.next(false, false))
	if tok.kind != identifier || tok.value != `\#` {
		fail(syntaxError(`generic rdata does not start with \#`))
	}
	length, _, err := r.item(longItem)
	switch {
	case err != nil:
		fail(err)
	case length == "0":
		return `\# 0 `
	}
	digits := r.rest(HexItem)
	if strconv.Itoa(len(digits)/2) != length {
		fail(syntaxError("generic rdata hex data has wrong length"))
	}
	return `\# ` + length + " " + digits
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

// place checks the words of a LOC record: degrees, minutes and seconds of latitude and longitude with capital letters
// for the hemispheres, an altitude and up to three lengths in metres. If they are not the whole, more words may follow.
func place(words []string, whole bool) error {
	for _, hemispheres := range []string{"NS", "EW"} {
		n := 0
		for n < len(words) && n < 3 && isAngle(words[n], n == 2) {
			n++
		}
		switch {
		case n == len(words) && !whole:
			return nil
		case n == 0:
			return syntaxError("invalid literal for int() with base 10")
		case n == len(words) || len(words[n]) != 1 || !strings.Contains(hemispheres, words[n]):
			return syntaxError("bad hemisphere value")
		}
		words = words[n+1:]
	}
	if len(words) == 0 && whole || len(words) > 4 {
		return syntaxError("expecting an identifier")
	}
	for _, length := range words {
		if _, err := strconv.ParseFloat(strings.TrimSuffix(length, "m"), 64); err != nil {
			return syntaxError("could not convert string to float")
		}
	}
	return nil
}

// isAngle reports whether a word is a number of degrees, minutes or, perhaps with a fraction, seconds.
func isAngle(word string, seconds bool) bool {
	whole, fraction, divided := strings.Cut(word, ".")
	return plain.IsDigits(whole) && (!divided || seconds && plain.IsDigits(fraction))
}
