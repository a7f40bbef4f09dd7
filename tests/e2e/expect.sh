# SPDX-License-Identifier: Apache-2.0
# The language of expect/*.expect: shell, with N the program's size argument.
# Each launch the program makes, in order:
#
#   launch KERNEL [load COUNT*BYTES | store COUNT*BYTES | atomic COUNT*BYTES]...
#   pristine KERNEL REASON
#
# COUNT accesses of single threads, of BYTES bytes each. Terms of one kind add
# up. Prints one line per launch, in the form of the program launch-counts.

set -f # COUNT*BYTES is not a file name pattern

launch() {
	kernel=$1
	shift
	load=0 store=0 atomic=0 load_bytes=0 store_bytes=0 atomic_bytes=0
	while [ $# -gt 1 ]; do
		count=${2%\**} bytes=${2##*\*}
		case $1 in
		load) load=$((load + count)) load_bytes=$((load_bytes + count * bytes)) ;;
		store) store=$((store + count)) store_bytes=$((store_bytes + count * bytes)) ;;
		atomic) atomic=$((atomic + count)) atomic_bytes=$((atomic_bytes + count * bytes)) ;;
		*) echo "expect: $1: not load, store or atomic" >&2; exit 2 ;;
		esac
		shift 2
	done
	echo "$kernel load $load $load_bytes store $store $store_bytes atomic $atomic $atomic_bytes"
}

# a launch that is not traced, and why
pristine() {
	kernel=$1
	shift
	echo "$kernel: $*"
}

# n / by, rounded up
divide_up() {
	echo $((($1 + $2 - 1) / $2))
}

# how many of first..last lie in 0..N-1
inside() {
	first=$1 last=$2
	[ "$first" -ge 0 ] || first=0
	[ "$last" -lt "$N" ] || last=$((N - 1))
	[ "$last" -ge "$first" ] && echo $((last - first + 1)) || echo 0
}
