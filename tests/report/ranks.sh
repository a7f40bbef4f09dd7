# SPDX-License-Identifier: Apache-2.0
# Under mpirun rank 0 writes the file that one process writes. 77 without mpirun.
. "$CT_CLI/shared/comm.sh"
command -v mpirun >/dev/null || exit 77
ls "$CT_BIN"/../lib*/cudatrace/libcudatrace-mpi.so >/dev/null 2>&1 || exit 77
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
make_comm halo

ctpost report halo.ctrace -o alone.html 2>err
for ranks in 2 3; do
	mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n $ranks "$CT_BIN/ctpost" report halo.ctrace -o together.html 2>err || fail "$(cat err)"
	cmp alone.html together.html || fail "$ranks ranks write another report"
done
mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n 2 "$CT_BIN/ctpost" report halo.ctrace -o nowhere/a.html >out 2>err && fail "no failure"
[ "$(grep -c "nowhere/a.html" err)" = 1 ] || fail "the error is not reported once: $(cat err)"
