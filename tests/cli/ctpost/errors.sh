# SPDX-License-Identifier: Apache-2.0
# Wrong command lines and unreadable traces: one line, the right exit status.
. "$CT_CLI/shared/ctpost.sh"
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

# Incomplete traces: one line if nothing can be read, else what can and a warning that says how much cannot.
mkdir manifest.ctrace
cp base.ctrace/manifest-0.json manifest.ctrace
for command in info dump; do
	status 1 ctpost $command manifest.ctrace
	one_line "manifest.ctrace: holds no events-*.ct"
done
status 0 ctpost dump base.ctrace
cp out whole
bytes=$(wc -c <base.ctrace/device-0-0.ct)
cp -r base.ctrace cut.ctrace
head -c $((bytes - 1)) base.ctrace/device-0-0.ct >cut.ctrace/device-0-0.ct
status 0 ctpost dump cut.ctrace
grep -q "warning: device-0-0.ct: ends inside a chunk at byte .* its last [0-9]* bytes are lost" err ||
	fail "a cut file without a warning: $(cat err)"
[ "$(wc -l <out)" -lt "$(wc -l <whole)" ] || fail "what was cut is shown"
: >cut.ctrace/device-0-0.ct
status 0 ctpost dump cut.ctrace
grep -q "warning: device-0-0.ct: is empty" err || fail "an empty file without a warning"
rm cut.ctrace/device-0-0.ct
printf '{"totals": {"trace_bytes": %d}}' $(($(wc -c <cut.ctrace/events-0.ct) + bytes)) \
	>cut.ctrace/manifest-0.json
status 0 ctpost dump cut.ctrace
grep -q "warning: manifest-0.json: .* of which $bytes are missing" err ||
	fail "a missing file without a warning: $(cat err)"
cp -r base.ctrace flipped.ctrace
printf X | dd of=flipped.ctrace/device-0-0.ct bs=1 seek=80 conv=notrunc 2>/dev/null
status 0 ctpost dump flipped.ctrace
grep -q "warning: .* checksum does not match; its [0-9]* bytes of records are lost" err ||
	fail "a changed file without a warning: $(cat err)"
