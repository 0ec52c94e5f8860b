package guard

import (
	"strings"
	"testing"

	"agentd/documents/compare"
	"agentd/sandbox"
	"agentd/vfs"
)

func TestRulesOnBytesAndRenames(t *testing.T) {
	t.Parallel()
	crlf := vfs.Files{"stock.csv": strings.ReplaceAll(stock, "\n", "\r\n")}
	moved := vfs.Files{"store.csv": stock}
	less := vfs.Files{"store.csv": strings.Replace(stock, "3,Lamp,white,9.90,light,1\n", "", 1)}
	for name, c := range map[string]struct {
		after       vfs.Files
		allow, deny string
		want        Verdict
	}{
		"line ends, no rule":               {crlf, "", "", Allowed},
		"line ends, another rule":          {crlf, "", "lost", Allowed},
		"line ends":                        {crlf, "", "bytes", Denied},
		"the property that is named":       {crlf, "", "bytes:line_ends", Denied},
		"another property":                 {crlf, "", "bytes:encoding", Allowed},
		"an edit that keeps the bytes":     {vfs.Files{"stock.csv": strings.Replace(stock, "12.00", "11.00", 1)}, "", "bytes", Undecided},
		"quotes alone":                     {vfs.Files{"stock.csv": strings.Replace(stock, "Buoy", `"Buoy"`, 1)}, "", "bytes", Denied},
		"a rename":                         {moved, "", "lost", Undecided},
		"a rename that is denied":          {moved, "", "renamed", Denied},
		"a rename that is allowed":         {moved, "renamed", "lost", Allowed},
		"a rename with a loss":             {less, "renamed", "lost", Denied},
		"a rename with a loss, no rule":    {less, "renamed", "", Undecided},
		"a file that is gone, and another": {vfs.Files{"b.txt": "other\n"}, "renamed", "lost", Denied},
	} {
		rule, err := NewRule(split(c.allow), split(c.deny))
		if err != nil {
			t.Fatal(err)
		}
		got := Allowed
		report := compare.Compare(vfs.Files{"stock.csv": stock}, c.after, nil)
		for _, d := range report.Documents {
			got = max(got, rule.Judge(d))
			if refused := rule.Refused(d); got == Denied && len(refused) == 0 {
				t.Errorf("%s: it is not said what is refused", name)
			}
		}
		if got != c.want {
			t.Errorf("%s: verdict %d, want %d: %+v", name, got, c.want, report.Documents)
		}
	}
}

func TestTheServerWritesFilesInTheirOwnEncoding(t *testing.T) {
	t.Parallel()
	const before, after = "1\n00:00:01,000 --> 00:00:02,000\nDu th\xe9 ?\n", "1\n00:00:01,000 --> 00:00:02,000\nDu caf\xe9 ?\n"
	f, dir := opened(t, vfs.Files{"a.srt": before, "b.txt": "b\n"})
	rule, err := NewRule(nil, []string{"lost", "bytes"})
	if err != nil {
		t.Fatal(err)
	}
	server := NewServer(f, rule, func() (sandbox.Backend, error) { return nil, sandbox.ErrUnavailable })
	outcome, err := server.Call(t.Context(), "read_file", `{"path":"a.srt"}`)
	if err != nil || outcome.Failed || !strings.Contains(outcome.Text, "Du thé ?") {
		t.Errorf("read: %v, %+v", err, outcome)
	}
	outcome, err = server.Call(t.Context(), "write_file", `{"path":"a.srt","content":"1\n00:00:01,000 --> 00:00:02,000\nDu café ?\n"}`)
	if got := on(t, dir)["a.srt"]; err != nil || outcome.Failed || got != after {
		t.Errorf("written as %q: %v, %+v", got, err, outcome)
	}
	outcome, err = server.Call(t.Context(), "write_file", `{"path":"a.srt","content":"1\n00:00:01,000 --> 00:00:02,000\n日本\n"}`)
	if got := on(t, dir)["a.srt"]; err != nil || !outcome.Failed || got != after || !strings.Contains(outcome.Text, "windows-1252") {
		t.Errorf("letters that it does not have: %q: %v, %+v", got, err, outcome)
	}
}
