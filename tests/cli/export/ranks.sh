# SPDX-License-Identifier: Apache-2.0
# export: two ranks write what one process writes. 77 without mpirun.
. "$CT_CLI/shared/ctpost.sh"
. "$CT_CLI/export/lib.sh"
command -v mpirun >/dev/null || exit 77
ls "$CT_BIN"/../lib*/cudatrace/libcudatrace-mpi.so >/dev/null 2>&1 || exit 77
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
make_comm_trace halo

together() {
	mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n 2 "$CT_BIN/ctpost" export "$@" halo.ctrace >out 2>err
}
ctpost export --format=csv --history=all -o alone halo.ctrace
together --format=csv --history=all -o both || fail "csv: $(cat err)"
diff -r alone both || fail "csv"
ctpost export --format=perfetto -o alone.json halo.ctrace
together --format=perfetto -o both.json || fail "perfetto: $(cat err)"
cmp alone.json both.json || fail "perfetto"

together --format=csv -o both && fail "wrote into a directory in use"
[ "$(grep -c "both: not empty" err)" = 1 ] || fail "the error is not reported once: $(cat err)"
together --format=sqlite --object=nothing -o x && fail "no failure"
[ "$(grep -c "there is no object 'nothing'" err)" = 1 ] || fail "the error is not reported once: $(cat err)"
[ ! -e x ] || fail "a file although it failed"
