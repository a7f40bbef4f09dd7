# SPDX-License-Identifier: Apache-2.0
# Several processes in one trace.
ct_e2e_program(many ${CMAKE_CURRENT_SOURCE_DIR}/processes/many.cu)
foreach(case mpi exec fork mixed killed comm)
	ct_e2e_test(e2e-processes-${case} "many;matmul"
		${CMAKE_CURRENT_SOURCE_DIR}/run-processes.sh ${bin} ${programs} ${case}
		${CMAKE_CURRENT_BINARY_DIR}/run/processes-${case})
endforeach()
