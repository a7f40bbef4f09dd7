#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mpirun.sh N COMMAND...: run the command on N ranks of this machine; 77 without mpirun.
set -eu
ranks=$1
shift
command -v mpirun >/dev/null || {
	echo "mpirun not found: skipped" >&2
	exit 77
}
# As root, in a container, on fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_plm_rsh_agent= OMPI_MCA_hwloc_base_binding_policy=none
# Its libraries leave memory behind.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
exec mpirun -x ASAN_OPTIONS -n "$ranks" --oversubscribe "$@"
