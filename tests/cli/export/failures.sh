# SPDX-License-Identifier: Apache-2.0
# export: wrong options, interrupts, full disks; nothing incomplete stays.
. "$CT_CLI/shared/ctpost.sh"
. "$CT_CLI/shared/interrupt.sh"
. "$CT_CLI/export/lib.sh"

make_comm_trace shift
status 2 ctpost export --format=sqlite shift.ctrace
one_line "-o FILE"
status 2 ctpost export --format=csv shift.ctrace
one_line "-o DIR"
status 2 ctpost export --format=xml -o x shift.ctrace
one_line "--format='xml'"
status 2 ctpost export --format=csv --tables=launches,lunches -o x shift.ctrace
one_line "no table 'lunches'"
status 2 ctpost export --format=csv --history=some -o x shift.ctrace
one_line "--history='some'"
status 2 ctpost export --format=csv --kernels='(' -o x shift.ctrace
one_line "--kernels='('"
status 2 ctpost export --format=csv --memory=lots -o x shift.ctrace
one_line "--memory='lots'"
status 1 ctpost export --format=sqlite -o x nowhere.ctrace
one_line nowhere.ctrace
mkdir empty.ctrace
status 1 ctpost export --format=perfetto -o x empty.ctrace
one_line empty.ctrace
status 1 ctpost export --format=json -o nowhere/x shift.ctrace
one_line nowhere/x
[ ! -e x ] || fail "a file although it failed"

# Files that are there already are replaced, directories in use are not.
echo old >there
status 0 ctpost export --format=json -o there shift.ctrace
jq -e .launches there >/dev/null || fail "not replaced"
mkdir used
echo mine >used/file
status 1 ctpost export --format=csv -o used shift.ctrace
one_line "used: not empty"
[ "$(ls used)" = file ] || fail "wrote into a directory in use"
status 1 ctpost export --format=csv -o there shift.ctrace
one_line "there: not a directory"
status 1 ctpost export --format=sqlite -o used shift.ctrace
one_line "used: not a regular file"
mkdir fresh
status 0 ctpost export --format=csv -o fresh/ shift.ctrace
[ -e fresh/launches.csv ] || fail "an empty directory is not used"

# A damaged trace is exported as far as it goes, and says so.
make_trace damaged
for format in sqlite hdf5 json perfetto; do
	status 0 ctpost export --format=$format -o damaged.$format damaged.ctrace
	grep -q "warning" err || fail "$format: no warning"
done
[ "$(sqlite3 damaged.sqlite "SELECT chunks, launch FROM losses")" = "12|4" ] || fail "the loss"
[ "$(sqlite3 damaged.sqlite "SELECT count(*) FROM launches WHERE done_ns IS NULL")" = 1 ] || fail "no end"

# A disk that is full: the old file stays as it was.
if (ulimit -f 8) 2>/dev/null; then
	for format in sqlite json hdf5 csv perfetto; do
		echo old >full.$format
		[ $format != csv ] || rm full.csv
		(
			trap '' XFSZ
			ulimit -f 8 # 4 or 8 KiB
			status 1 ctpost export --format=$format -o full.$format shift.ctrace
		) || fail "$format on a full disk"
		[ $format = csv ] || [ "$(cat full.$format)" = old ] || fail "$format: the old file is gone"
	done
fi
[ ! -e full.csv ] || fail "a directory although it failed"

# Interrupts, as soon as there is something to clean up, and with tables that are half there.
for format in sqlite csv json hdf5; do
	for signal in INT TERM HUP; do
		interrupted $signal .partial- "$CT_BIN/ctpost" export --format=$format -o long.$format shift.ctrace
		[ ! -e long.$format ] || fail "$format: incomplete output after SIG$signal"
	done
done
interrupted TERM objects.csv "$CT_BIN/ctpost" export --format=csv -o long.csv shift.ctrace
[ ! -e long.csv ] || fail "an incomplete directory"
[ "$(find . -name '*partial*')" = "" ] || fail "left: $(find . -name '*partial*')"

# Old, damaged and foreign traces: a sound file, or one line of error.
for trace in "$CT_CLI"/../golden/*.ctrace; do
	for format in sqlite hdf5 perfetto; do
		rm -f golden
		got=0
		ctpost export --format=$format --history=all -o golden "$trace" >out 2>err || got=$?
		if [ $got = 0 ]; then
			case $format in
			sqlite) [ "$(sqlite3 golden "PRAGMA foreign_key_check; PRAGMA integrity_check")" = ok ] ;;
			hdf5) h5dump -H golden >/dev/null ;;
			perfetto) jq -e .traceEvents golden >/dev/null ;;
			esac || fail "$trace as $format"
		else
			[ $got = 1 ] && [ "$(grep -vc "^ctpost: warning" err)" = 1 ] || fail "$trace: $got $(cat err)"
			[ ! -e golden ] || fail "$trace: a file although it failed"
		fi
	done
done
