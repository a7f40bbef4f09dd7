# SPDX-License-Identifier: Apache-2.0
# Calls, activities and stacks in a database: what `ctpost calls` says of them comes out by SQL.
. "$CT_CLI/shared/ctpost.sh"
make_trace api-random
ctpost export --format=sqlite --tables=trace -o t.sqlite api-random.ctrace 2>err || fail "$(cat err)"
ctpost calls --json api-random.ctrace >calls.json 2>err || fail "$(cat err)"

# same SQL FILTER: the rows are the same lines
same() {
	sqlite3 -separator ' ' t.sqlite "$1" | sort >found
	jq -r "$2" calls.json | sort >expected
	[ -s found ] || fail "no rows: $1"
	diff expected found >difference || fail "$1: $(head -5 difference)"
}

same "SELECT name, count(*), sum(duration_ns), sum(bytes) FROM calls WHERE NOT is_inner GROUP BY name" \
	'.call_functions[] | "\(.function) \(.calls) \(.seconds * 1e9 | round) \(.bytes)"'
same "SELECT symbol, is_traced, count(*), sum(duration_ns) FROM activities WHERE kind = 'kernel' GROUP BY symbol, is_traced" \
	'.kernel_times[] | "\(.symbol) \(if .is_traced then 1 else 0 end) \(.launches) \(.seconds * 1e9 | round)"'
same "SELECT replace(copy, ' ', '-'), count(*), sum(bytes) FROM activities WHERE kind = 'copy' GROUP BY copy" \
	'.copy_times[] | select(.direction != "memset") | "\(.direction | gsub(" "; "-")) \(.copies) \(.bytes)"'
same "WITH RECURSIVE up(part, call, name, stack, depth, path) AS (
		SELECT part, call, name, stack, 0, '' FROM calls WHERE NOT is_inner UNION ALL
		SELECT part, call, name, caller_stack, depth + 1, path || '<' || function
			FROM up JOIN stacks USING (stack) JOIN frames USING (stack))
	SELECT name || path, count(*) FROM up WHERE stack IS NULL GROUP BY name, path" \
	'.call_paths[] | "\(.function)\([.frames[] | "<" + .function] | join("")) \(.calls)"'
make_trace api
ctpost export --format=sqlite --tables=threads -o api.sqlite api.ctrace 2>err || fail "$(cat err)"
[ "$(sqlite3 api.sqlite 'SELECT host_thread, name FROM threads' | tr '\n' ' ')" = '100|solver 101|worker ' ] ||
	fail "names of threads"
