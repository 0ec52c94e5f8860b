package emails

import (
	"path"
	"regexp"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// message is a message as the published evaluator reads it.
type message struct {
	from      address
	to        []address
	subject   string
	dateText  string
	date      string // in ISO form, empty where the text is no date
	id        string
	inReplyTo string
	body      string
}

// divider is what the published reading cuts files at, wherever it stands.
var divider = strings.Repeat("-", 60)

// parse reads a document as the published evaluator does. It has no errors:
// what stands between dividers is a message.
func parse(files vfs.Files) ([]message, error) {
	var all []message
	for _, name := range files.Names() {
		switch path.Ext(name) {
		case ".eml", ".txt":
			for piece := range strings.SplitSeq(files[name], divider) {
				if piece = pytext.Strip(piece); piece != "" {
					all = append(all, parseMessage(piece))
				}
			}
		}
	}
	return all, nil
}

func parseMessage(piece string) message {
	e := parseEntity(piece)
	m := message{
		from:      lowered(parseAddress(decodeWords(e.get("From")))),
		to:        parseRecipients(decodeWords(e.get("To"))),
		subject:   pytext.Strip(decodeWords(e.get("Subject"))),
		dateText:  pytext.Strip(e.get("Date")),
		id:        pytext.Strip(e.get("Message-ID")),
		inReplyTo: firstID(e.get("In-Reply-To")),
		body:      pytext.Strip(e.publishedBody()),
	}
	if date, ok := parseDate(m.dateText); ok {
		m.date = date.iso()
	}
	return m
}

// parseRecipients cuts a header at commas outside quotes.
func parseRecipients(text string) []address {
	var all []address
	for _, part := range cutOutside(text, ',', func(at int) bool { return text[at] == '"' }) {
		if part = pytext.Strip(part); part != "" {
			all = append(all, lowered(parseAddress(part)))
		}
	}
	return all
}

func lowered(a address) address { return address{a.name, pytext.Lower(a.addr)} }

var bracketed = regexp.MustCompile(`<[^>]+>`)

// firstID is the first text in angle brackets, with them, otherwise all of it.
func firstID(text string) string {
	if id := bracketed.FindString(text); id != "" {
		return id
	}
	return pytext.Strip(text)
}

// publishedBody is the payload as it stands, but of a multipart message the
// first part of plain text, decoded.
func (e *entity) publishedBody() string {
	if !e.isMultipart() {
		return e.payload
	}
	part := e.firstText()
	if part == nil {
		return ""
	}
	text, err := unicode.UTF8.NewDecoder().Bytes(part.decoded())
	if err != nil {
		return ""
	}
	return string(text)
}

func (e *entity) firstText() *entity {
	if !e.isMultipart() {
		if e.contentType() == "text/plain" {
			return e
		}
		return nil
	}
	for _, part := range e.parts {
		if found := part.firstText(); found != nil {
			return found
		}
	}
	return nil
}
