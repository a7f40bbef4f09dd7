# SPDX-License-Identifier: Apache-2.0
# ctpost report: its figures are those of comm, its file is whole or not there, errors are one line.
. "$CT_CLI/shared/comm.sh"
make_comm halo
make_comm shift

# data FILE: the tables of the page, in json
data() {
	page_tables "$1" >json
	jq -e '.schema == "cudatrace-page-1"' json >log || fail "$1: no JSON"
}

# of_comm OPTION... TRACE: figures.jq of those of comm, in comm.json
of_comm() {
	ctpost comm --json "$@" 2>err | jq -f "$CT_CLI/../comm/figures.jq" >comm.json
}

# as_comm FILTER OF_COMM: the same in the report and in comm.json
as_comm() {
	got=$(jq -c "$1" json)
	want=$(jq -c "$2" comm.json)
	[ "$got" = "$want" ] && [ "$got" != null ] || fail "$1 is $got instead of $want"
}

ctpost report halo.ctrace -o halo.html 2>err || fail "$(cat err)"
one_line "1 of 28 launches were not traced"
[ "$(ls -d halo.html*)" = halo.html ] || fail "more than the file: $(ls)"
head -c 15 halo.html | grep -qi '<!doctype html>' || fail "not a page"
! grep -Eq '<(script|link|img)[^>]*(src|href)=' halo.html || fail "the page loads something"
grep -q "d3js.org v[5-9].* Mike Bostock" halo.html || fail "D3 without its header"
grep -q "Redistributions of source code must retain" halo.html || fail "D3 without its licence"
data halo.html
of_comm --scale=2-16 halo.ctrace
for field in load_bytes store_bytes communicated_load_bytes communicated_store_bytes transfers transferred_bytes \
	self_transfers self_bytes unwritten_bytes exchanged_store_bytes; do
	as_comm ".comm_totals[0].$field" ".volume.$field"
done
for field in communicated_share exchanged_share; do
	as_comm "(.comm_totals[0].$field * 100000 | round)" "(.volume.$field * 100000 | round)"
done
# bins NAME: those of a histogram, as comm has them
bins() {
	echo "[.page_bins[] | select(.histogram == \"$1\") | {(.first_key | tostring): .count}] | add"
}
as_comm '[.page_bins[] | select(.histogram == "transfer_sizes") | .first_key]' '[.transfer_size_cdf[] | .bytes]'
mv comm.json with.json && of_comm --exchanged halo.ctrace
for field in communicated_store_bytes communicated_load_bytes transfers transferred_bytes; do
	as_comm ".exchanged_totals[0].$field" ".volume.$field"
done
as_comm '[.page_bins[] | select(.histogram == "exchanged_transfer_sizes") | .count]' '[.transfer_size_cdf[] | .transfers] | [foreach .[] as $n (0; . + $n)]'
as_comm "$(bins exchanged_distances)" .superstep_distance
as_comm '[.exchanged_kernel_volumes[] | [.communicated_load_bytes, .communicated_store_bytes]]' '[.kernels[] | [.communicated_load_bytes, .communicated_store_bytes]]'
mv with.json comm.json
as_comm "$(bins in_degrees)" .degree.in.histogram
as_comm "$(bins out_degrees)" .degree.out.histogram
as_comm "$(bins distances)" .superstep_distance
as_comm "$(bins load_strides)" .strides.load
as_comm "$(bins store_strides)" .strides.store
as_comm '[.bisection[].bytes]' '[.bisection.x, .bisection.y, .bisection.z] | map(.bytes)'
as_comm '[.page_cells[] | select(.view == 0) | [.source_bin, .target_bin, .transfers, .bytes]]' .density.cells
as_comm '[.page_views[] | select(.source_kernel) | [.source_kernel, .target_kernel, .bytes]]' '[.kernel_pairs[] | [.source, .target, .bytes]]'
as_comm '[.page_views[] | select(.launches) | [.launches, .first_launch, .last_launch, .bytes]]' \
	'[.supersteps[] | select(.received_bytes > 0) | [1, .launch, .launch, .received_bytes]]'
as_comm '[.page_views[] | select(.launches) | .view] as $views | [.page_cells[] | select(.view | IN($views[])) | .transfers] | add' .volume.transfers
as_comm '[.page_views[] | select(.source_kernel) | .view] as $views | [.page_distances[] | select(.view | IN($views[])) | .bytes] | add' .volume.transferred_bytes
as_comm '[.page_launch_points[].communicated_load_bytes]' '[.supersteps[] | .communicated_load_bytes]'
as_comm '[.page_launch_points[].communicated_store_bytes]' '[.supersteps[] | .communicated_store_bytes]'
as_comm '[.supersteps[].launch]' '[.supersteps[] | .launch]'
as_comm '[.kernel_pairs[] | [.source_kernel, .target_kernel, .bytes, .pattern]]' '[.kernel_pairs[] | [.source, .target, .bytes, .pattern]]'
as_comm '[.object_flows[] | [.text, .transferred_bytes]]' '[.objects[] | [.text, .transferred_bytes]]'
as_comm '[.line_pairs[] | [.source[1], .target[1], .bytes]]' '[.lines[] | [.source.line, .target.line, .bytes]]'
as_comm '[.scaling[] | [.devices, .placement, .crossing_bytes]]' '[.scaling[] | [.devices, .placement, .crossing_bytes]]'
as_comm '.page_trace[0].supersteps' '[.supersteps[], (.host.transfers // [])[]] | length'

# Options.
ctpost report --self --kernels='^pass' --launches=2-9 --title='a <b>' halo.ctrace -o some.html 2>err
of_comm --self --kernels='^pass' --launches=2-9 halo.ctrace
data some.html
as_comm '.comm_totals[0].transferred_bytes' .volume.transferred_bytes
as_comm '.bisection[0].bytes' .bisection.x.bytes
is .title '"a <b>"'
is '[.page_trace[0].self, (.page_selection[] | [.what, .choice])]' '[true,["kernels","^pass"],["launches","2-9"]]'
grep -q '<title>a &lt;b>' some.html || fail "the title is not escaped"
ctpost report --density=2-5 shift.ctrace -o some.html 2>err
data some.html
is '.page_views[0] | [.first_cta, .last_cta]' '[2,5]'

# Sources: the trace's own path, then under --source-root with as much of it as exists.
is '[.page_sources[].is_found]' '[false]'
path=$(jq -r '.page_sources[0].file' json)
mkdir -p root/"$(dirname "$path")"
for line in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "line $line"; done >root/"$path"
ctpost report --source-root=root shift.ctrace -o some.html 2>err
data some.html
is '.page_sources[0].is_found' true
is '.page_lines | length > 4' true
is '[.page_lines[] | select(.text != "line \(.line)")]' '[]'

# Errors, and nothing is left.
rm -f ./*.html
status 2 ctpost report halo.ctrace
one_line "Name the file with -o"
status 2 ctpost report halo.ctrace -o a.html --density=7
one_line "--density='7'"
status 2 ctpost report halo.ctrace -o a.html --latency=soon
one_line "--latency='soon'"
status 1 ctpost report halo.ctrace -o nowhere/a.html
one_line "nowhere/a.html"
status 1 ctpost report halo.ctrace -o a.html --source-root=nowhere
one_line "nowhere: not a directory"
status 1 ctpost report halo.ctrace -o a.html --kernels=nothing
one_line "no launch is left by the selection"
status 1 ctpost report nowhere.ctrace -o a.html
one_line "nowhere.ctrace"
status 1 ctpost report halo.ctrace -o /dev/full
one_line "/dev/full"
golden=$CT_CLI/../golden
for trace in bad-empty bad-version; do
	status 1 ctpost report "$golden/$trace.ctrace" -o a.html
	one_line "$trace.ctrace"
done
[ -z "$(find . -name '*.html*')" ] || fail "left behind: $(ls)"
for trace in bad-payload bad-torn; do
	status 0 ctpost report "$golden/$trace.ctrace" -o a.html
	data a.html
	is '[.findings[] | select(.kind == "limit" and .finding == "damage")] | length' 1
	is '.page_trace[0].damaged_chunks > 0' true
done

# A report that was there stays until the new one is whole.
echo old >a.html
status 1 ctpost report nowhere.ctrace -o a.html
grep -qx old a.html || fail "a failure replaced the file"
