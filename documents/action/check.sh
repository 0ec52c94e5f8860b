#!/usr/bin/env bash
# Compare the documents that a pull request changes with agentd diff, by the meaning of their
# formats, and fail by a rule. It runs in a git repository and is told by the environment:
#
#   BASE     commit that the change is based on
#   HEAD     commit with the change (default HEAD)
#   PATHS    git pathspecs of the files to look at, a line each (default all)
#   FAIL_ON  what fails, with commas: lost, changed, added, moved, or any, or none (default lost)
#   AGENTD   the program (default agentd)
#   JUNIT    file to write the result to as JUnit's XML (default none)
#
# The summary goes to GITHUB_STEP_SUMMARY, if that is set, and to standard output. Exit status: 0
# if the rule holds, 1 if it does not, 2 if the comparison cannot be made.
set -euo pipefail

agentd=${AGENTD:-agentd}
rule=${FAIL_ON:-lost}

fail() {
	echo "check.sh: $*" >&2
	exit 2
}

for kind in ${rule//,/ }; do
	case $kind in
	lost | changed | added | moved | any | none) ;;
	*) fail "FAIL_ON: \"$kind\" is none of lost, changed, added, moved, any, none" ;;
	esac
done
head=$(git rev-parse --verify --quiet "${HEAD:-HEAD}^{commit}") || fail "HEAD: there is no commit ${HEAD:-HEAD}; check out with fetch-depth: 0"
base=$(git rev-parse --verify --quiet "${BASE:?names the commit to compare with}^{commit}") || fail "BASE: there is no commit $BASE; check out with fetch-depth: 0"
base=$(git merge-base "$base" "$head") || fail "$BASE and $head have no common commit; check out with fetch-depth: 0"

cd "$(git rev-parse --show-toplevel)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/before" "$work/after"

# put SIDE PATH BLOB writes a version of a file below a side. A path that leads elsewhere is of a forged tree.
put() {
	[[ /$2/ != */../* ]] || fail "a path with .. cannot be compared: $(printf %q "$2")"
	local file=$work/$1/$2
	{ mkdir -p "${file%/*}" && git cat-file blob "$3" >"$file"; } || fail "it cannot be compared: $(printf %q "$2")"
}

# is_file MODE: links and submodules are no documents.
is_file() { [[ $1 == 100644 || $1 == 100755 ]]; }

pathspecs=()
while IFS= read -r line; do
	if [[ -n $line ]]; then pathspecs+=("$line"); fi
done <<<"${PATHS:-}"

# The files that changed. A file that was renamed has its old name on both sides: that says what document it was,
# and no new name can hide what became of it.
git diff --raw -z --no-abbrev --find-renames --diff-filter=ADMRT "$base" "$head" -- ${pathspecs[@]+"${pathspecs[@]}"} >"$work/changed" ||
	fail "git diff failed; PATHS has git pathspecs, a line each"
while IFS= read -r -d '' entry; do
	read -r mode_before mode_after blob_before blob_after status <<<"${entry#:}"
	IFS= read -r -d '' path
	if [[ $status == R* ]]; then IFS= read -r -d '' _; fi
	if is_file "$mode_before"; then put before "$path" "$blob_before"; fi
	if is_file "$mode_after"; then put after "$path" "$blob_after"; fi
	path=./$path
	printf '%s/\0' "${path%/*}" >>"$work/folders"
done <"$work/changed"

if [[ ! -s $work/changed ]]; then
	echo "no file changed that is looked at" | tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}"
	exit 0
fi

# A document may be several files of a folder, such as the tables of a feed. So the files next
# to one that changed go along, if they are the same on both sides.
sort -zu "$work/folders" >"$work/sorted"
while IFS= read -r -d '' folder; do
	folder=${folder#./}
	git --literal-pathspecs ls-tree -z "$base" ${folder:+-- "$folder"} >"$work/entries"
	while IFS= read -r -d '' entry; do
		path=${entry#*$'\t'}
		read -r mode _ blob <<<"${entry%%$'\t'*}"
		if is_file "$mode" && [[ $(git rev-parse --quiet --verify "$head:$path") == "$blob" ]]; then
			put before "$path" "$blob"
			put after "$path" "$blob"
		fi
	done <"$work/entries"
done <"$work/sorted"

compare() { "$agentd" diff --hidden --format "$1" -- "$work/before" "$work/after" || fail "agentd diff failed"; }

compare markdown | tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}"
if [[ -n ${JUNIT:-} ]]; then compare junit >"$JUNIT"; fi
compare json >"$work/report.json"

broken=()
# found PATTERN NAME notes that the rule is broken where a line of the report fits the pattern.
# Texts of documents cannot fit: quotes in them are escaped.
found() {
	if grep -qE "^ *\"$1\",?\$" "$work/report.json"; then broken+=("$2"); fi
}
for kind in ${rule//,/ }; do
	case $kind in
	none) ;;
	any) found 'status": "(changed|added|removed|unreadable)' "something changed" ;;
	lost)
		found 'kind": "lost' "something was lost"
		found 'status": "removed' "a document was removed"
		found 'status": "unreadable' "a document can no longer be read"
		;;
	added)
		found 'kind": "added' "something was added"
		found 'status": "added' "a document was added"
		;;
	changed)
		found 'kind": "changed' "something was changed"
		found 'field": ".*' "a field was changed or lost"
		;;
	*) found "kind\": \"$kind" "something was $kind" ;;
	esac
done
if [[ $rule != none ]]; then found 'why": ".*' "a file could not be compared"; fi
if ((${#broken[@]} > 0)); then
	printf '\nThe rule (%s) does not hold:\n\n' "$rule" | tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}"
	printf -- '- %s\n' "${broken[@]}" | tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}"
	exit 1
fi
