# SPDX-License-Identifier: Apache-2.0
# ctrun ffm: each stage once, fed by those before it; again, alone, anew; other commands and programs
# are told apart; whatever can be wrong is said before the program starts.
. "$CT_CLI/shared/driver.sh"
"$cxx" --ct-target=cpu -O1 -g "$CT_CLI/ctrun/ffm.cu" -o app 2>log || fail "$(cat log)"
./app >plain
ctpost=$CT_BIN/ctpost

# ran TIMES: the program printed so often what it prints, and nothing else did
ran() {
	: >expected
	for _ in $(seq "$1"); do
		cat plain >>expected
	done
	diff expected out >&2 || fail "not $1 runs: $(cat err)"
}

# Whether stage 4 is needed hangs on how long things took.
runs() {
	ran "$(grep -c ' of 4: ' err)"
}
status 0 "$ctrun" ffm -o study ./app
runs
has err '[ctrun] stages 1 and 2 of 4: which calls wait'
has err ' call sites to look at in stage 3' # those that can save a thousandth of the run
has err 'times stage 1'
has err 'unnecessary, ' # waits; what they are worth hangs on how long things took
has err 'all of it: ctpost ffm '
"$CT_BIN/ctpost" ffm --json --all study | jq -e '[.needless_calls[].problem] | index("unnecessary-synchronization")' >/dev/null ||
	fail "what is found: $("$CT_BIN/ctpost" ffm --json --all study)"
status 0 "$ctrun" ffm -o study --stage=4 ./app
ran 1
has err 'stage 4 of 4: how long after a wait'
[ "$(ls study | tr '\n' ' ')" = 'calls.ctrace command first-uses.ctrace first-uses.sites uses.ctrace uses.sites ' ] ||
	fail "the study has $(ls study)"

# The run is the process's: it was loaded before its first call, and called exit behind its last one.
"$ctpost" dump --host-events --format=jsonl study/calls.ctrace | jq -c 'select(.type == "ran")' >ran
"$ctpost" dump --tables=call --format=jsonl study/calls.ctrace |
	jq -s --slurpfile ran ran -e '($ran | length == 1) and $ran[0].begin_ns < (map(.begin_ns) | min)
		and $ran[0].end_ns > (map(.begin_ns + .duration_ns) | max)' >log || fail "the process ran from $(cat ran)"

# Sites are fed as WAIT has them; stage 4 looks at those that are needed, and no others.
sites() {
	grep -v '^#' "$1" | cut -d ' ' -f 1 | sort
}
waits() {
	"$ctpost" dump --format=jsonl --tables=wait "study/$1" | jq -r "select($2) | .site" | sed 's/^0x//' | sort -u
}
waits uses.ctrace '.flags == []' >watched
sites study/uses.sites | diff - watched >&2 || fail "stage 3 watches others than it is fed"
[ "$(wc -l <watched)" = 3 ] || fail "stage 3 does not watch the three waits"
waits uses.ctrace '.used > 0' >needed
sites study/first-uses.sites | diff - needed >&2 || fail "stage 4 is not fed the needed waits"
waits first-uses.ctrace '.flags == []' | diff - needed >&2 || fail "stage 4 watches others than it is fed"
[ -n "$("$ctpost" dump --tables=content study/uses.ctrace)" ] || fail "stage 3 looks at no contents"
[ -z "$("$ctpost" dump --tables=content,wait study/calls.ctrace)" ] || fail "stage 1 does more than record calls"

# Where stage 3 has not disturbed the program, stage 4 is fed nothing.
cp -r study same
rm -r same/calls.ctrace
cp -r same/uses.ctrace same/calls.ctrace
status 0 "$ctpost" feed --stage=4 same
grep -v '^#' out && fail "a run that is as stage 1 is taken to be disturbed"
status 0 "$ctpost" feed --stage=4 --all same
[ "$(grep -vc '^#' out)" = 1 ] || fail "--all does not list the needed wait"

# Again: nothing runs. One stage alone; the analysis alone.
status 0 "$ctrun" ffm -o study ./app
ran 0
has err 'stage 3: there already (--stage=3 runs it again)'
status 0 "$ctrun" ffm -o study --stage=3 --uses=pages ./app
ran 1
status 0 "$ctrun" ffm -o study --stage=5 ./app
ran 0
has err 'unnecessary, '
status 1 "$ctrun" ffm -o other --stage=3 ./app
has err 'the stage before it is missing'

# Another command, another program: said before anything runs, and how to go on.
status 1 "$ctrun" ffm -o study ./app x
ran 0
has err 'study is the study of another command'
sleep 0.01
touch app
status 1 "$ctrun" ffm -o study ./app
has err './app was changed after the study in study had begun'
status 0 "$ctrun" ffm -o study --redo ./app
runs
has err 'stages 1 and 2 of 4'

# Standard input begins anew with each stage if it is a file, and is said not to if it is a pipe.
echo first >input
echo second >>input
{ cat input; cat plain; } >reads
./app reads <input | diff - reads >&2 || fail "the program does not read"
status 0 "$ctrun" ffm -o reads.study ./app reads <input
for _ in $(seq "$(grep -c ' of 4: ' err)"); do
	cat reads
done | diff - out >&2 || fail "the input of stages is not the same"
lacks err 'standard input'
cat input | status 0 "$ctrun" ffm -o pipe.study ./app reads
has err 'standard input is a pipe'

# How the program ends.
status 3 "$ctrun" ffm -o ends.study ./app ends 3
ran 1
has err 'stages 1 and 2: ./app ended with status 3; the same command goes on from there'
has err 'if all was well: --status=3'
"$ctpost" calls ends.study/calls.ctrace.partial >/dev/null || fail "what failed cannot be read"
status 0 "$ctrun" ffm -o ends.study --status=3 ./app ends 3
runs
[ ! -e ends.study/calls.ctrace.partial ] || fail "a partial trace is left"
status 1 "$ctrun" ffm -o nothing.study ./app nothing
has err 'no call of CUDA was recorded: ./app made no call of CUDA that is recorded'
status 127 "$ctrun" ffm -o missing.study ./missing
[ ! -e missing.study ] || fail "a directory for a program that is not there"

# Mistakes.
mistake() {
	text=$1
	shift
	status 2 "$@"
	one_line err
	has err "$text"
}
mistake '-o DIR is missing' "$ctrun" ffm ./app
mistake 'no program to run: ctrun ffm' "$ctrun" ffm -o study
mistake 'unknown option --stag; did you mean --stage? (see ctrun ffm --help)' "$ctrun" ffm --stag=3 ./app
mistake '--stage=6: expected 1..5' "$ctrun" ffm --stage=6 ./app
mistake '--redo takes no value' "$ctrun" ffm --redo=on ./app
mistake 'put ctrun ffm around the launcher' \
	env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 "$ctrun" ffm -o rank.study ./app
mkdir full
echo x >full/thesis.tex
status 1 "$ctrun" ffm -o full ./app
has err 'full holds other files (thesis.tex); choose another directory with -o'
