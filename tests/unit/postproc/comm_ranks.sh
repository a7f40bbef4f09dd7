#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# comm_ranks.sh PROGRAM: when ranks are several, and what is said if they cannot be.
set -u
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
failures=0

# expect STATUS TEXT COMMAND...
expect() {
	status=$1
	text=$2
	shift 2
	"$@" >"$scratch/out" 2>&1
	was=$?
	if [ $was != "$status" ] || ! grep -q "$text" "$scratch/out"; then
		echo "status $was, wanted $status and '$text': $*" >&2
		cat "$scratch/out" >&2
		failures=$((failures + 1))
	fi
}

# A job's size for all of its commands, a rank of one, nonsense: alone.
expect 0 'ranks: 1' env SLURM_NTASKS=4 SLURM_PROCID=0 "$program" 1
expect 0 'ranks: 1' env PMI_SIZE=1 PMI_RANK=0 "$program" 1
expect 0 'ranks: 1' env PMI_SIZE=many PMI_RANK=0 "$program" 1
expect 0 'ranks: 1' env PMI_SIZE=2 PMI_RANK=7 "$program" 1

# Away from its parts.
cp "$program" "$scratch/program"
for launcher in OMPI_COMM_WORLD_SIZE=2:OMPI_COMM_WORLD_RANK=1 PMI_SIZE=2:PMI_RANK=1 SLURM_NTASKS=2:PMIX_RANK=1; do
	expect 1 'started as one of 2 ranks, but libcudatrace-mpi.so is missing' \
		env "${launcher%:*}" "${launcher#*:}" "$scratch/program"
done

# Another MPI's launcher: ours does not know it.
expect 1 'the launcher started 2 ranks, but MPI sees 1' env PMI_SIZE=2 PMI_RANK=0 "$program"
exit $failures
