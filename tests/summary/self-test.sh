#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# self-test.sh CTEST CMAKE: summary.sh of runs that ctest made, of each way in which a test can end.
set -eu
ctest=$1 cmake=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
	cat out >&2
	echo "FAILED: $*" >&2
	exit 1
}

# ran NAME LINE...: a project with these lines in its CMakeLists.txt, tested; results in NAME.xml
ran() {
	name=$1
	shift
	mkdir "$name"
	printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(made_up NONE)' 'enable_testing()' "$@" \
		>"$name/CMakeLists.txt"
	"$cmake" -S "$name" -B "$name/build" >/dev/null
	"$ctest" --test-dir "$name/build" --output-junit "$work/$name.xml" >/dev/null 2>&1 || true
}

# says STATUS TEXT BUILD=JUNIT...
says() {
	want=$1 text=$2
	shift 2
	got=0
	"$here/summary.sh" "$@" >out 2>&1 || got=$?
	[ $got = "$want" ] || fail "exit status $got instead of $want"
	tail -n 1 out | grep -qF "$text" || fail "the last line is not '$text'"
}

ran good 'add_test(NAME one COMMAND true)' \
	'add_test(NAME two COMMAND printf "\t<testcase name=\"no\" time=\"9\" status=\"fail\">\n")' \
	'add_test(NAME lacks COMMAND sh -c "exit 77")' \
	'set_tests_properties(lacks PROPERTIES SKIP_RETURN_CODE 77)'
says 0 '100% tests passed, 0 tests failed out of 3 (release 3)' release=good.xml
grep -q '^  release lacks$' out || fail "what was skipped is not named"
ran failing 'add_test(NAME fails COMMAND false)' 'add_test(NAME passes COMMAND true)'
says 1 '80% tests passed, 1 tests failed out of 5' release=good.xml asan=failing.xml
sed -n '/that failed/,$p' out | grep -q '^  asan fails$' || fail "what failed is not named"
# A test that never ran has not passed.
ran missing 'add_test(NAME gone COMMAND /nonexistent)'
says 1 '75% tests passed, 1 tests failed out of 4' release=good.xml asan=missing.xml
ran fixture 'add_test(NAME setup COMMAND false)' 'set_tests_properties(setup PROPERTIES FIXTURES_SETUP f)' \
	'add_test(NAME needs COMMAND true)' 'set_tests_properties(needs PROPERTIES FIXTURES_REQUIRED f)'
says 1 '0% tests passed, 2 tests failed out of 2' asan=fixture.xml
ran slow 'add_test(NAME slow COMMAND sleep 9)' 'set_tests_properties(slow PROPERTIES TIMEOUT 1)'
says 1 '0% tests passed, 1 tests failed out of 1' asan=slow.xml
sed -n 2p out | grep -q '[1-9]\.[0-9]* s  asan slow$' || fail "the slowest test is not the first"
: >empty.xml
says 1 'no results of the tests in asan: empty.xml' release=good.xml asan=empty.xml
says 1 'no results of the tests in asan: none.xml' release=good.xml asan=none.xml
# One of 1000 that fails is no 100 %.
i=0
while [ $i -lt 999 ]; do
	printf '\t<testcase name="%s" classname="x" time="0.1" status="run">\n' $i
	i=$((i + 1))
done >many.xml
says 1 '99% tests passed, 1 tests failed out of 1001' release=many.xml asan=failing.xml
[ "$(grep -c ' s  ' out)" = 30 ] || fail "not 30 slowest tests"
