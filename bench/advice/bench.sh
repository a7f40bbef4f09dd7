#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BIN OUT [--again] [--cases=DIR] [--host-cases=DIR] [--public=DIR] [NAME...]: what ctpost
# findings advises on examples, on the programs of tests/e2e/features, on programs of one file below
# the directory of cases, and on those of public.txt, whose sources are DIR/NAME-cuda. Each is built
# for CPU threads with all that can be recorded, run at a small size and traced; host cases are what
# ctrun ffm runs. NAME: these programs alone. Traces stay in OUT: with --again they are read once
# more, and nothing is built or run.
#
# OUT/advice.csv and OUT/advice.md have each distinct advice with its program, place and worth, and
# what judged.tsv says of it: right, useless or wrong, and why; nothing of what is new. Fixed columns
# of judged.tsv are program, finding, place, judgement, reason. The exit status is 1 if an advice is
# wrong, or more than one in ten are useless; 3 if some are not judged.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
BIN=$(cd "$1" && pwd)
mkdir -p "$2"
OUT=$(cd "$2" && pwd)
shift 2
AGAIN='' CASES='' HOST_CASES='' PUBLIC='' ONLY=" "
for word; do
	case $word in
	--again) AGAIN=yes ;;
	--cases=*) CASES=${word#*=} ;;
	--host-cases=*) HOST_CASES=${word#*=} ;;
	--public=*) PUBLIC=${word#*=} ;;
	*) ONLY="$ONLY$word " ;;
	esac
done
RECORD="--ct-target=cpu --ct-values --ct-spaces=global,shared,local,constant --ct-events=barrier,block,cta"
LIMIT=${LIMIT:-120}

wanted() {
	[ "$ONLY" = " " ] || case $ONLY in *" $1 "*) ;; *) return 1 ;; esac
}

failed() {
	echo "$1" >>"$OUT/failed"
	return 1
}

# clear NAME: an empty OUT/NAME
clear() {
	rm -rf "${OUT:?}/$1"
	mkdir -p "$OUT/$1"
}

# build NAME OPTIONS SOURCE...
build() {
	name=$1 options=$2
	shift 2
	[ ! "$AGAIN" ] || return 0
	clear "$name"
	# shellcheck disable=SC2086 # words
	timeout "$LIMIT" "$BIN/cuda-trace-clang++" $RECORD -O2 -g $options -o "$OUT/$name/program" "$@" \
		>"$OUT/$name/build.log" 2>&1 || failed "$name: not built"
}

# make_public NAME: with its own makefile
make_public() {
	[ ! "$AGAIN" ] || return 0
	clear "$1"
	cp -r "$PUBLIC/$1-cuda/." "$OUT/$1"
	(cd "$OUT/$1" &&
		timeout 300 make CC="$BIN/cuda-trace-nvcc $RECORD -lineinfo -g" ARCH=sm_80 OPTIMIZE=yes >build.log 2>&1 &&
		mv main program) || failed "$1: not built"
}

# trace NAME ARGUMENT...: OUT/NAME/program, in its directory
trace() {
	name=$1
	shift
	cd "$OUT/$name"
	[ "$AGAIN" ] ||
		timeout "$LIMIT" "$BIN/ctrun" --launches=1-60 -o run.ctrace -- ./program "$@" >run.log 2>&1 ||
		failed "$name: exit status $?" || :
	timeout "$LIMIT" "$BIN/ctpost" findings --races --json run.ctrace >findings.json 2>findings.log ||
		failed "$name: no findings" || :
	cd "$OUT"
}

# study NAME: likewise, with ctrun ffm
study() {
	cd "$OUT/$1"
	[ "$AGAIN" ] ||
		timeout "$LIMIT" "$BIN/ctrun" ffm -o study -- ./program >run.log 2>&1 ||
		failed "$1: exit status $?" || :
	timeout "$LIMIT" "$BIN/ctpost" findings --json study >findings.json 2>findings.log ||
		failed "$1: no findings" || :
	cd "$OUT"
}

: >"$OUT/failed"
[ ! "$CASES" ] || for source in "$CASES"/*.cu; do
	name=case-$(basename "$source" .cu)
	wanted "$name" || continue
	build "$name" "" "$source" && trace "$name"
done
[ ! "$HOST_CASES" ] || for source in "$HOST_CASES"/*.cu; do
	name=host-$(basename "$source" .cu)
	wanted "$name" || continue
	build "$name" "-std=c++17 --ct-host" "$source" && study "$name"
done
grep -v '^#' "$ROOT/tests/e2e/programs.txt" | while read -r name sizes sources; do
	wanted "$name" || continue
	files=
	for source in $sources; do files="$files $ROOT/examples/$source"; done
	# shellcheck disable=SC2086
	build "$name" "-I$ROOT/examples" $files && trace "$name" "${sizes%%,*}"
done
[ ! "$PUBLIC" ] || grep -v '^#' "$HERE/public.txt" | while read -r name arguments; do
	wanted "$name" || continue
	# shellcheck disable=SC2086
	make_public "$name" && trace "$name" $arguments
done
for source in "$ROOT"/tests/e2e/features/*.cu; do
	name=feature-$(basename "$source" .cu)
	wanted "$name" || continue
	build "$name" "-std=c++17" "$source" && trace "$name"
done

"$HERE/table.sh" "$OUT"
