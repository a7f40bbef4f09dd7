# SPDX-License-Identifier: Apache-2.0
# Interrupts a command at a known place, beside ctpost.sh.

# interrupted SIGNAL PATH COMMAND...: the command is sent SIGNAL when it has opened something whose
# path contains PATH, and dies of it
interrupted() {
	signal=$1 path=$2
	shift 2
	rm -f held
	# A shell has its background processes ignore SIGINT.
	env --default-signal=INT LD_PRELOAD="$CT_CLI_BUILD/libct-hold.so" CT_HOLD="$path" CT_HOLD_SAYS=held \
		"$@" 2>err &
	process=$!
	until [ -e held ]; do
		kill -0 $process 2>/dev/null || fail "$* ends without $path: $(cat err)"
		sleep 0.01
	done
	kill -"$signal" $process
	got=0
	wait $process || got=$?
	[ "$(kill -l $got)" = "$signal" ] || fail "SIG$signal: exit status $got of $*"
}
