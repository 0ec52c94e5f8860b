package jobboard

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// importForm is the document as the applicant tracking system takes it.
type importForm struct {
	Frame        []string      `json:"frame"`
	Requisitions []requisition `json:"requisitions"`
}

// requisition is a posting. What it does not have is left out.
type requisition struct {
	ID           string        `json:"id"`
	Title        string        `json:"title"`
	Company      *string       `json:"company,omitempty"`
	Location     *location     `json:"location,omitempty"`
	Type         *string       `json:"type,omitempty"`
	Compensation *compensation `json:"compensation,omitempty"`
	Skills       []string      `json:"skills,omitzero"`
	Posted       *string       `json:"posted,omitempty"`
	Extra        []extraLine   `json:"extra,omitempty"`
}

type location struct {
	Text   string `json:"text"`
	Region string `json:"region,omitempty"` // after the last comma
}

type compensation struct {
	Text   string      `json:"text"`
	Amount json.Number `json:"amount,omitempty"`
	Period string      `json:"period,omitempty"`
}

// extraLine is a line without one of the format's labels, with its number in the
// posting, the head being 1.
type extraLine struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// inJSON makes an object of each posting, and a list of the other lines.
func inJSON(p struct{ Document, To string }) exact.Steps {
	return steps(p.Document, func(b board) (vfs.Files, error) {
		frame, err := b.frame()
		if err != nil {
			return nil, err
		}
		form := importForm{Frame: frame}
		for _, one := range b.postings {
			r, err := one.requisition()
			if err != nil {
				return nil, err
			}
			form.Requisitions = append(form.Requisitions, r)
		}
		return vfs.Files{p.To: plain.WriteJSON(form)}, nil
	}, func(files vfs.Files) (board, error) {
		var form importForm
		if err := plain.JSON(files, p.To, &form); err != nil {
			return board{}, err
		}
		if len(form.Requisitions) == 0 {
			return board{}, fmt.Errorf("no requisition in %s", p.To)
		}
		postings := map[int][]string{}
		for n, r := range form.Requisitions {
			postings[n+1] = r.lines()
		}
		return fill(form.Frame, postings)
	})
}

func (p *posting) requisition() (requisition, error) {
	head := pytext.Strip(p.lines[0])
	id, title, _ := cutHead(head)
	if title == "" || head != unmarked(head) {
		return requisition{}, fmt.Errorf("%q is not an id and a title", head)
	}
	if p.times(adjustedSalary) > 0 && p.times(labels[salaryLabel]) > 0 {
		return requisition{}, fmt.Errorf("%s has two salaries", id)
	}
	r := requisition{
		ID: id, Title: title, Company: p.text(companyLabel), Type: p.text(typeLabel), Posted: p.text(postedLabel),
	}
	if text := p.text(locationLabel); text != nil {
		r.Location = &location{Text: *text}
		if at := strings.LastIndex(*text, ","); at >= 0 {
			r.Location.Region = pytext.Strip((*text)[at+1:])
		}
	}
	if text := p.text(salaryLabel); text != nil {
		r.Compensation = compensationOf(*text)
	}
	if text := p.text(skillsLabel); text != nil {
		r.Skills = append([]string{}, listed(*text)...)
	}
	lines := slices.DeleteFunc(slices.Clone(p.lines), isBlank)
	for n, line := range lines[1:] {
		line = pytext.Strip(line)
		if !slices.ContainsFunc(labels[:], func(text string) bool { return strings.HasPrefix(line, text) }) {
			r.Extra = append(r.Extra, extraLine{n + 2, line})
		}
	}
	return r, nil
}

// text is what stands after a label, nil if it is not there.
func (p *posting) text(l label) *string {
	at, value := p.find(l)
	if at < 0 {
		return nil
	}
	return &value
}

func compensationOf(text string) *compensation {
	c := &compensation{Text: text}
	found, ok := findPay(text)
	if !ok {
		return c
	}
	amount, ok := readAmount(found.number)
	if !ok {
		return c
	}
	c.Amount, c.Period = json.Number(amount.String()), "year"
	if found.period == byHour {
		c.Period = "hour"
	}
	return c
}

// lines prints the posting with its labels in the usual order.
func (r *requisition) lines() []string {
	lines := []string{strings.TrimSpace("[" + r.ID + "] " + r.Title)}
	add := func(l label, value *string) {
		if value != nil {
			lines = append(lines, strings.TrimSpace(labels[l]+" "+*value))
		}
	}
	add(companyLabel, r.Company)
	if r.Location != nil {
		add(locationLabel, &r.Location.Text)
	}
	add(typeLabel, r.Type)
	if r.Compensation != nil {
		add(salaryLabel, &r.Compensation.Text)
	}
	if r.Skills != nil {
		skills := strings.Join(r.Skills, ", ")
		add(skillsLabel, &skills)
	}
	add(postedLabel, r.Posted)
	for _, extra := range r.Extra {
		at := min(max(extra.Line-1, 1), len(lines))
		lines = slices.Insert(lines, at, extra.Text)
	}
	return lines
}
