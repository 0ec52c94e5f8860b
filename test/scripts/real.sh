#!/bin/sh
# Runs agentd with a real model on this machine: llama.cpp's server and SmolLM2-135M-Instruct, from the packages of test/real.
# Every interaction must end with an answer of the model; how well it edits is not tested. With a FILE, the summary
# is written there; without one, the results stay in real.db.
#   sh test/scripts/real.sh [FILE]
set -eu
say() { printf '\n%s\n' "$*" >&2; }
work=$(mktemp -d)
db=$work/real.db
if [ $# -eq 0 ]; then
	db=real.db
	rm -f real.db*
fi
mkfifo "$work/in"
say "1 of 3: starting llama.cpp's server with SmolLM2 (seconds)"
test/real/.venv/bin/python test/real/serve.py <"$work/in" >"$work/address" 2>"$work/log" &
server=$!
exec 3>"$work/in" # the server ends when this does
trap 'exec 3>&-; wait "$server" || true; rm -rf "$work"' EXIT
while ! [ -s "$work/address" ]; do
	kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
	sleep 0.2
done
at="$(cat "$work/address")/v1"

say "2 of 3: asking the model once: how fast is it, and what fits? (seconds; minutes on a busy machine)"
bin/agentd check --model smollm2-135m --base-url "$at"
# A model of this size may repeat itself to the end of its context, so answers and turns are bounded.
cat >"$work/small.yaml" <<END
name: small
models: [{name: smollm2-135m, base_url: "$at", max_output: 300, price: {input: 0, output: 0}}]
policies: [direct, agentic]
environments: {data: $PWD/examples/small}
relay: {round_trips: 1}
limits: {max_turns: 2}
END
say "3 of 3: 16 edits, one at a time: about 7 s each on an idle machine; a line says how far it is, the table comes at the end"
status=0
bin/agentd run "$work/small.yaml" --db "$db" >"$work/summary" || status=$?
cat "$work/summary"
case $status in
0 | 4) ;; # 4: the model carried out none of the edits
*) exit "$status" ;;
esac
[ $# -eq 0 ] || cp "$work/summary" "$1"
bin/agentd export --db "$db" --format jsonl >"$work/rows"
python3 - "$work/rows" <<'CHECK'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
failed = [row for row in rows if row["error.type"] in ("model error", "sandbox failure", "too long") or not row["gen_ai.usage.output_tokens"]]
assert len(rows) == 16 and not failed, f"{len(rows)} interactions, want 16; without an answer: {failed}"
CHECK
