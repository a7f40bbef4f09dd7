# SPDX-License-Identifier: Apache-2.0
# findings: those of all analyses, the same ones that their own commands and the report show.
. "$CT_CLI/shared/comm.sh"

# of_page FILE: the tables of the page
of_page() {
	sed -n 's/.*id="report-data">//p' "$1" | sed 's/<\/script>.*//' | jq -f "$CT_CLI/shared/page.jq"
}

same() {
	ctpost findings --json "$1" >all 2>err || fail "findings of $1"
	ctpost comm --scale=2-16 --json "$1" >comm.json 2>err
	ctpost verify --json "$1" >verify.json 2>err || [ $? -eq 1 ]
	jq '[.findings[] | select(.analysis != "verify" and .analysis != "access") | del(.number)]' all >found
	jq '[.findings[] | del(.number)]' comm.json >expected
	diff expected found >difference || fail "$1: comm finds otherwise: $(cat difference)"
	jq '[.findings[] | select(.analysis == "verify") | .text]' all >found
	jq '[.findings[].text]' verify.json >expected
	diff expected found >difference || fail "$1: verify finds otherwise: $(cat difference)"
	ctpost report -o page.html "$1" >out 2>err || fail "report of $1"
	of_page page.html >page.json
	jq '[.findings[] | {analysis, finding, kind, text, evidence, fix}] | sort' all page.json >both
	[ "$(jq -s '.[0] == .[1] and (.[0] | length > 0)' both)" = true ] || fail "$1: the report finds otherwise"
}

make_comm halo
same halo.ctrace
jq -r '.findings[] | .analysis' all | sort -u | tr '\n' ' ' >analyses
[ "$(cat analyses)" = "comm trace verify " ] || fail "findings are of $(cat analyses)"
jq -e '.schema == "cudatrace-findings-2" and .trace == "halo.ctrace"' all >out || fail "its head"
# A figure of what a program on one device does on several is no advice.
jq -e '[.findings[] | select(.finding == "devices") | .fix] == [null]' all >out || fail "devices: $(cat out)"
jq -r '.findings[].text' all >texts
COLUMNS=100000 ctpost findings --all --facts halo.ctrace >out 2>err || fail "no text"
while read -r text; do
	grep -qF "$(echo "$text" | sed 's/\.$//')" out || fail "text lacks: $text"
done <texts

# Chosen like what they are from.
ctpost findings --json --kernels='^pass' halo.ctrace >some 2>err
! diff -q all some >out || fail "a selection changes nothing"

"$CT_CLI_BUILD/ctpost-make-trace" lambda.ctrace lambda
for some in --launches=1-4:1,4 --launches=1:1 --launches=2:; do
	ctpost findings --json "${some%:*}" lambda.ctrace 2>err |
		jq -r '[.findings[] | select(.finding == "upper-bound") | .launches[].launch | tostring] | join(",")' >bounds
	[ "$(cat bounds)" = "${some##*:}" ] || fail "${some%:*}: upper bounds in launches $(cat bounds)"
done

"$CT_CLI_BUILD/ctpost-make-trace" damaged.ctrace damaged
same damaged.ctrace
grep -q '"analysis": "verify"' all || fail "nothing is wrong with a damaged trace"
ctpost findings nowhere.ctrace >out 2>err && fail "a trace that is not there"
one_line nowhere.ctrace
status=0
ctpost findings --nonsense halo.ctrace >out 2>err || status=$?
[ $status -eq 2 ] || fail "a wrong option: $status"
