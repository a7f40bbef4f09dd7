# SPDX-License-Identifier: Apache-2.0
# Scripts that time whole commands share this; they have $work, a directory of their own, and
# UNDER, words before each command.

# seconds COMMAND...: of one that fails, nothing; what it printed is in $work/out and $work/err
seconds() {
	begin=$(date +%s%N)
	${UNDER:-} "$@" >"$work/out" 2>"$work/err" </dev/null || return 1
	end=$(date +%s%N)
	awk -v ns=$((end - begin)) 'BEGIN { printf "%.4f\n", ns / 1e9 }'
}

# timed COMMAND...: one that fails ends the script
timed() {
	seconds "$@" || { cat "$work/err" >&2; exit 1; }
}

median() {
	sort -g | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'
}
