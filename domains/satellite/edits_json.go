package satellite

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// message is an Orbit Mean-Elements Message. Its values are texts, so that no
// digit is lost.
type message struct {
	Name         string   `json:"OBJECT_NAME"`
	ID           string   `json:"OBJECT_ID"`
	Epoch        string   `json:"EPOCH"`
	Motion       string   `json:"MEAN_MOTION"`
	Eccentricity string   `json:"ECCENTRICITY"`
	Inclination  string   `json:"INCLINATION"`
	Node         string   `json:"RA_OF_ASC_NODE"`
	Perigee      string   `json:"ARG_OF_PERICENTER"`
	Anomaly      string   `json:"MEAN_ANOMALY"`
	Ephemeris    string   `json:"EPHEMERIS_TYPE"`
	Class        string   `json:"CLASSIFICATION_TYPE"`
	Catalog      string   `json:"NORAD_CAT_ID"`
	SetNumber    string   `json:"ELEMENT_SET_NO"`
	Revolution   string   `json:"REV_AT_EPOCH"`
	Bstar        string   `json:"BSTAR"`
	MotionDot    string   `json:"MEAN_MOTION_DOT"`
	MotionDotDot string   `json:"MEAN_MOTION_DDOT"`
	CatalogTwo   string   `json:"USER_DEFINED_CAT_ID_2,omitempty"`
	Checksum     string   `json:"USER_DEFINED_CHECKSUM_1,omitempty"`
	ChecksumTwo  string   `json:"USER_DEFINED_CHECKSUM_2,omitempty"`
	Comments     []string `json:"COMMENT,omitempty"`
}

// inJSON makes a message of each element set.
func inJSON(p struct{ Document, To string }) exact.Steps {
	return steps(p.Document, func(records []record) vfs.Files {
		return vfs.Files{p.To: plain.WriteJSON(lists.Each(records, (*record).message))}
	}, func(files vfs.Files) (c catalogue, err error) {
		var messages []message
		if err := plain.JSON(files, p.To, &messages); err != nil {
			return c, err
		}
		if len(messages) == 0 {
			return c, fmt.Errorf("%s has no message", p.To)
		}
		c.entries = lists.Each(messages, (*message).entry)
		return c, nil
	})
}

func (r *record) message() message {
	f, odd := &r.fields, r.odd()
	return message{
		Name: pytext.Strip(r.name), ID: f.launch().designator, Epoch: f.isoEpoch(),
		Motion: f[motion], Eccentricity: pointed(f[eccentricity]), Inclination: f[inclination], Node: f[node],
		Perigee: f[perigee], Anomaly: f[anomaly],
		Ephemeris: f[ephemeris], Class: f[class], Catalog: f[catalog], SetNumber: f[setNumber], Revolution: f[revolution],
		Bstar: writtenOut(f[bstar]), MotionDot: f[motionDot], MotionDotDot: writtenOut(f[motionDotDot]),
		CatalogTwo: odd[0], Checksum: odd[1], ChecksumTwo: odd[2], Comments: r.comments(),
	}
}

// pointed writes the assumed decimal point of an eccentricity.
func pointed(text string) string {
	if text == "" {
		return ""
	}
	return "0." + text
}

// writtenOut writes "-11371-3" as "-0.11371E-3". What has another form stays.
func writtenOut(text string) string {
	sign, decimals, exponent, ok := cutDecimal(text)
	if !ok {
		return text
	}
	return sign + "0." + decimals + "E" + exponent
}

// assumed undoes writtenOut.
func assumed(text string) string {
	return strings.Replace(strings.Replace(pytext.Strip(text), "0.", "", 1), "E", "", 1)
}

const (
	isoTime = "2006-01-02T15:04:05.000000"
	// unit is a hundred-millionth of a day.
	unit = 864 * time.Microsecond
)

func (at instant) String() string {
	return at.date.Add(time.Duration(at.fraction) * unit).Format(isoTime)
}

// isoEpoch is the epoch as a date and time. An epoch that is none stays.
func (f *fields) isoEpoch() string {
	at, ok := f.epoch()
	if !ok {
		return f[year] + f[day]
	}
	return at.String()
}

// setEpoch undoes isoEpoch.
func (f *fields) setEpoch(text string) {
	text = pytext.Strip(text)
	at, err := time.Parse(isoTime, text)
	if err != nil {
		f[year], f[day] = text[:min(2, len(text))], text[min(2, len(text)):]
		return
	}
	fraction := at.Sub(at.Truncate(24*time.Hour)).Round(unit) / unit
	f[year], f[day] = at.Format("06"), fmt.Sprintf("%03d.%08d", at.YearDay(), fraction)
}

var longDesignator = regexp.MustCompile(`^\d\d(\d\d)-(\d{3}[A-Z]{1,3})$`)

func (m *message) entry() entry {
	f := fields{
		catalog: m.Catalog, class: m.Class, designator: longDesignator.ReplaceAllString(m.ID, "$1$2"),
		motionDot: m.MotionDot, motionDotDot: assumed(m.MotionDotDot), bstar: assumed(m.Bstar),
		ephemeris: m.Ephemeris, setNumber: m.SetNumber, checksum: m.Checksum, catalogTwo: m.CatalogTwo,
		inclination: m.Inclination, node: m.Node, eccentricity: strings.TrimPrefix(m.Eccentricity, "0."),
		perigee: m.Perigee, anomaly: m.Anomaly, motion: m.Motion, revolution: m.Revolution, checksumTwo: m.ChecksumTwo,
	}
	f.setEpoch(m.Epoch)
	e := entry{above: m.Comments, name: m.Name}
	e.one, e.two = f.lines()
	return e
}
