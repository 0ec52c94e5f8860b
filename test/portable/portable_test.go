// Package portable tests that the program's types are right on systems other than the one that tests it.
package portable

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const module = "agentd/"

// TestTypesForMacOS checks what the compiler checks before it writes code: that names exist and types fit. It takes
// a tenth of the time of compiling.
func TestTypesForMacOS(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := packages.Load(&packages.Config{
		Mode:      packages.LoadAllSyntax,
		Dir:       root,
		Env:       append(os.Environ(), "GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0"),
		ParseFile: parser(root),
	}, module+"cmd/agentd")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	packages.Visit(loaded, nil, func(pkg *packages.Package) {
		if !strings.HasPrefix(pkg.PkgPath, module) {
			return // its functions have no bodies, so its imports seem unused
		}
		read++
		for _, e := range pkg.Errors {
			t.Errorf("%s: %v", pkg.PkgPath, e)
		}
	})
	if read < 100 {
		t.Errorf("read %d packages of this program, want at least 100", read)
	}
}

// parser returns a parser of files that leaves out the bodies of functions outside of root: of those only the types
// are needed.
func parser(root string) func(*token.FileSet, string, []byte) (*ast.File, error) {
	return func(files *token.FileSet, name string, text []byte) (*ast.File, error) {
		file, err := goparser.ParseFile(files, name, text, goparser.SkipObjectResolution)
		if err != nil || strings.HasPrefix(name, root+string(filepath.Separator)) {
			return file, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				f.Body = nil
			}
		}
		return file, nil
	}
}
