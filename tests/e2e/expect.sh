# SPDX-License-Identifier: Apache-2.0
# The language of expect/*.expect: shell, with N the program's size argument.
# Each launch the program makes, in order:
#
#   launch KERNEL [load COUNT*BYTES | store COUNT*BYTES | atomic COUNT*BYTES]...
#   pristine KERNEL REASON
#
# COUNT accesses of single threads, of BYTES bytes each. Terms of one kind add
# up. Where a program's run decides how often threads ask, COUNT+ is so many or
# more. Where a compiler may join neighbours, any*BYTES is BYTES bytes in all.
# Prints one line per launch, in the form of the program launch-counts, with +
# behind lower bounds and "any" for a number that is left open.

set -f # COUNT*BYTES is not a file name pattern

# add KIND COUNT*BYTES: to what the launch has of that kind
add() {
	count=${2%\**} bytes=${2##*\*} more=
	case $1 in load | store | atomic) ;; *)
		echo "expect: $1: not load, store or atomic" >&2
		exit 2
		;;
	esac
	case $count in
	any) eval "${1}_open=any" count=1 ;;
	*+) count=${count%+} more=+ ;;
	esac
	eval "$1=\$(($1 + count)) ${1}_bytes=\$((${1}_bytes + count * bytes)) ${1}_more=\$${1}_more$more"
}

# what KIND: its part of the line
what() {
	eval "count=\$$1 bytes=\$${1}_bytes more=\$${1}_more open=\$${1}_open"
	[ -z "$more" ] || more=+
	[ -n "$open" ] || open=$count$more
	echo "$1 $open $bytes$more"
}

launch() {
	kernel=$1
	shift
	for kind in load store atomic; do
		eval "$kind=0 ${kind}_bytes=0 ${kind}_more= ${kind}_open="
	done
	while [ $# -gt 1 ]; do
		add "$1" "$2"
		shift 2
	done
	echo "$kernel $(what load) $(what store) $(what atomic)"
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
