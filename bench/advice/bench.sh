#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BIN OUT [--cases=DIR] [--public=DIR] [NAME...]: what ctpost findings advises on examples, on the
# programs of tests/e2e/features, on programs of one file below the directory of cases, and on those
# of public.txt, whose sources are DIR/NAME-cuda. Each is built for CPU threads with all that can be
# recorded, run at a small size and traced. NAME: these programs alone.
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
CASES= PUBLIC= ONLY=" "
for word; do
	case $word in
	--cases=*) CASES=${word#*=} ;;
	--public=*) PUBLIC=${word#*=} ;;
	*) ONLY="$ONLY$word " ;;
	esac
done
RECORD="--ct-target=cpu --ct-values --ct-spaces=global,shared,local,constant --ct-events=barrier,block,cta"
LIMIT=${LIMIT:-120}

wanted() {
	[ "$ONLY" = " " ] || case $ONLY in *" $1 "*) ;; *) return 1 ;; esac
}

# trace NAME ARGUMENT...: OUT/NAME/program, in its directory
trace() {
	name=$1
	shift
	(
		cd "$OUT/$name"
		timeout "$LIMIT" "$BIN/ctrun" --launches=1-60 -o run.ctrace -- ./program "$@" >run.log 2>&1 ||
			echo "$name: exit status $?" >>"$OUT/failed"
		timeout "$LIMIT" "$BIN/ctpost" findings --races --json run.ctrace >findings.json 2>findings.log ||
			echo "$name: no findings" >>"$OUT/failed"
		rm -rf run.ctrace
	)
}

# build NAME OPTIONS SOURCE...
build() {
	rm -rf "${OUT:?}/$1"
	mkdir -p "$OUT/$1"
	name=$1 options=$2
	shift 2
	# shellcheck disable=SC2086 # words
	timeout "$LIMIT" "$BIN/cuda-trace-clang++" $RECORD -O2 -g $options -o "$OUT/$name/program" "$@" \
		>"$OUT/$name/build.log" 2>&1 || {
		echo "$name: not built" >>"$OUT/failed"
		return 1
	}
}

: >"$OUT/failed"
grep -v '^#' "$ROOT/tests/e2e/programs.txt" | while read -r name sizes sources; do
	wanted "$name" || continue
	files=
	for source in $sources; do files="$files $ROOT/examples/$source"; done
	# shellcheck disable=SC2086
	build "$name" "-I$ROOT/examples" $files && trace "$name" "${sizes%%,*}"
done
for source in "$ROOT"/tests/e2e/features/*.cu; do
	name=feature-$(basename "$source" .cu)
	wanted "$name" || continue
	build "$name" "-std=c++17" "$source" && trace "$name"
done
[ ! "$CASES" ] || for source in "$CASES"/*.cu; do
	name=case-$(basename "$source" .cu)
	wanted "$name" || continue
	build "$name" "" "$source" && trace "$name"
done
[ ! "$PUBLIC" ] || grep -v '^#' "$HERE/public.txt" | while read -r name arguments; do
	wanted "$name" || continue
	rm -rf "${OUT:?}/$name"
	mkdir -p "$OUT/$name"
	cp -r "$PUBLIC/$name-cuda/." "$OUT/$name"
	(cd "$OUT/$name" &&
		timeout 300 make CC="$BIN/cuda-trace-nvcc $RECORD -lineinfo -g" ARCH=sm_80 OPTIMIZE=yes >build.log 2>&1 &&
		mv main program) || {
		echo "$name: not built" >>"$OUT/failed"
		continue
	}
	# shellcheck disable=SC2086
	trace "$name" $arguments
done

"$HERE/table.sh" "$OUT"
