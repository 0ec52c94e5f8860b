package emails

import (
	"time"

	"agentd/domains/edit"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/emails"
	"agentd/internal/lazyregexp"
)

// anAddress is a pattern for an address of e-mail.
const anAddress = `[\w.+-]+@[\w.-]+\w`

// vocabulary cuts a thread at the hyphens between messages.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "thread", Part: "message", Parts: "messages",
		Cut:    edit.Separated(`-{60,}`),
		Remark: "X-Computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			headerLine("sender", "senders", "From"), headerLine("subject", "subjects", "Subject"), headerLine("recipient", "recipients", "To"),
			edit.Has("weekday", "weekdays", `(?i)^Date:[ \t]*(\w{3}),`),
			edit.Has("date", "dates", `(?i)^Date:[ \t]*(?:\w{3},[ \t]*)?(\d{1,2} \w{3} \d{4})`),
			edit.Computed("topic", "topics", topic), edit.Computed("UTC time", "UTC times", utcTime),
			edit.Computed("sender address", "sender addresses", senderAddress),
			edit.Has("sender domain", "sender domains", `(?i)^From:[^\n]*@([\w.-]+\w)`),
			edit.Has("mailbox address", "mailbox addresses", `(?:[^:\s][ \t]+<|[:,][ \t]+)(`+anAddress+`)`),
			edit.Has("question", "questions", `^([^>\s][^\n]*\?)$`),
			headerLine("message ID", "message IDs", "Message-ID"), headerLine("replied message", "replied messages", "In-Reply-To"),
			edit.Has("quoted line", "quoted lines", `^>[> ]*([^\s>][^\n]*[^\s])`),
		},
		Finer: &edit.Format{
			Document: "message", Part: "line", Parts: "lines", Cut: edit.Lines(),
			Attributes: []edit.Attribute{
				edit.Has("opening word", "opening words", `\A\W*(\w+)`), edit.Has("address", "addresses", `(`+anAddress+`)`),
				edit.Has("line content", "line contents", `\A[> ]*([^\s>][^\n]*[^\s])`),
			},
		},
	}
}

// headerLine is the value of a header line.
func headerLine(name, plural, header string) edit.Attribute {
	return edit.Has(name, plural, `(?i)^`+header+`:[ \t]*([^\s][^\n]*[^\s])`)
}

// utcTime is the date of a message in UTC, as in "2023-06-12 08:41:06"; empty if it has none that can be read.
func utcTime(part string) string {
	date, ok := published.ParseDate(published.Unfolded(published.ParseEntity(part).Get("Date")))
	if !ok {
		return ""
	}
	return date.UTC().Format(time.DateTime)
}

var replyMarks = lazyregexp.New(`^(?:(?i:re|fwd?|aw|wg|tr): *)+`)

// topic is the decoded subject of a message without marks of reply and forwarding.
func topic(part string) string {
	return replyMarks.ReplaceAllString(pytext.Collapse(published.DecodeWords(published.Unfolded(published.ParseEntity(part).Get("Subject")))), "")
}

// senderAddress is the address in From, in lower case; empty if there is none.
func senderAddress(part string) string {
	return published.Lowered(published.ParseAddress(published.DecodeWords(published.Unfolded(published.ParseEntity(part).Get("From"))))).Addr
}
