package compare

import (
	"encoding/xml"
	"fmt"
	"io"

	"agentd/internal/printable"
)

// The elements of JUnit XML that test report readers support.
type (
	// Suites is a root element with several suites. Its counts are the sums over the suites.
	Suites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr,omitempty"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Suites   []Suite  `xml:"testsuite"`
	}
	// Suite is a group of tests with the numbers of failed and skipped ones.
	Suite struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Skipped  int      `xml:"skipped,attr,omitempty"`
		Cases    []Case   `xml:"testcase"`
	}
	// Case is a test. It passed if it has neither Failure nor Skipped.
	Case struct {
		Name    string  `xml:"name,attr"`
		Class   string  `xml:"classname,attr"`
		Failure *Reason `xml:"failure"`
		Skipped *Reason `xml:"skipped"`
		Output  string  `xml:"system-out,omitempty"`
	}
	// Reason is why a test failed or was skipped.
	Reason struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// Add adds a test to a suite and counts it.
func (s *Suite) Add(c Case) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// Add adds a suite and its counts.
func (s *Suites) Add(suite Suite) {
	s.Tests += suite.Tests
	s.Failures += suite.Failures
	s.Suites = append(s.Suites, suite)
}

// WriteJUnit writes a Suite or Suites as an XML document.
func WriteJUnit(w io.Writer, root any) error {
	out, err := xml.MarshalIndent(root, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(printable.ForPrograms(w), "%s%s\n", xml.Header, out)
	}
	if err != nil {
		return fmt.Errorf("writing JUnit: %w", err)
	}
	return nil
}
