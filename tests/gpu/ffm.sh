#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ffm.sh BUNDLE RESULTS [ROUNDS]
# The feed-forward model on a GPU: problems of known programs, each at its line and nothing else, by
# host code that tells, by protected pages, by both, and by the stages of ctrun ffm; outputs unchanged.
# Then what fixing problems is expected to save against what it saves (bench/ffm/truth.sh), and what
# all stages cost. Writes RESULTS/ffm.md.
# Exit 0: all as it should be; 1: not; 77: no device.
set -eu
[ $# -ge 2 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
rounds=${3:-5}
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:/usr/local/cuda/lib64"
export PATH="$BUNDLE/bin:$PATH"
nvidia-smi >/dev/null 2>&1 || {
	echo "ffm.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
. "$BUNDLE/ffm/marks.sh"
fail() {
	echo "$*" >"$RESULTS/failure"
	exit 1
}

# look HOW PROGRAM: a study or a trace, and what is found in it
look() {
	rm -rf "$RESULTS/$2.$1" "$RESULTS/failure"
	case $1 in
	stages) ctrun ffm -o "$RESULTS/$2.$1" -- "$BUNDLE/ffm/$2" ;;
	*) ctrun --calls=only --uses="$1" --contents=on -o "$RESULTS/$2.$1" -- "$BUNDLE/ffm/$2" ;;
	esac >"$RESULTS/$2.$1.out" 2>"$RESULTS/$2.$1.log" || fail "the program fails"
	# ctrun ffm runs the program several times.
	sort -u "$RESULTS/$2.$1.out" | cmp -s - "$RESULTS/$2.said" || fail "another output"
	ctpost ffm --json --far=$far "$RESULTS/$2.$1" >"$RESULTS/$2.$1.json" 2>>"$RESULTS/$2.$1.log" ||
		fail "ctpost ffm fails"
	case $2 in
	library) in_library "$RESULTS/$2.$1.json" ;;
	*) as_marked "$BUNDLE/ffm/$2.cu" "$RESULTS/$2.$1.json" ;;
	esac
}

# Waits of cuBLAS and cuFFT, by function and place in their files. The program reads what cuBLAS
# brings, so none of its waits may be called needless; those of cufftDestroy are, each time around.
closed() {
	"$BUNDLE/ffm/closed" >closed.said 2>closed.log || {
		echo "closed libraries: the program does not run here: $(cat closed.log)"
		return 0
	}
	rm -rf closed.study
	ctrun ffm -o closed.study -- "$BUNDLE/ffm/closed" >closed.out 2>>closed.log &&
		ctpost ffm --json closed.study >closed.json 2>>closed.log || {
		echo "**closed libraries: $(tail -1 closed.log)**"
		return 1
	}
	echo "| closed libraries: problem | call | calls | in | at | evidence | benefit |"
	echo "|---|---|---|---|---|---|---|"
	jq -r '.needless_calls[] | "| \(.problem) | \(.function) | \(.calls) of \(.all_calls) | \(.caller) (\(.module | split("/") | last)) | \(.offset) | \(.evidence) | \(.bound_seconds) |"' closed.json
	sort -u closed.out | cmp -s - closed.said || {
		echo "**another output**"
		return 1
	}
	! jq -e '[.needless_calls[] | select(.problem == "unnecessary-synchronization" and ([.frames[].module] | map(test("libcublas")) | any))] | length > 0' closed.json >/dev/null || {
		echo "**a wait of cuBLAS, whose result is read, is called needless**"
		return 1
	}
	jq -e 'any(.needless_calls[]; .problem == "unnecessary-synchronization" and (.module // "" | test("libcufft")) and .offset != null and .calls == 4)' closed.json >/dev/null || {
		echo "**the waits of cufftDestroy are not found, or not by file and place**"
		return 1
	}
}

cd "$RESULTS"
status=0
{
	echo "| program | how | |"
	echo "|---|---|---|"
	for program in waits exchanges places copies library; do
		CUDATRACE=off "$BUNDLE/ffm/$program" | sort -u >"$program.said"
		for how in host pages auto stages; do
			if (look $how $program); then
				echo "| $program | $how | ok |"
			else
				echo "| $program | $how | **$(tr '\n' ' ' <failure)** |"
				status=1
			fi
		done
	done
	echo
	closed || status=1
	echo
	"$BUNDLE/ffm/truth.sh" "$BUNDLE/bin/ctrun" "$BUNDLE/ffm" "$rounds" gpu || status=1
	echo
	"$BUNDLE/ffm/cost.sh" "$BUNDLE/bin/ctrun" 3 "$BUNDLE/ffm/als 100000" "$BUNDLE/ffm/immersed 1024" || status=1
	echo "$status" >ffm.status
} | tee ffm.md
exit "$(cat ffm.status)"
