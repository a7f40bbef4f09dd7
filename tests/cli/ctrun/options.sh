# SPDX-License-Identifier: Apache-2.0
# ctrun's command line: help, mistakes, what reaches the program.
. "$CT_CLI/shared/driver.sh"

status 0 "$ctrun" --help
diff -u "$CT_CLI/ctrun/help.expected" out || fail "help differs"
status 0 "$ctrun" --version
has out 'ctrun (cuda-trace) '

mistake() {
	text=$1
	shift
	status 2 "$ctrun" "$@"
	one_line err
	has err "ctrun: error: $text"
}
mistake 'no program to run'
mistake 'no program to run' --
mistake 'unknown option --kernel; did you mean --kernels?' --kernel=x true
mistake 'unknown option --zzzzzzzz; ctrun --help lists the options' --zzzzzzzz true
mistake '--trace=maybe: expected on or off' --trace=maybe true
mistake '--level=high: expected 0..19' --level=high true
mistake '--level=20: expected 0..19' --level=20 true
mistake '--keep-free=101%: expected auto, off, bytes such as 10G, or a share such as 5%' --keep-free=101% true
mistake '--ring=1X: expected a number of bytes, such as 64M' --ring=1X true
mistake '--kernels=(: expected an extended regular expression' '--kernels=(' true
mistake '--limit needs a value: --limit=BYTES' --limit
mistake '--region=(: expected an extended regular expression' '--region=(' true
mistake '--sample-blocks=0: expected a number from 1 to 2147483647' --sample-blocks=0 true
mistake '--sample-launches=2147483648: expected a number from 1' --sample-launches=2147483648 true
mistake '--seed=x: expected a number' --seed=x true
mistake '--delay=1.: expected seconds, such as 2 or 0.25' --delay=1. true
mistake '--duration=-1: expected seconds' --duration=-1 true
mistake '--tier=some: expected full|counts|values|blocks|clock' --tier=some true
mistake '--tier=full|counts: expected full|counts|values|blocks|clock' '--tier=full|counts' true
mistake '-o needs a value: --output=DIR' -o -- true

# Options become variables; the program's own arguments are left alone.
status 0 "$ctrun" --trace=off --kernels 'a|b' --limit=3G -o d.ctrace -- sh -c \
	'echo "$CUDATRACE $CUDATRACE_KERNELS $CUDATRACE_LIMIT $CUDATRACE_OUTPUT $*"' x --trace=on -o y
has out "off a|b 3G $PWD/d.ctrace --trace=on -o y"
has err 'tracing was off'
status 0 "$ctrun" --trace=off --sample-blocks=50 --sample-launches 7 --seed=3 --delay=0.5 --duration=2 --region=step --tier=counts -- sh -c \
	'echo "$CUDATRACE_SAMPLE_BLOCKS $CUDATRACE_SAMPLE_LAUNCHES $CUDATRACE_SEED $CUDATRACE_DELAY $CUDATRACE_DURATION $CUDATRACE_REGION $CUDATRACE_TIER"'
has out '50 7 3 0.5 2 step counts'
status 0 "$ctrun" sh -c 'echo "[$CUDATRACE_LIMIT]"'
has out '[]'
