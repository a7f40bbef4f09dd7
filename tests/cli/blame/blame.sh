# SPDX-License-Identifier: Apache-2.0
# blame: the shares of variables are as counted by hand from truths.cu, at -O0 and -O2; paths, formats,
# what cannot be said.
. "$CT_CLI/shared/driver.sh"
ctpost=$CT_BIN/ctpost

# of KERNEL: its blame alone.
of() {
	kernel=$1
	"$ctpost" blame --json --kernels="^$1\$" run.ctrace >out 2>err || fail "$1: $(cat err)"
	jq -e '((.unattributed + ([.variables[] | select((.function // "") | startswith($kernel + "(")) | .exclusive] | add) - 100) | fabs) < 0.01' \
		--arg kernel "$1" out >log || fail "-O$level $1: exclusive shares do not sum up: $(jq -c '[.unattributed, [.variables[] | [.name, .function, .exclusive]]]' out)"
	jq -e '[.. | objects | select(has("children")) | .share as $share | .children[] | .share <= $share + 1e-6] | all' out >log ||
		fail "-O$level $1: a part has more than what it is part of"
}

# share NAME FIELD PERCENT [TOLERANCE]: of a variable of the kernel, "a.b" a part of it.
share() {
	jq -e --arg kernel "$kernel(" --arg name "$1" '[.. | objects | select(has("children") and .name == $name and ((.function // "") | startswith($kernel)))] |
		length <= 1 and (((.[0].'"$2"' // 0) - '"$3"' | fabs) <= '"${4:-0.5}"')' out >log ||
		fail "-O$level $kernel $2 of $1 is not $3: $(jq -c '[.. | objects | select(has("children")) | [.name, .function, .share, .exclusive, .reads]]' out)"
}

for level in 0 2; do
	"$cxx" --ct-target=cpu --ct-events=block -g -O$level "$CT_CLI/blame/truths.cu" -o app 2>log || fail "$(cat log)"
	status 0 "$ctrun" --calls=on -o run.ctrace -- ./app
	of two && share x share 25 && share y share 75
	jq -e '[.. | objects | select(.function? == "w(int)" and has("calls")) | .share] | add > 99.5' out >log || fail "code of two"
	of slide5 && share A share 100 && share B share 33.3 && share C share 66.7
	of through && share t share 50 && share y share 100 && share t exclusive 50 && share y exclusive 50
	of branch && share y share 100 && share z share 0.05 0.05 && share out share 0.2 0.2
	of index && share index share 97.5 2.5 && share y share 99.5 0.5 && share a share 0 0
	jq -e '[.variables[] | select(.name == "a") | .reads > 0] == [true]' out >log || fail "a is not read"
	of fields && share s share 100 && share s.a share 25 && share s.p share 75 && share s.p.b share 75
	of argument && share u share 25 && share v share 75
	of paths && share x share 25 && share y share 75
	jq -e '.coverage_static < 0.5 and .coverage_paths > 99.9' out >log || fail "coverage: $(jq -c '[.coverage_static, .coverage_paths]' out)"
	of inlined && share x share 25 && share y share 75
	of recursion && share x share 25 && share y share 75
	of indirect && share x share 25 && share y share 75
	of atomics && share x share 25 && share y share 75
	of shared && share tile share 25 && share other share 75
	of overwritten && share x share 25 && share y share 75 && share v share 100
	of templates && share x share 25 && share y share 75
	of consume && share a share 100
	for how in --threads=1 --threads=4 --weights=warps; do
		"$ctpost" blame --json $how run.ctrace >log 2>err || fail "$how: $(cat err)"
		jq 'del(.of)' log >"out$how"
	done
	# Optimisers make a loop of the recursion.
	"$ctpost" blame --folded --kernels='^recursion$' run.ctrace >folded 2>err || fail "$(cat err)"
	[ $level != 0 ] || grep -q '^main;recursion(int\*, int\*);deep(int);deep(int);deep(int);deep(int);deep(int);w(int) ' folded ||
		fail "$(cat folded)"
	cmp -s out--threads=1 out--threads=4 || fail "otherwise with more threads"
done

# Blocks that are only counted: paths share what is not known.
status 0 "$ctrun" --tier=blocks -o counted.ctrace -- ./app
"$ctpost" blame --json --kernels='^two$' counted.ctrace >out 2>err || fail "$(cat err)"
kernel=two
share x share 50 && share y share 50
jq -e '.coverage_static < 0.5 and .coverage_paths < 0.5' out >log || fail "coverage of counts"

# The views of code have all of the weight, from main on.
"$ctpost" blame --folded run.ctrace >folded 2>err || fail "$(cat err)"
"$ctpost" blame --speedscope run.ctrace >scope.json 2>err || fail "$(cat err)"
"$ctpost" blame --json run.ctrace >out 2>err || fail "$(cat err)"
total=$(jq .total out)
[ "$(awk '{ sum += $NF } END { printf "%d", sum }' folded)" = "$total" ] || fail "folded: not $total"
jq -e --argjson total "$total" '.profiles[0] | (.weights | add) == $total and (.samples | length) == (.weights | length) and .endValue == $total' scope.json >log || fail "speedscope"
grep -q '^main;paths(int\*, int\*);foo(int);bar(int);w(int) ' folded || fail "$(cat folded)"
"$ctpost" blame run.ctrace >text 2>err || fail "$(cat err)"
grep -q 'dynamic instruction counts, of lanes' text || fail "no word of weights"
"$ctpost" blame --by=code --kernels='^two$' run.ctrace >text 2>err || fail "$(cat err)"
grep -q '^ *two(int\*, int\*).*GPU' text || fail "$(cat text)"

. "$CT_CLI/json/fields.sh"
schema=$CT_CLI/../../docs/json-schema.md
cp out blame.json
section "$schema" cudatrace-blame-1
check blame

# Without variables there are only functions; without blocks there is nothing.
"$cxx" --ct-target=cpu --ct-events=block -O2 "$CT_CLI/blame/truths.cu" -o app 2>log || fail "$(cat log)"
status 0 "$ctrun" -o run.ctrace -- ./app
"$ctpost" blame --json run.ctrace >out 2>err || fail "$(cat err)"
grep -q 'compile with -g' err || fail "no word of -g"
jq -e '.variables == [] and .unattributed == 100 and .coverage == 0 and ([.functions[].share] | add) > 99.9' out >log || fail "$(cat out)"
status 0 "$ctrun" --tier=counts -o run.ctrace -- ./app
status 1 "$ctpost" blame run.ctrace
grep -q 'no basic blocks' err || fail "$(cat err)"
status 2 "$ctpost" blame --by=date run.ctrace
