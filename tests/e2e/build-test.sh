#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-test.sh WORK: build.sh compiles again what has changed, and nothing else. A stand-in for the
# compiler notes what it is asked for.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"
work=$PWD

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

for tree in release asan; do
	mkdir -p $tree/bin $tree/lib/cudatrace
	cat >$tree/bin/compiler <<-END
		#!/bin/sh
		echo "$tree \$*" >>$work/log
		while [ \$# -gt 1 ]; do
			case \$1 in
			-MF) echo "x.o: $work/one.cu \\\\
		 $work/one.h" >"\$2" ;;
			-o) echo "$tree" >"\$2" ;;
			esac
			shift
		done
	END
	chmod +x $tree/bin/compiler
	touch $tree/lib/cudatrace/ct-pass.so $tree/lib/cudatrace/device.bc $tree/lib/cudatrace/runtime.a
done
touch one.cu one.h two.cpp

# built COMPILES LINKS OPTION...: how often the compiler runs for what
built() {
	compiles=$1 links=$2
	shift 2
	: >log
	"$here/build.sh" "$work/$tree/bin/compiler" "$work/$tree/tests/program" "$@" one.cu two.cpp
	[ "$(grep -c -- ' -c ' log || true)" = "$compiles" ] || fail "not $compiles compilations: $(cat log)"
	[ "$(grep -vc -- ' -c ' log || true)" = "$links" ] || fail "not $links links: $(cat log)"
}

# older: everything so far has been there for a while
older() {
	find . -exec touch -d '1 minute ago' {} +
}

tree=release
built 2 1 -DX
grep -q 'release -O2 -DX .*-c one.cu' log || fail "the options are not passed: $(cat log)"
built 0 1 -DX
built 1 1 -DY
for changed in one.cu one.h; do
	older
	touch $changed
	built 2 1 -DY
	older
	touch $tree/lib/cudatrace/runtime.a
	built 0 1 -DY
done
for changed in release/bin/compiler release/lib/cudatrace/ct-pass.so release/lib/cudatrace/device.bc; do
	older
	touch $changed
	built 2 1 -DY
	built 0 1 -DY
done
older
rm one.h
built 2 1 -DY
touch one.h
built 2 1 -DY

# Another tree links what this one has compiled; compiling is this one's part there, too.
tree=asan
export CT_OBJECTS_FROM="$work/release"
older
touch asan/lib/cudatrace/ct-pass.so
built 0 1 -DY
grep -q "^asan -DY $work/release/tests/program.one.cu.o" log || fail "it links something else: $(cat log)"
built 1 1 -DZ
grep -q '^release .* -c one.cu' log || fail "the wrong compiler: $(cat log)"
[ ! -e asan/tests/program.one.cu.o ] || fail "an object in the wrong tree"
# A compiler that fails leaves nothing that looks made.
unset CT_OBJECTS_FROM
tree=release
# shellcheck disable=SC2016
printf '#!/bin/sh\nfor last; do :; done\ntouch "$last"\nexit 1\n' >release/bin/compiler
got=0
"$here/build.sh" "$work/release/bin/compiler" "$work/release/tests/program" -DZ one.cu two.cpp || got=$?
[ $got = 1 ] || fail "exit status $got of a compiler that fails"
[ ! -e release/tests/program.one.cu.o ] || fail "a failed compilation leaves an object"
