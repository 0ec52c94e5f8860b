#!/bin/sh
# Writes the licences of Go and of all modules that the program is built from, with their texts,
# to standard output. Fails if a module has none. GOOS and GOARCH choose the program.
set -eu
printf 'Go, its runtime and standard library\n\n'
cat "$(${GO:-go} env GOROOT)/LICENSE"
echo '--------------------------------------------------------------------------------'
${GO:-go} list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/agentd | sort -u |
while read -r path version dir; do
    files=$(find "$dir" -maxdepth 1 -type f \( -iname 'LICEN[CS]E*' -o -iname 'UNLICEN[CS]E*' -o -iname 'COPYING*' -o -iname 'NOTICE*' \) | LC_ALL=C sort)
    if [ -z "$files" ]; then # a module in a folder of its repository
        files=$(find "$(dirname "$dir")" -maxdepth 1 -type f -iname 'LICEN[CS]E*' | LC_ALL=C sort)
    fi
    if [ -z "$files" ]; then
        echo "licences: $path $version has no licence" >&2
        exit 1
    fi
    printf '%s %s\n\n' "$path" "$version"
    echo "$files" | while read -r file; do cat "$file"; echo; done
    echo '--------------------------------------------------------------------------------'
done
