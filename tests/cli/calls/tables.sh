# SPDX-License-Identifier: Apache-2.0
# dump --tables: rows of the tables, and what goes with it.
. "$CT_CLI/shared/ctpost.sh"
make_trace api

ctpost dump --tables=stack,call api.ctrace >out
golden tables-dump out
ctpost dump --tables=activity --format=csv api.ctrace >out
golden tables-csv out
ctpost dump --tables=wait,use api.ctrace >out
golden tables-uses out
ctpost dump --tables=activity --format=jsonl --limit=2 api.ctrace >out
[ "$(jq -r '[.table, .row, .kind, (.flags | join("+")), .name] | join(" ")' out | tr '\n' ';')" = \
	'activity 1 copy pageable ;activity 2 kernel  _Z5countv;' ] || fail "$(cat out)"

status 2 ctpost dump --tables=calls api.ctrace
one_line 'names of tables: call, activity, stack, content, cta, wait, use, frame, source, source_line'
status 2 ctpost dump --tables=call,stack --format=csv api.ctrace
one_line 'CSV is of one of them'
status 2 ctpost dump --tables=call --kernels=x api.ctrace
one_line '--kernels is about accesses, and --tables shows none'
