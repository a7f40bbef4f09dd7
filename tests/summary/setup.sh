#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# setup.sh SETUP: the words that setup.sh takes and those it refuses, before it does anything.
set -eu
setup=$1

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# refuses TEXT STATUS COMMAND...: one line of error that says TEXT, and nothing else
refuses() {
	text=$1 want=$2
	shift 2
	got=0
	"$@" >out 2>err || got=$?
	[ $got = "$want" ] || fail "exit status $got instead of $want: $*"
	[ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF "$text" err || fail "$*: $(cat out err)"
}

for word in --help -h help; do
	"$setup" $word >help 2>err || fail "$word: exit status $?"
	[ ! -s err ] || fail "$word: $(cat err)"
done
for command in deps build install demo test 'test quick' 'test full'; do
	grep -q "^  $command  " help || fail "--help does not list '$command'"
done
got=0
"$setup" >out 2>err || got=$?
[ $got = 2 ] && [ ! -s out ] && diff help err || fail "without a command: exit status $got, $(cat out err)"
refuses "unknown command 'nonsense'; ./setup.sh --help lists them" 2 "$setup" nonsense
refuses "unknown command 'test quack'" 2 "$setup" test quack
refuses "install: unknown argument 'here'; write install --prefix DIR" 1 "$setup" install here
refuses 'which directory?' 1 "$setup" install --prefix=
refuses "unknown command 'demo now'" 2 "$setup" demo now
parts=$(sed -n 's/^set(CT_PARTS \([0-9]*\))$/\1/p' "${setup%/*}/cmake/CtTests.cmake")
for part in $((parts + 1)) 0 1x; do
	refuses "CT_PART=$part: expected a number from 1 to $parts" 1 env CT_PART=$part "$setup" test
done

# A step that takes long shows where it is; here it waits until its line is there.
{
	sed -n '/^say() {/,/^}/p; /^die() {/,/^}/p; /^progress() {/,/^}/p; /^quietly() {/,/^}/p' "$setup"
	cat <<-'END'
		set -eu
		progress_seconds=1
		step() {
			echo '[1/2] Building one'
			until grep -qx 'setup: \[1/2\] Building one' shown; do sleep 0.1; done
			echo '[2/2] Building two'
		}
		quietly steps step
		quietly broken sh -c 'echo reason; exit 1'
	END
} >steps.sh
got=0
sh steps.sh >shown 2>err || got=$?
[ $got = 1 ] && [ "$(cat shown)" = 'setup: [1/2] Building one' ] || fail "progress: exit status $got, $(cat shown err)"
grep -qx reason err && grep -qx "\[2/2\] Building two" build/steps.log || fail "a failure: $(cat err)"
