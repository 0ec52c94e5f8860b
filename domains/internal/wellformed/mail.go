package wellformed

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/internal/lazyregexp"
)

// Mail is judged by net/mail, mime and mime/multipart: the headers, the charset, the boundary and the transfer encoding. A slip does
// not hide those after it: where net/mail reads no further, the lines that are headers are read one by one.
func Mail(_, text string) []Slip {
	var all []Slip
	head, rest, _ := strings.Cut(text, "\n\n")
	all = append(all, repeatedHeaders(head)...)
	var header mail.Header
	var body []byte
	message, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil {
		all = append(all, Slip{Line: 1, What: "the headers cannot be read: " + strings.TrimPrefix(err.Error(), "mail: ")})
		header, body = headers(head), []byte(rest)
	} else {
		header = message.Header
		body, _ = io.ReadAll(message.Body)
	}
	all = append(all, addresses(header)...)
	all = append(all, date(header)...)
	return append(all, part(textproto.MIMEHeader(header), body, 0)...)
}

// Head judges what every message has, whatever stands around it: headers that stand once, addresses and a date.
func Head(head string) []Slip {
	header := headers(head)
	return slices.Concat(repeatedHeaders(head), addresses(header), date(header))
}

func addresses(header mail.Header) (all []Slip) {
	parser := mail.AddressParser{WordDecoder: &mime.WordDecoder{CharsetReader: anyCharset}}
	for _, name := range []string{"From", "To", "Cc"} {
		if value := header.Get(name); value != "" {
			if _, err := parser.ParseList(value); err != nil {
				all = append(all, Slip{What: "the addresses of " + name + " cannot be read", Text: value})
			}
		}
	}
	for _, name := range []string{"Message-Id", "Content-Id", "In-Reply-To", "References"} {
		if value := header.Get(name); strings.Count(value, "<") != strings.Count(value, ">") {
			all = append(all, Slip{What: "a bracket is missing in " + name, Text: value})
		}
	}
	return all
}

func date(header mail.Header) []Slip {
	value := header.Get("Date")
	if value == "" {
		return nil
	}
	if _, err := header.Date(); err != nil {
		return []Slip{{What: "the date cannot be read", Text: value}}
	}
	return nil
}

// headerLine begins a header.
var headerLine = lazyregexp.New(`^([!-9;-~]+):(.*)$`)

// headers are those of the lines that are some, with the lines that carry them on.
func headers(head string) mail.Header {
	all, name := mail.Header{}, ""
	for _, line := range lines(head) {
		if m := headerLine.FindStringSubmatch(line); m != nil {
			name = textproto.CanonicalMIMEHeaderKey(m[1])
			all[name] = append(all[name], strings.TrimSpace(m[2]))
		} else if values := all[name]; len(values) > 0 && line != "" && (line[0] == ' ' || line[0] == '\t') {
			values[len(values)-1] += " " + strings.TrimSpace(line)
		}
	}
	return all
}

// single are the headers that a message has at most once (RFC 5322, section 3.6; RFC 2045).
var single = []string{
	"From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Message-Id", "In-Reply-To", "References", "Subject", "Date",
	"Mime-Version", "Content-Type", "Content-Transfer-Encoding", "Content-Disposition", "Content-Id",
}

// repeatedHeaders finds headers that stand twice: those that a message has once, and others with the same value on the next line.
func repeatedHeaders(head string) []Slip {
	var all []Slip
	met, above := map[string]bool{}, ""
	for n, line := range lines(head) {
		m := headerLine.FindStringSubmatch(line)
		if m == nil {
			above = ""
			continue
		}
		name := textproto.CanonicalMIMEHeaderKey(m[1])
		if met[name] && slices.Contains(single, name) || line == above {
			all = append(all, Slip{Line: n, What: "a header stands twice", Text: line})
		}
		met[name], above = true, line
	}
	return all
}

func anyCharset(_ string, input io.Reader) (io.Reader, error) { return input, nil }

// part checks a body by its headers, and its parts likewise.
func part(header textproto.MIMEHeader, body []byte, depth int) []Slip {
	const deepest = 16
	if depth > deepest {
		return nil
	}
	var all []Slip
	add := func(what string) { all = append(all, Slip{What: what}) }
	transfer := strings.ToLower(strings.TrimSpace(header.Get("Content-Transfer-Encoding")))
	plain := body
	switch transfer {
	case "base64":
		var err error
		if plain, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(body)), "")); err != nil {
			add("a body in base64 cannot be decoded")
		}
	case "quoted-printable":
		plain, _ = io.ReadAll(quotedprintable.NewReader(bytes.NewReader(body)))
	case "7bit", "8bit", "binary":
	default:
		if _, there := header["Content-Transfer-Encoding"]; there && !strings.HasPrefix(transfer, "x-") {
			add("a transfer encoding is not known: " + transfer)
		}
	}
	contentType := header.Get("Content-Type")
	kind, parameters, err := mime.ParseMediaType(contentType)
	if contentType != "" && err != nil {
		add("a content type cannot be read: " + strings.TrimPrefix(err.Error(), "mime: "))
		if m := boundaryOf.FindStringSubmatch(contentType); m != nil {
			kind, parameters = "multipart/mixed", map[string]string{"boundary": m[1]}
		}
	}
	switch {
	case strings.HasPrefix(kind, "multipart/") && parameters["boundary"] == "":
		add("a message of several parts has no boundary")
	case strings.HasPrefix(kind, "multipart/"):
		all = append(all, parts(body, parameters["boundary"], depth)...)
	case contentType == "" || strings.HasPrefix(kind, "text/"):
		if name := parameters["charset"]; name != "" {
			for _, slip := range charset(0, name) {
				add(slip.What)
			}
		} else if contentType != "" && !isASCII(plain) {
			add("a text that is not ASCII has no charset")
		}
		if transfer == "" && (contentType != "" || header.Get("Mime-Version") != "") && !isASCII(body) {
			add("a text that is not ASCII has no transfer encoding")
		}
	}
	return all
}

var boundaryOf = lazyregexp.New(`(?i)^\s*multipart/.*\bboundary\s*=\s*"?([^";\s]+)`)

// parts checks the parts between boundaries, and that the last boundary is there.
func parts(body []byte, boundary string, depth int) []Slip {
	var all []Slip
	ended := lazyregexp.New(`(?m)^--` + regexp.QuoteMeta(boundary) + `--[ \t\r]*$`).Match(body)
	if !ended {
		all = append(all, Slip{What: "a message of several parts is not ended by its boundary", Text: boundary})
	}
	reader := multipart.NewReader(bytes.NewReader(body), boundary)
	for n := 0; ; n++ {
		one, err := reader.NextRawPart()
		switch {
		case errors.Is(err, io.EOF) && n > 0:
			return all
		case err != nil && (ended || n == 0):
			return append(all, Slip{What: "part " + strconv.Itoa(n+1) + " of a message cannot be read: " + strings.TrimPrefix(err.Error(), "multipart: ")})
		case err != nil:
			return all
		}
		for _, name := range single {
			if len(one.Header[name]) > 1 {
				all = append(all, Slip{What: "a header of a part stands twice", Text: name})
			}
		}
		content, err := io.ReadAll(one)
		all = append(all, part(one.Header, content, depth+1)...)
		if err != nil {
			return all
		}
	}
}

func isASCII(text []byte) bool {
	return !slices.ContainsFunc(text, func(b byte) bool { return b >= 0x80 })
}
