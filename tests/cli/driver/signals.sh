# SPDX-License-Identifier: Apache-2.0
# A signal ends the wrapper as it ends clang: temporary files go, the status says why.
. "$CT_CLI/shared/driver.sh"
kernel_source k.cu
# A clang that takes its time, and says when it has begun.
cat >slow <<'END'
#!/bin/sh
: >started
exec sleep 100
END
chmod +x slow

for target in gpu cpu; do
	for signal in TERM HUP USR1; do
		case $signal in
		TERM) number=15 ;;
		HUP) number=1 ;;
		USR1) number=10 ;;
		esac
		rm -f started
		CUDATRACE_CLANG=$PWD/slow "$cxx" --ct-target=$target -c k.cu &
		wrapper=$!
		until [ -e started ]; do
			kill -0 $wrapper 2>/dev/null || fail "the compile did not start"
			sleep 0.02
		done
		[ -n "$(ls -A tmp)" ] || fail "no temporary directory to lose"
		kill -$signal $wrapper
		got=0
		wait $wrapper || got=$?
		[ $got = $((128 + number)) ] || fail "$signal: exit status $got"
		no_leftovers
	done
done

# A compiler that dies of a signal takes the wrapper's status with it.
printf '#!/bin/sh\nkill -ABRT $$\n' >slow
got=0
CUDATRACE_CLANG=$PWD/slow "$cxx" -c k.cu || got=$?
[ $got = 134 ] || fail "ABRT: exit status $got"
no_leftovers
