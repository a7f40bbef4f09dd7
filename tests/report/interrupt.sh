# SPDX-License-Identifier: Apache-2.0
# An interrupt during the analysis leaves no file.
. "$CT_CLI/shared/comm.sh"
"$CT_RANDOM_TRACE" long.ctrace 1 4000
# TERM when the temporary file is there.
"$CT_BIN/ctpost" report long.ctrace -o a.html --threads=1 2>err &
process=$!
tries=0
while [ -z "$(find . -name 'a.html.*')" ]; do
	tries=$((tries + 1))
	[ $tries -lt 1000 ] || fail "no temporary file appeared: $(cat err)"
	sleep 0.01
done
kill -TERM $process
got=0
wait $process || got=$?
[ $got = 143 ] || fail "TERM: exit status $got"
[ -z "$(find . -name 'a.html*')" ] || fail "TERM leaves $(ls)"

# INT is ignored by what a script runs in the background; so by time.
got=0
timeout --preserve-status -s INT 0.3 "$CT_BIN/ctpost" report long.ctrace -o a.html --threads=1 2>err || got=$?
[ $got = 130 ] || fail "INT: exit status $got"
[ -z "$(find . -name 'a.html*')" ] || fail "INT leaves $(ls)"
