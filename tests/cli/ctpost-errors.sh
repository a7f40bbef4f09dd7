# SPDX-License-Identifier: Apache-2.0
# Wrong command lines and unreadable traces: one line, the right exit status.
. "$CT_CLI/ctpost-lib.sh"
make_trace base

status 2 ctpost ifno base.ctrace
one_line "ctpost: unknown command 'ifno'; did you mean 'info'?"
status 2 ctpost zzzzzzzz
one_line "ctpost: unknown command 'zzzzzzzz'; see 'ctpost --help'"
status 2 ctpost --versoin
one_line "unknown option '--versoin'; did you mean '--version'?"
status 2 ctpost info --jsno base.ctrace
one_line "ctpost: info: unknown option '--jsno'; did you mean '--json'?"
status 2 ctpost info -x base.ctrace
one_line "unknown option '-x'"
status 2 ctpost info
one_line "expected TRACE"
status 2 ctpost info base.ctrace base.ctrace
one_line "unexpected argument"
status 2 ctpost info --json=yes base.ctrace
one_line "takes no argument"
status 2 ctpost info base.ctrace --launch
one_line "--launch=N"
status 2 ctpost info --launch=zero base.ctrace
one_line "--launch='zero'"
status 2 ctpost dump --format=xml base.ctrace
one_line "--format='xml' is not one of text|csv|jsonl"
status 2 ctpost dump --launch=5-2 base.ctrace
one_line "--launch='5-2'"
status 2 ctpost dump --kernel='(' base.ctrace
one_line "--kernel='('"
status 2 ctpost dump --site=here base.ctrace
one_line "--site='here'"
status 2 ctpost dump --cta=1,2,3,4 base.ctrace
one_line "--cta='1,2,3,4'"
status 2 ctpost dump --limit=many base.ctrace
one_line "--limit='many'"
status 2 ctpost export -o x base.ctrace
one_line "--format is missing"
status 2 ctpost export --format=memtrace base.ctrace
one_line "-o DIR"
status 2 ctpost import --format=memtrace x
one_line "-o TRACE"
status 1 ctpost info nowhere.ctrace
one_line "nowhere.ctrace"
mkdir empty.ctrace
status 1 ctpost info empty.ctrace
one_line "empty.ctrace"
mkdir noise.ctrace
head -c 4096 "$CT_BIN/ctpost" >noise.ctrace/events-0.ct
status 1 ctpost dump noise.ctrace
one_line "noise.ctrace"
status 2 ctpost --generate=man:nothing
one_line "man:nothing"
status 0 ctpost --version
grep -q '^ctpost (cuda-trace) [0-9]' out || fail "version"
[ ! -w /dev/full ] || {
	got=0
	ctpost info base.ctrace >/dev/full 2>err || got=$?
	[ $got = 1 ] || fail "a full disk was not noticed"
	one_line "cannot write the output"
}
