# SPDX-License-Identifier: Apache-2.0
# comm: two and three ranks write what one process writes. 77 without mpirun.
. "$CT_CLI/shared/comm.sh"
command -v mpirun >/dev/null || exit 77
ls "$CT_BIN"/../lib*/cudatrace/libcudatrace-mpi.so >/dev/null 2>&1 || exit 77
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
make_comm halo

# same OPTION...
same() {
	ctpost comm "$@" halo.ctrace >alone 2>alone.err
	for ranks in 2 3; do
		mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n $ranks "$CT_BIN/ctpost" comm "$@" halo.ctrace >together 2>together.err ||
			fail "$ranks ranks: $*: $(cat together.err)"
		cmp alone together || fail "$ranks ranks: $*"
		diff alone.err together.err || fail "$ranks ranks: warnings of $*"
	done
}
same
same --json --transfers --by=cta
same --json --by=sm --address=0x7f0000000000-0x7f000000003f --scale=2-4
same --transfers --memory=64M --threads=1

mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n 2 "$CT_BIN/ctpost" comm --object=nothing halo.ctrace >out 2>err &&
	fail "no failure"
[ "$(grep -c "there is no object 'nothing'" err)" = 1 ] || fail "the error is not reported once"
