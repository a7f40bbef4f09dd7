# SPDX-License-Identifier: Apache-2.0
# ctpost report: its figures are those of comm, its file is whole or not there, errors are one line.
. "$CT_CLI/shared/comm.sh"
make_comm halo
make_comm shift

# data FILE: the object that the page carries, in json
data() {
	sed -n 's|.*<script type="application/json" id="report-data">\(.*\)</script>$|\1|p' "$1" >json
	jq -e . json >/dev/null || fail "$1: no JSON"
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
is .schema '"cudatrace-report-1"'
for field in load_bytes store_bytes communicated_bytes communicated_load_bytes transfers transferred_bytes \
	self_transfers self_bytes unwritten_bytes exchanged_store_bytes; do
	as_comm ".volume.$field" ".volume.$field"
done
for field in fraction exchanged_fraction; do
	as_comm "(.volume.$field * 100000 | round)" "(.volume.$field * 100000 | round)"
done
as_comm '.transfer_size_cdf.points | map(.[0])' '[.transfer_size_cdf[] | .bytes]'
mv comm.json with.json && of_comm --exchanged halo.ctrace
for field in communicated_bytes communicated_load_bytes transfers transferred_bytes; do
	as_comm ".exchanged.volume.$field" ".volume.$field"
done
as_comm '[.exchanged.transfer_size_cdf.points[] | .[1]]' '[.transfer_size_cdf[] | .transfers]'
as_comm '.exchanged.superstep_distance.bins | map({(.[0] | tostring): .[2]}) | add' .superstep_distance
as_comm .exchanged.kernels '[.kernels[] | {communicated_load_bytes, communicated_store_bytes}]'
mv with.json comm.json
as_comm '.in_degree.bins | map({(.[0] | tostring): .[2]}) | add' .degree.in.histogram
as_comm '.out_degree.bins | map({(.[0] | tostring): .[2]}) | add' .degree.out.histogram
as_comm '.superstep_distance.bins | map({(.[0] | tostring): .[2]}) | add' .superstep_distance
as_comm '.load_stride.bins | map({(.[0] | tostring): .[2]}) | add' .strides.load
as_comm '.store_stride.bins | map({(.[0] | tostring): .[2]}) | add' .strides.store
as_comm '[.bisection.x, .bisection.y, .bisection.z] | map(.bytes)' '[.bisection.x, .bisection.y, .bisection.z] | map(.bytes)'
as_comm '.density | [.source, .target, .transfers, .bytes] | transpose' .density.cells
as_comm '.kernels as $k | .views.pairs | map([$k[.from].name, $k[.to].name, .total_bytes])' \
	'[.kernel_pairs[] | [.source, .target, .bytes]]'
as_comm '.views.launches | map([.count, .first, .last, .total_bytes])' \
	'[.supersteps[] | select(.received_bytes > 0) | [1, .launch, .launch, .received_bytes]]'
as_comm '.views.launches | map(.transfers[]) | add' .volume.transfers
as_comm '[.views.pairs[].distance[][2]] | add' .volume.transferred_bytes
as_comm .supersteps.communicated_load_bytes '[.supersteps[] | .communicated_load_bytes]'
as_comm .supersteps.communicated_store_bytes '[.supersteps[] | .communicated_store_bytes]'
as_comm '.launches.rows | map(.[0])' '[.supersteps[] | .launch]'
as_comm '.kernels as $k | .kernel_pairs.rows | map([$k[.source].name, $k[.target].name, .bytes, .pattern])' \
	'[.kernel_pairs[] | [.source, .target, .bytes, .pattern]]'
as_comm '.objects.rows | map([.name, .transferred_bytes])' '[.objects[] | [(.name // "memory of no known object"), .transferred_bytes]]'
as_comm '.line_pairs.rows | map([.source.place[1], .target.place[1], .bytes])' '[.lines[] | [.source.line, .target.line, .bytes]]'
as_comm '.scaling.rows | map([.devices, .placement, .crossing_bytes])' '[.scaling[] | [.devices, .placement, .crossing_bytes]]'
as_comm '.timeline.count' '[.supersteps[], (.host.transfers // [])[]] | length'

# Options.
ctpost report --self --kernels='^pass' --launches=2-9 --title='a <b>' halo.ctrace -o some.html 2>err
of_comm --self --kernels='^pass' --launches=2-9 halo.ctrace
data some.html
as_comm .volume.transferred_bytes .volume.transferred_bytes
as_comm .bisection.x.bytes .bisection.x.bytes
is .title '"a <b>"'
is '[.options.self, .options.selection.kernels, .options.selection.launches]' '[true,"^pass",[[2,9]]]'
grep -q '<title>a &lt;b>' some.html || fail "the title is not escaped"
ctpost report --density=2-5 shift.ctrace -o some.html 2>err
data some.html
is '.density | [.first_cta, .last_cta]' '[2,5]'

# Sources: the trace's own path, then under --source-root with as much of it as exists.
is '.sources | map(.found)' '[false]'
path=$(jq -r '.sources[0].path' json)
mkdir -p root/"$(dirname "$path")"
for line in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "line $line"; done >root/"$path"
ctpost report --source-root=root shift.ctrace -o some.html 2>err
data some.html
is '.sources[0].found' true
is '[.sources[0].excerpts[] | .[1:][] | select(startswith("line ") | not)] | length' 0
[ "$(jq '[.sources[0].excerpts[] | .[0] as $n | .[1:] | to_entries[] | select(.value != "line \(.key + $n)")] | length' json)" = 0 ] ||
	fail "lines have wrong numbers: $(jq -c '.sources' json)"

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
	is '.trace.damaged_chunks > 0' true
done

# A report that was there stays until the new one is whole.
echo old >a.html
status 1 ctpost report nowhere.ctrace -o a.html
grep -qx old a.html || fail "a failure replaced the file"
