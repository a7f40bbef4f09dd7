# SPDX-License-Identifier: Apache-2.0
# SQLite, CSV, JSON and HDF5 say the same, and what docs/tables.md says.
. "$CT_CLI/shared/ctpost.sh"
. "$CT_CLI/export/lib.sh"

# calls: many kinds of sites, some without a source; halo: streams, host transfers; values.
for trace in halo calls values; do
	if [ $trace = halo ]; then make_comm_trace $trace; else make_trace $trace; fi
	for format in sqlite csv json hdf5; do
		status 0 ctpost export --format=$format --history=all --tables=all,values -o $trace.$format $trace.ctrace
	done
	types_of $trace.csv >types
	for format in sqlite csv json hdf5; do
		${format}_tables $trace.$format $trace.$format.d
		# Each export names its own format; h5dump indents the lines of the manifest.
		grep -v -e "^option format" -e "^manifest" $trace.$format.d/meta >meta
		mv meta $trace.$format.d/meta
		# Text that begins as a formula has an apostrophe in CSV alone.
		[ $format != csv ] || sed -i "s/'--ct-/--ct-/" $trace.csv.d/*
	done
	for format in sqlite json hdf5; do
		diff -r $trace.csv.d $trace.$format.d >differences || {
			head -20 differences
			fail "$trace: $format and csv differ"
		}
	done
done
[ "$(wc -l <halo.csv.d/transfers)" -gt 500 ] || fail "few transfers"

# Values: as ctpost values has them.
ctpost values --json values.ctrace >figures
sums='[.value_lines, .value_sets, .value_launches, .value_transfers]'
[ "$(jq -c "$sums" values.json)" = "$(jq -c "$sums" figures)" ] || fail "values: $(jq -c "$sums" values.json)"

# The HDF5 file is chunked and compressed, and says what its columns are.
h5dump -H -p -d /transfers/bytes halo.hdf5 >out
grep -q "CHUNKED ( 16384 )" out || fail "not chunked"
grep -q "COMPRESSION DEFLATE" out || fail "not compressed"
h5dump -a /launches/called_ns/unit halo.hdf5 | grep -q '"ns"' || fail "no unit"
h5dump -a /launches/key halo.hdf5 | grep -q '"part, launch"' || fail "no key"

# The document has every table and column.
awk '
	/^### / { now = $2 }
	FNR == NR && /^\| `/ { split($0, part, "`"); known[now, part[2]] = 1 }
	FNR != NR && !(($1, $2) in known) { print $1 "." $2 }' "$CT_CLI/../../docs/tables.md" types >lacking
[ ! -s lacking ] || fail "docs/tables.md lacks $(head -n 3 lacking)"

# Tables that are asked for, and no others.
make_comm_trace shift
status 0 ctpost export --format=csv --tables=launches,distances -o some shift.ctrace
[ "$(ls some | tr '\n' ' ')" = "distances.csv launches.csv meta.csv schema.csv " ] || fail "tables: $(ls some)"
status 0 ctpost export --format=csv --tables=trace -o trace shift.ctrace
[ -e trace/site_counts.csv ] || fail "no counts of sites"
[ ! -e trace/transfers.csv ] || fail "transfers are no table of the trace"
[ ! -e trace/history.csv ] || fail "history was not asked for"
status 0 ctpost export --format=csv -o shift.csv shift.ctrace
cmp trace/launches.csv shift.csv/launches.csv || fail "other launches"
# Rows that belong to rows of another table are asked for by their own name, too, and come with these.
status 0 ctpost export --format=csv --tables=value_tops -o tops values.ctrace
[ "$(wc -l <tops/value_tops.csv)" -gt 1 ] && [ -e tops/value_sets.csv ] || fail "no values of sets: $(ls tops)"
