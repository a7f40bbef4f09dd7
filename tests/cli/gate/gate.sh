# SPDX-License-Identifier: Apache-2.0
# ctpost findings as a gate: baselines over builds whose lines, parameters and types have changed, what
# fails it, suppressions in the source and in a file, SARIF and the format of compilers, ids and their
# sections.
. "$CT_CLI/shared/driver.sh"
ctpost=$CT_BIN/ctpost here=$CT_CLI/gate
docs=$CT_CLI/../../docs

# built NAME FLAG...: gate.cu of src traced into NAME.ctrace
built() {
	name=$1
	shift
	"$cxx" --ct-target=cpu -O1 -g "$@" src/gate.cu -o "$name" 2>log || fail "$(cat log)"
	"$ctrun" -o "$name.ctrace" -- "./$name" >log 2>&1 || fail "$(cat log)"
}
# at WORDS: the line of src/gate.cu that has them
at() {
	grep -nF "$1" src/gate.cu | head -n 1 | cut -d: -f1
}
# ids FILE: "id file line" of a table of problems
ids() {
	jq -r '.problems[] | "\(.finding) \(.file | split("/") | last) \(.line) \(.state)"' "$1" | sort
}

mkdir src
cp "$here/gate.cu" src
built plain
status 0 "$ctpost" findings --write-baseline=known.json plain.ctrace
has out 'Problems'
has out '[strided-accesses]'
cp out plain.txt
status 0 "$ctpost" findings --format=sarif -o plain.sarif plain.ctrace
status 0 "$ctpost" findings --json plain.ctrace
[ "$(ids out)" = "contended-atomics gate.cu $(at COUNTED) null
strided-accesses gate.cu $(at EXPECTED) null" ] || fail "other problems: $(ids out)"

# The baseline: small, the same whoever writes it, and without what changes from run to run.
jq -e '."cudatrace-baseline" == 1 and [.problems[] | .id, .file, .function, .text, .objects] ==
	["strided-accesses", "gate.cu", "columns", "sum += table[threadIdx.x * many + k];", "table",
	 "contended-atomics", "gate.cu", "count", "atomicAdd(&counts[bin], 1);", "counts"] or
	[.problems[].id] == ["strided-accesses", "contended-atomics"]' known.json >log || fail "baseline: $(cat known.json)"
! grep -qE 'seconds|/src/|0x' known.json || fail "a baseline that changes: $(cat known.json)"
status 0 "$ctpost" findings --baseline=known.json --write-baseline=again.json --fail-on=new plain.ctrace
cmp known.json again.json || fail "another baseline"
has out 'Beside the baseline: 0 new, 2 known, 0 gone'

# Lines, parameters, types and directories have changed: nothing is new, of a file, a trace.
mkdir elsewhere
sed 's,^static const int many,// One.\n// Two.\n\n&,' "$here/gate.cu" >elsewhere/gate.cu
rm -r src
mv elsewhere src
built shifted -DSHIFT
for before in known.json plain.ctrace; do
	status 0 "$ctpost" findings --baseline=$before --fail-on=new shifted.ctrace
	has out 'Beside the baseline: 0 new, 2 known, 0 gone'
done

# One is fixed; one is new, which the line on standard error names.
built fixed -DFIXED
status 0 "$ctpost" findings --baseline=known.json --fail-on=new fixed.ctrace
has out 'Beside the baseline: 0 new, 1 known, 1 gone'
built more -DMORE
status 3 "$ctpost" findings --baseline=known.json --fail-on=new more.ctrace
line=$(at 'sum *= table')
has err "findings: 1 problem meets --fail-on=new: strided-accesses at gate.cu:$line"
has out "gate.cu:$line, more: at most 87 % of the kernel's time (new)"
has out 'Beside the baseline: 1 new, 2 known, 0 gone'
status 3 "$ctpost" findings --json --baseline=plain.ctrace --fail-on=new more.ctrace
[ "$(jq -c '[.problems[] | select(.state == "new") | .line]' out)" = "[$line]" ] || fail "new: $(ids out)"
status 0 "$ctpost" findings --baseline=more.ctrace --fail-on=new plain.ctrace
has out '1 gone'

# These fail it, too: alternatives, conditions that must all hold, ids and wider ones.
for what in any strided-accesses kind=strided-accesses uncoalesced race/uncoalesced 'race,contended-atomics'; do
	status 3 "$ctpost" findings --fail-on="$what" plain.ctrace
	has err "--fail-on=$what"
done
for what in race wrong misaligned-accesses wrong,strided-accesses race/wrong; do
	status 0 "$ctpost" findings --fail-on="$what" plain.ctrace
done
status 0 "$ctpost" findings --baseline=known.json --fail-on=new,contended-atomics more.ctrace
status 3 "$ctpost" findings --baseline=known.json --fail-on=new,uncoalesced more.ctrace
status 0 "$ctpost" findings --fail-on=1ns plain.ctrace
has err 'what 2 problems are worth is not known, and --fail-on asks for it'
for wrong in '' , 'new,' any//any 1xs 0s 101% -1% worth=x share=2 strided-acceses kind=1ms; do
	status 2 "$ctpost" findings --fail-on="$wrong" plain.ctrace
	has err 'findings: --fail-on'
done
has err "no problem has the id '1ms'"
status 2 "$ctpost" findings --fail-on=strided-acceses plain.ctrace
has err "did you mean 'strided-accesses'?"
status 2 "$ctpost" findings --fail-on=new plain.ctrace
has err '--baseline is missing'

# By worth: of a study, whose kernels' times are known.
"$cxx" --ct-target=cpu --ct-all -O1 src/gate.cu -o study.bin 2>log || fail "$(cat log)"
status 0 "$ctrun" profile -o study --budget=0 -- ./study.bin
status 0 "$ctpost" findings --json --all study
jq -r '.problems[] | select(.finding == "strided-accesses") | "\(.worth_seconds) \(.run_share)"' out >worth
read -r seconds share <worth
for times in 0.9:3 1.1:0; do
	limit=$(awk "BEGIN { printf \"%.9fs\", $seconds * ${times%:*} }")
	status "${times#*:}" "$ctpost" findings --fail-on="uncoalesced,$limit" study
	limit=$(awk "BEGIN { printf \"%.9f%%\", 100 * $share * ${times%:*} }")
	status "${times#*:}" "$ctpost" findings --fail-on="uncoalesced,$limit" study
	status "${times#*:}" "$ctpost" findings --fail-on="share=$limit,kind=strided-accesses" study
done
status 3 "$ctpost" findings --fail-on=uncoalesced --all study

# A file that is no baseline is refused.
printf '{"cudatrace-baseline": 1, "problems": [{"id": "tail"}, {"id": "tial"}]}' >unknown.json
printf '{"cudatrace-baseline": 1, "problems": [{"file": "a.cu"}]}' >nameless.json
printf '{"cudatrace-baseline": 1, "problems": [{"id": "tail", "text": 3}]}' >text.json
printf '{"cudatrace-baseline": 7, "problems": []}' >version.json
printf '{"problems": []}' >other.json
printf '{"cudatrace-baseline": 1,\n"problems": [' >torn.json
for wrong in "unknown:problem 2: no problem has the id 'tial'; did you mean 'tail'?" 'nameless:problem 1: it has no id' \
	'text:problem 1: file, function' 'version:version 7' 'other:it is no baseline' 'torn:line 2: it is no JSON' 'missing:No such file'; do
	status 1 "$ctpost" findings --baseline="${wrong%%:*}.json" plain.ctrace
	has err "${wrong%%:*}.json: "
	has err "${wrong#*:}"
done
mkdir empty
status 1 "$ctpost" findings --baseline=empty plain.ctrace
status 1 "$ctpost" findings --write-baseline=nowhere/known.json plain.ctrace
! grep -q Beside out || fail "a baseline that was not asked for"

# Suppressions in the source: by a wider id, one of several, all; alone above the line. What is said of
# other ids, of another line, or of none suppresses nothing, and a mistyped id is reported.
cp "$here/expected.cu" src/expected.cu
"$cxx" --ct-target=cpu -O1 -g src/expected.cu -o expected 2>log || fail "$(cat log)"
for which in 0 1; do
	"$ctrun" -o expected$which.ctrace -- ./expected $which >log 2>&1 || fail "$(cat log)"
done
status 0 "$ctpost" findings --fail-on=any --suppressed expected0.ctrace
has out 'No problem stands out.'
has out '4 suppressed'
for found in wider 'several: it is small' every 'above: a small table'; do
	grep -qE "^    expected.cu:[0-9]+, ${found%%:*}: strided-accesses, by the source${found#"${found%%:*}"}" out || fail "$found: $(cat out)"
done
status 0 "$ctpost" findings --json expected0.ctrace
jq -e '(.problems | length) == 0 and [.suppressed_problems[] | .suppressed_by] == ["source", "source", "source", "source"] and
	([.suppressed_problems[] | select(.function == "above") | .finding, .reason] == ["strided-accesses", "a small table"])' out >log ||
	fail "table: $(jq -c .suppressed_problems out)"
# The same of an export, in which findings say who expects them, and of the page.
status 0 "$ctpost" export --format=json --tables=problems,suppressed_problems,findings -o all.json expected0.ctrace
jq -e '(.problems | length) == 0 and [.suppressed_problems[] | .suppressed_by] == ["source", "source", "source", "source"] and
	([.findings[] | select(.suppressed_by == "source") | .finding] | unique) == ["strided-accesses"] and
	([.findings[] | select(.finding != "strided-accesses") | .suppressed_by] | unique - [null]) == []' all.json >log ||
	fail "export: $(jq -c '.problems, .suppressed_problems' all.json)"
for sources in auto off; do
	status 0 "$ctpost" report --list --sources=$sources -o page.html expected0.ctrace
	has out '4 suppressed'
	sed -n 's/.*id="report-data">//p' page.html | sed 's/<\/script>.*//' | jq -f "$CT_CLI/shared/page.jq" >page.json
	jq -e '.problems == [] and ([.suppressed_problems[] | .finding, .suppressed_by] | unique) ==
		["source", "strided-accesses"] and (.suppressed_problems | length) == 4' page.json >log ||
		fail "page: $(jq -c '.problems, .suppressed_problems' page.json)"
done
status 1 "$ctpost" explain 1 expected0.ctrace
has err 'there is no problem 1, but 0'
status 3 "$ctpost" findings --fail-on=uncoalesced expected1.ctrace
has err '3 problems meet --fail-on=uncoalesced'
! grep -q 'suppressed' out || fail "suppressed: $(cat out)"
grep -q "warning: expected.cu:[0-9]*: ct: expected: no problem has the id 'strided-acceses'; did you mean 'strided-accesses'?" err ||
	fail "a mistyped id: $(cat err)"
# Those that are suppressed take nothing's place, and no number of them is too many.
"$ctrun" -o expected2.ctrace -- ./expected >log 2>&1 || fail "$(cat log)"
status 0 "$ctpost" findings --json expected2.ctrace
jq -e '([.problems[] | select(.finding == "strided-accesses")] | length) == 3 and (.suppressed_problems | length) == 4' out >log ||
	fail "not all seven: $(jq -c '.problems, .suppressed_problems' out)"
status 0 "$ctpost" findings --format=sarif expected0.ctrace
[ "$(jq -c -f "$here/sarif.jq" out)" = '[]' ] || fail "sarif: $(jq -f "$here/sarif.jq" out)"
jq -e '[.runs[0].results[].suppressions[0].kind] == ["inSource", "inSource", "inSource", "inSource"]' out >log || fail "sarif: $(cat out)"

# In a file: by id, file and kernel, each a pattern; what suppresses nothing is reported.
cat >expected.txt <<'END'
# These problems are known.

strided-accesses gate.* col*  # a small table
all              other.cu
contended-atomics src/gate.cu never
END
status 3 "$ctpost" findings --suppressions=expected.txt --suppressed --fail-on=any plain.ctrace
has out 'columns: strided-accesses, by line 3 of the file: a small table'
has err 'expected.txt:4: it suppresses nothing: all other.cu *'
has err 'expected.txt:5: it suppresses nothing'
! grep -q 'expected.txt:3' err || fail "it is of use: $(cat err)"
has err '1 problem meets --fail-on=any: contended-atomics'
echo 'uncoalesced, contended-atomics src/*.cu' >expected.txt
status 0 "$ctpost" findings --suppressions=expected.txt --fail-on=any plain.ctrace
has out 'No problem stands out.'
has out '2 suppressed (--suppressed)'
! grep -q 'fact.* beside them' plain.txt || [ "$(grep 'beside them' plain.txt)" = "$(grep 'beside them' out)" ] || fail "suppressed ones are facts: $(cat out)"
status 1 "$ctpost" explain --suppressions=expected.txt 1 plain.ctrace
echo 'contended-atomics' >one.txt
status 0 "$ctpost" export --format=csv --suppressions=one.txt -o one plain.ctrace
[ "$(cut -d, -f3 one/problems.csv | tail -n +2)" = strided-accesses ] || fail "problems: $(cat one/problems.csv)"
[ "$(cut -d, -f2,8,9 one/suppressed_problems.csv)" = 'finding,suppressed_by,suppression_line
contended-atomics,file,1' ] || fail "suppressed: $(cat one/suppressed_problems.csv)"
status 0 "$ctpost" report --list --suppressions=one.txt -o page.html plain.ctrace
has out '1 suppressed'
status 2 "$ctpost" report --suppressions=one.txt -o page.html plain.ctrace plain.ctrace
has err '--suppressions belongs to the page of one trace'
for wrong in 'tial *:no problem has the id' ', *:ids are expected' 'tail a b c:a reason only behind #' 'tail;race:with commas'; do
	echo "${wrong%:*}" >wrong.txt
	status 1 "$ctpost" findings --suppressions=wrong.txt plain.ctrace
	has err 'wrong.txt: line 1: '
	has err "${wrong#*:}"
done
status 1 "$ctpost" findings --suppressions=nowhere.txt plain.ctrace
has err 'nowhere.txt: No such file'

# As a compiler reports it: what editors and code hosts match.
status 0 "$ctpost" findings --format=gcc --baseline=known.json more.ctrace
grep -vE '^[^ :]+:[0-9]+:[0-9]+: (warning|error|note): ' out >log && fail "lines that no editor reads: $(cat log)"
grep -E '^src/gate\.cu:[0-9]+:[0-9]+: warning: .* \[-Wct-[a-z-]+\]$' out | cut -d: -f2 | sort -n >found
printf '%s\n' "$(at '* many + k]; // EXPECTED')" "$(at COUNTED)" "$line" | sort -n | diff - found || fail "other lines: $(cat out)"
[ "$(grep -c ' (new) \[-Wct-strided-accesses\]$' out)" = 1 ] || fail "new: $(cat out)"
grep -q "^src/gate.cu:$(at 'cudaMalloc(&table'):1: note: table is allocated here" out || fail "no note: $(cat out)"
status 0 "$ctpost" findings --format=gcc --source-root=src -o gcc.txt more.ctrace
grep -q '^gate.cu:[0-9]' gcc.txt || fail "not from the root on: $(cat gcc.txt)"
[ ! -s out ] || fail "to standard output: $(cat out)"

# SARIF, by what the specification has; each property that matters.
echo 'contended-atomics * * # known' >expected.txt
status 3 "$ctpost" findings --format=sarif -o more.sarif --baseline=known.json --suppressions=expected.txt --fail-on=new more.ctrace
status 0 "$ctpost" findings --format=sarif --all study
cp out study.sarif
for log in more plain study; do
	[ "$(jq -c -f "$here/sarif.jq" $log.sarif)" = '[]' ] || fail "$log.sarif: $(jq -f "$here/sarif.jq" $log.sarif)"
done
jq -e --argjson line "$line" '.runs[0] | [.results[] | [.ruleId, .baselineState, .suppressions[0].kind, .suppressions[0].justification,
		.locations[0].physicalLocation.artifactLocation.uri]] | sort == [
	["contended-atomics", "unchanged", "external", "known", "src/gate.cu"], ["strided-accesses", "new", null, null, "src/gate.cu"],
	["strided-accesses", "unchanged", null, null, "src/gate.cu"]]' more.sarif >log || fail "results: $(jq -c '.runs[0].results' more.sarif)"
jq -e --argjson line "$line" '[.runs[0].results[] | select(.baselineState == "new") | .locations[0] | .physicalLocation.region.startLine,
	.logicalLocations[0].name] == [$line, "more"]' more.sarif >log || fail "new: $(jq -c '.runs[0].results' more.sarif)"
jq -e '[.runs[0].results[] | has("baselineState") or has("suppressions")] | any | not' plain.sarif >log || fail "a state without a baseline"
jq -e --argjson seconds "$seconds" '[.runs[0].results[] | select(.ruleId == "strided-accesses") | .properties.worthSeconds / $seconds - 1 | fabs < 1e-3] == [true]' \
	study.sarif >log || fail "not worth $seconds: $(jq -c '.runs[0].results[].properties' study.sarif)"
# Fingerprints stay over builds.
status 0 "$ctpost" findings --format=sarif shifted.ctrace
fingerprints='[.runs[0].results[] | .ruleId, .partialFingerprints[]]'
[ "$(jq -c "$fingerprints" out)" = "$(jq -c "$fingerprints" plain.sarif)" ] || fail "other fingerprints: $(jq -c "$fingerprints" out)"
# The published schema, where one is at hand.
if [ -s "${CT_SARIF_SCHEMA:-}" ] && command -v check-jsonschema >/dev/null; then
	check-jsonschema --schemafile "$CT_SARIF_SCHEMA" ./*.sarif >log 2>&1 || fail "$(cat log)"
fi

# Each id has a section, and each section an id; those of problems say how to fix them.
sed -n 's/^CT_FINDING_ID([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$CT_CLI/../../postproc/facts/finding.def" | sort >known-ids
sed -n 's/^### //p' "$docs/problems.md" | sort >sections
diff known-ids sections >&2 || fail "ids (<) and sections of docs/problems.md (>)"
[ "$(wc -l <known-ids)" -gt 80 ] || fail "few ids: $(cat known-ids)"
while read -r id; do
	status 0 "$ctpost" explain "$id"
	[ "$(wc -l <out)" -ge 5 ] || fail "$id is not explained: $(cat out)"
	grep -q "problems.md#$id\$" out || fail "$id has no place: $(cat out)"
done <known-ids
awk '/^## (Communication|Kernels: facts|Limits|Expectations)/ { exit } /^### / { if (id && !(found && fix && ignore && code)) print id
	id = $2; found = fix = ignore = code = 0 } /^Found: / { found = 1 } /^Fix: / { fix = 1 } /^Ignore it / { ignore = 1 } /^```/ { code = 1 }
	END { if (!(found && fix && ignore && code)) print id }' "$docs/problems.md" >log
[ ! -s log ] || fail "sections that lack something: $(cat log)"
status 2 "$ctpost" explain tial
has err "did you mean 'tail'?"
