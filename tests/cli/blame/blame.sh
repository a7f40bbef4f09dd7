# SPDX-License-Identifier: Apache-2.0
# blame: the shares of variables are as counted by hand from truths.cu, at -O0 and -O2; paths, formats,
# what cannot be said.
. "$CT_CLI/shared/driver.sh"
ctpost=$CT_BIN/ctpost

# Kernel, variable, figure, percent of what the kernel weighs, and how far it may be off.
cat >truths <<'END'
two x blame_share 25 0.5
two y blame_share 75 0.5
slide5 A blame_share 100 0.5
slide5 B blame_share 33.3 0.5
slide5 C blame_share 66.7 0.5
through t blame_share 50 0.5
through y blame_share 100 0.5
through t exclusive_share 50 0.5
through y exclusive_share 50 0.5
branch y blame_share 100 0.5
branch z blame_share 0.05 0.05
branch out blame_share 0.2 0.2
index index blame_share 97.5 2.5
index y blame_share 99.5 0.5
index a blame_share 0 0
index a reads_share 0.05 0.0499
fields s blame_share 100 0.5
fields s.a blame_share 25 0.5
fields s.p blame_share 75 0.5
fields s.p.b blame_share 75 0.5
argument u blame_share 25 0.5
argument v blame_share 75 0.5
paths x blame_share 25 0.5
paths y blame_share 75 0.5
inlined x blame_share 25 0.5
inlined y blame_share 75 0.5
recursion x blame_share 25 0.5
recursion y blame_share 75 0.5
indirect x blame_share 25 0.5
indirect y blame_share 75 0.5
atomics x blame_share 25 0.5
atomics y blame_share 75 0.5
shared tile blame_share 25 0.5
shared other blame_share 75 0.5
overwritten x blame_share 25 0.5
overwritten y blame_share 75 0.5
overwritten v blame_share 100 0.5
templates x blame_share 25 0.5
templates y blame_share 75 0.5
END
# Names of functions end with their parameters; a kernel is below main. Rows of a tree follow what they are below.
checks='([.blame_functions[] | select(.depth == 1) | {key: (.function | split("(")[0]), value: .blame_share}] | from_entries) as $weight |
	([.blame_variables[] | . + {kernel: (.function // "" | split("(")[0] // "")}]) as $all |
	($truths | split("\n")[] | select(. != "") | split(" ") | . as [$kernel, $name, $figure, $percent, $off] |
		([$all[] | select(.kernel == $kernel and .variable == $name) | .[$figure]] | (add // 0) * 100 / $weight[$kernel]) as $found |
		select(($found - ($percent | tonumber) | fabs) > ($off | tonumber)) | "\(join(" ")), not \($found)"),
	($all[] | select(.parent != null) | . as $v | $all[.parent] | select($v.blame_share > .blame_share + 1e-8) |
		"\($v.variable) of \($v.kernel) has more than what it is part of"),
	((.blame_variables, .blame_functions) as $rows | range($rows | length) as $at | $rows[$at] | select(.number != $at or
		(if .parent == null then .depth != 0 else .parent >= .number or $rows[.parent].depth != .depth - 1 end)) |
		"\(.outline) is no row \(.number) of a tree"),
	([.blame_variables[] | select(.depth == 0 and (.function // "" | split("(")[0] // "" | in($weight))) | .exclusive_share] | add + $unattributed |
		select(. - 1 | fabs > 0.0001) | "exclusive shares are \(.)")'

for level in 0 2; do
	"$cxx" --ct-target=cpu --ct-events=block -g -O$level "$CT_CLI/blame/truths.cu" -o app 2>log || fail "$(cat log)"
	status 0 "$ctrun" --calls=on -o run.ctrace -- ./app
	"$ctpost" blame --json --threads=4 run.ctrace >out 2>err || fail "$(cat err)"
	jq -r --rawfile truths truths --argjson unattributed "$(jq '.blame_totals[0].unattributed_share' out)" "$checks" out >log 2>&1 || fail "$(cat log)"
	[ ! -s log ] || fail "-O$level: $(cat log)"
	jq -e '[.blame_functions[] | select(.function == "w(int)") | .blame_share] | add > 0.995' out >log || fail "code"
	jq -e '.blame_totals[0] | .static_path_share < 0.1 and .known_path_share > 0.999' out >log || fail "coverage: $(jq -c .blame_totals out)"
	"$ctpost" blame --json --kernels='^paths$' run.ctrace >other 2>err || fail "$(cat err)"
	jq -e '.blame_totals[0] | .static_path_share < 0.01 and .known_path_share > 0.999' other >log || fail "paths: $(jq -c .blame_totals other)"
	# Optimisers make a loop of the recursion.
	"$ctpost" blame --folded --kernels='^recursion$' run.ctrace >folded 2>err || fail "$(cat err)"
	[ $level != 0 ] || grep -q '^main;recursion(int\*, int\*);deep(int);deep(int);deep(int);deep(int);deep(int);w(int) ' folded ||
		fail "$(cat folded)"
	"$ctpost" blame --json --threads=1 run.ctrace >other 2>err || fail "$(cat err)"
	cmp -s out other || fail "otherwise with more threads"
done
"$ctpost" blame --json --weights=warps run.ctrace >other 2>err || fail "$(cat err)"
[ "$(jq -c '.blame_totals[0] | [.total_weight, .blamed_share]' out)" = "$(jq -c '.blame_totals[0] | [.total_weight, .blamed_share]' other)" ] || fail "warps of one lane weigh otherwise"

# From launch to launch: what one makes the other one uses, unless it is overwritten before.
# object NAME PERCENT: over the whole run
object() {
	jq -e '[.blame_objects[] | select(.object == "'"$1"'") | .blame_share] | (add // 0) * 100 - '"$2"' | fabs <= 0.5' out >log ||
		fail "$how: $1 is not $2: $(jq -c '[.blame_objects[] | [.object, .blame_share]]' out)"
}
"$cxx" --ct-target=cpu --ct-events=block -g -O2 "$CT_CLI/blame/run.cu" -o run 2>log || fail "$(cat log)"
for how in full blocks; do
	status 0 "$ctrun" --tier=$how -o once.ctrace -- ./run
	"$ctpost" blame --json once.ctrace >out 2>err || fail "$(cat err)"
	object r 50 && object a 100 && object h 100 && object h2 0 && object other 0
	jq -e '[.blame_variables[] | select(.variable == "to" and (.function | test("^(produce|consume)"))) | .blame_share | . - 0.5 | fabs < 0.005] == [true, true]' out >log ||
		fail "$how: within launches: $(jq -c '[.blame_variables[] | [.function, .variable, .blame_share]]' out)"
	status 0 "$ctrun" --tier=$how -o once.ctrace -- ./run refill
	"$ctpost" blame --json once.ctrace >out 2>err || fail "$(cat err)"
	object r 50 && object a 50 && object h 50 && object h2 0
done
# Who on the host had it done, though all of it was inlined.
status 0 "$ctrun" --calls=on -o once.ctrace -- ./run callers
"$ctpost" blame --json once.ctrace >out 2>err || fail "$(cat err)"
jq -e '.blame_functions as $rows | [$rows[] | select(.depth == 1 and ($rows[.parent].function | startswith("main"))) |
	[.function, $rows[.number + 1].function | split("(")[0]] + [100 * .blame_share | round]] | sort ==
	[["few", "launch", 25], ["many", "launch", 75]]' out >log || fail "callers: $(jq -c .blame_functions out)"

# Into variables of the host and back: 25 of one kernel, 75 of the other.
# flows PROGRAM EXPECTED: variables of the host, of functions of the program, with their shares
flows() {
	"$ctpost" blame --json --scope=run host.ctrace >out 2>err || fail "$(cat err)"
	jq -r '[.blame_objects[] | select(.type) | "\(.object):\(.type):\(100 * .blame_share | round)"] | sort | join(" ")' out >got
	[ "$(cat got)" = "$2" ] || fail "$1: variables of the host: $(cat got)"
}
for level in 0 2; do
	"$cxx" --ct-target=cpu --ct-events=block -g -O$level "$CT_CLI/blame/host.cu" -o host 2>log || fail "$(cat log)"
	status 0 "$ctrun" -o host.ctrace -- ./host
	flows roundtrip 'back:int *:25 host:int *:100 is_odd:bool:25 r.list:int *:75 r.sum:int:75 r:Result:75 total:int:100 u:int *:25 v:int *:25'
	"$ctpost" blame --folded host.ctrace >folded 2>err || fail "$(cat err)"
	awk '{ way = /;once\(int\*\);launch\(int\*, int\);make\(/ ? 1 : /;thrice\(int\*\);launch\(int\*, int\);make\(/ ? 2 : 0; sum[way] += $NF }
		END { all = sum[0] + sum[1] + sum[2]; exit !(sum[0] == 0 && sum[1] / all > .245 && sum[1] / all < .255) }' folded ||
		fail "callers on the host: $(cat folded)"
	object quarter 25 && object most 75 && object again 25 && object pinned 25 && object never 0
	jq -e '[.blame_objects[] | select(.object == "v" or .object == "total") | [.function, .line > 0]] | sort == [[null, true], ["roundtrip()", true]]' out >log ||
		fail "places: $(jq -c .blame_objects out)"
	jq -e '[.blame_objects[].object // "" | select(startswith("0x"))] == []' out >log || fail "addresses of what has names: $(jq -c .blame_objects out)"
	status 0 "$ctrun" -o host.ctrace -- ./host others
	flows others 'one:int[4]:25 rest:int:25 some:vector<int, std::allocator<int> >:75 sum:int:75'
	object idle 0 && object symbol 25 && object back 75
done
status 0 "$ctrun" --calls=off -o host.ctrace -- ./host
flows "without stacks" ''
object quarter 25

# The programs of the seed, as nvcc would compile them: what it says of the order of variables.
"$CT_BIN/cuda-trace-nvcc" --ct-target=cpu --ct-events=block -g -O2 "$CT_CLI/blame/seed.cu" -o seed 2>log || fail "$(cat log)"
status 0 "$ctrun" -o seed.ctrace -- ./seed
order='[.blame_variables[] | {key: "\(.function | split("(")[0]) \(.variable)", value: (100 * .blame_share)}] | from_entries'
"$ctpost" blame --json --kernels=gesummv seed.ctrace >out 2>err || fail "$(cat err)"
jq -e "$order"' | ."gesummv y" >= ."gesummv tmp" and ."gesummv tmp" > 50 and ."gesummv tmp" > ."gesummv j" and
	."gesummv j" > 1 and ."gesummv A" == 0 and ."gesummv x" == 0' out >log || fail "gesummv: $(jq -c "$order" out)"
"$ctpost" blame --json --kernels='norm|column|project' seed.ctrace >out 2>err || fail "$(cat err)"
jq -e "$order"' | ."project a" > 90 and ."project a" > ."project r" and ."project r" > ."norm nrm" and
	."project r" > ."project i" and ."project i" > ."column q" and ."norm nrm" > 0' out >log || fail "gramschmidt: $(jq -c "$order" out)"
"$ctpost" blame --json --kernels=resample seed.ctrace >out 2>err || fail "$(cat err)"
jq -e "$order"' | ."resample xj" > 95 and ."resample yj" > 95 and ."resample index" > 90 and ."resample xj" >= ."resample index" and
	."resample arrayX" == 0' out >log || fail "particlefilter: $(jq -c "$order" out)"

# Findings and the report show the same.
"$ctpost" findings --json seed.ctrace >other 2>err || fail "$(cat err)"
"$ctpost" blame --json seed.ctrace >out 2>err || fail "$(cat err)"
jq -e --slurpfile blame out '[$blame[0].blame_variables[] | del(.reasons, .lines)] as $all | (.blame_variables | length) >= 3 and
	.blame_variables == $all[:.blame_variables | length] and ($all | length) > (.blame_variables | length)' other >log ||
	fail "findings: $(jq -c '.blame_variables[:3]' other)"
jq -e '[.findings[] | select(.finding? == "most-blamed" or .name? == "most-blamed")] | length == 1' other >log || fail "no finding"

# Blocks that are only counted: paths share what is not known.
status 0 "$ctrun" --tier=blocks -o counted.ctrace -- ./app
"$ctpost" blame --json --kernels='^two$' counted.ctrace >out 2>err || fail "$(cat err)"
jq -e '[.blame_variables[] | select(.function == "two(int*, int*)") | .blame_share | . - 0.5 | fabs < 0.005] == [true, true]' out >log || fail "paths do not share"
jq -e '.blame_totals[0] | .static_path_share < 0.005 and .known_path_share < 0.005' out >log || fail "coverage of counts"

# The views of code have all of the weight, from main on.
"$ctpost" blame --folded run.ctrace >folded 2>err || fail "$(cat err)"
"$ctpost" blame --speedscope run.ctrace >scope.json 2>err || fail "$(cat err)"
"$ctpost" blame --json run.ctrace >out 2>err || fail "$(cat err)"
total=$(jq '.blame_totals[0].total_weight' out)
[ "$(awk '{ sum += $NF } END { printf "%d", sum }' folded)" = "$total" ] || fail "folded: not $total"
jq -e --argjson total "$total" '.profiles[0] | (.weights | add) == $total and (.samples | length) == (.weights | length) and .endValue == $total' scope.json >log || fail "speedscope"
grep -q '^main;paths(int\*, int\*);foo(int);bar(int);w(int) ' folded || fail "$(cat folded)"
"$ctpost" blame run.ctrace >text 2>err || fail "$(cat err)"
grep -q 'dynamic instruction counts, of lanes' text || fail "no word of weights"
"$ctpost" blame --by=code --kernels='^two$' run.ctrace >text 2>err || fail "$(cat err)"
grep -q '^ *two .*GPU' text || fail "$(cat text)"

# The report's frames have it all, too: as deep, and for each variable as much as is blamed on it.
"$ctpost" report run.ctrace -o page.html 2>err || fail "$(cat err)"
sed -n 's/.*id="report-data">\(.*\)<\/script>.*/\1/p' page.html | jq -f "$CT_CLI/shared/page.jq" >page.json
jq -e --argjson total "$total" 'def near($a; $b): ($a - $b | fabs) < 0.5; # instructions
	[.page_flame[] | select(.kind == "line" or .kind == "rest")] as $ends | .page_variables as $all | .page_flame as $frames |
	(reduce .page_flame_blame[] as $b ({}; .["\($b.variable_number)"] += ($b.flame_weight // $frames[$b.flame - 1].flame_weight))) as $sums |
	.page_blame[0].flame_weight == $total and near([$ends[].flame_weight] | add; $total) and ($all | length) > 30 and
	all(range($all | length); . as $v | near($sums["\($v)"] // 0; $all[$v].blame_weight))' page.json >log ||
	fail "the report's frames"
jq -e '[.page_flame_blame[] | select(.flame_weight) | .flame] | unique | length > 10' page.json >log || fail "no frame is blamed in part"
[ "$(jq '[.page_variables[] | select(.parent_variable > 0) | .name] | sort | join(" ")' page.json)" = '"s.a s.p s.p.b"' ] || fail "fields: $(jq -c '[.page_variables[] | select(.parent_variable > 0)]' page.json)"
jq -r '.page_flame as $f | def path($i): if $i == 0 then "" else path($f[$i - 1].parent_flame) + ";" + $f[$i - 1].name end;
	$f[] | select(.name) | path(.flame)' page.json >paths
grep -qx ';main;paths(int\*, int\*);foo(int);bar(int);w(int)' paths || fail "$(cat paths)"

"$ctpost" blame --by=launch --rows=2 run.ctrace >text 2>err || fail "$(cat err)"
grep -q '^ *11  indirect *main, .*truths.cu:' text || fail "$(cat text)"
jq -e '.blame_launches | ([.[].blame_share] | add | . - 1 | fabs < 1e-8) and length == 15' out >log || fail "launches"

docs=$CT_CLI/../../docs
. "$CT_CLI/json/exported.sh"
tables_of out
exported run
"$ctpost" export --format=json --tables=blame_variables -o all.json run.ctrace 2>err || fail "$(cat err)"
[ "$(jq '.blame_variables | length' all.json)" = "$(jq '.blame_variables | length' out)" ] || fail "export has fewer variables"
for table in blame_totals blame_variables blame_launches blame_functions; do
	grep -qx $table seen || fail "no export has rows of the table $table"
done
# Under mpirun rank 0 reads for those analyses whose parts cannot be joined.
if command -v mpirun >/dev/null && ls "$CT_BIN"/../lib*/cudatrace/libcudatrace-mpi.so >/dev/null 2>&1; then
	for command in blame model "access --races --reuse" "findings --races"; do
		"$ctpost" $command --json run.ctrace >alone 2>err || fail "$command: $(cat err)"
		OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n 2 \
			"$ctpost" $command --json run.ctrace >together 2>err || fail "two ranks: $command: $(cat err)"
		cmp alone together || fail "two ranks say otherwise: $command"
	done
fi
# Other formats have the same rows, and parts of a variable their own.
in_all_formats blame run.ctrace
[ "$(sqlite3 of.sqlite "select distinct p.variable from blame_variables v join blame_variables p on v.parent = p.number where v.variable = 's.p.b'")" = s.p ] || fail "parents"
status 2 "$ctpost" blame --folded --json run.ctrace
grep -q 'different outputs' err || fail "$(cat err)"

# Without variables there are only functions; without blocks there is nothing.
"$cxx" --ct-target=cpu --ct-events=block -O2 "$CT_CLI/blame/truths.cu" -o app 2>log || fail "$(cat log)"
status 0 "$ctrun" -o run.ctrace -- ./app
"$ctpost" blame --json run.ctrace >out 2>err || fail "$(cat err)"
grep -q 'compile with -g' err || fail "no word of -g"
jq -e '.blame_variables == [] and (.blame_totals[0] | .unattributed_share == 1 and .blamed_share == 0) and
	([.blame_functions[] | select(.depth == 0) | .blame_share] | add) > 0.999' out >log || fail "$(cat out)"
status 0 "$ctrun" --tier=counts -o run.ctrace -- ./app
status 1 "$ctpost" blame run.ctrace
grep -q 'no basic blocks' err || fail "$(cat err)"
status 2 "$ctpost" blame --by=date run.ctrace
