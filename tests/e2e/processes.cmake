# SPDX-License-Identifier: Apache-2.0
# Several processes in one trace.
ct_e2e_program(many ${e2e}/processes/many.cu)
foreach(case mpi exec fork mixed killed losses comm)
	ct_e2e_test(e2e-processes-${case} TIER test SANITIZED test PROGRAMS many matmul
		COMMAND ${e2e}/run-processes.sh ${bin} ${programs} ${case} ${run}/processes-${case})
endforeach()

# The programs of tests/gpu/multi, on two devices that the CPU target plays.
ct_e2e_program(devices -pthread -I${e2e}/features
	${CMAKE_SOURCE_DIR}/tests/gpu/multi/devices.cu)
ct_e2e_program(devices-ptds -pthread -fgpu-default-stream=per-thread
	-I${e2e}/features ${CMAKE_SOURCE_DIR}/tests/gpu/multi/devices.cu)
foreach(ring 64M 8K)
	ct_e2e_test(e2e-multi-${ring} TIER test SANITIZED test PROGRAMS devices devices-ptds many
		COMMAND ${CMAKE_COMMAND} -E env CUDATRACE_CPU_DEVICES=2
			${CMAKE_SOURCE_DIR}/tests/gpu/run-multi.sh ${bin} ${e2e} ${programs} ${ring}
			${run}/multi-${ring} devices devices-ptds processes ranks)
endforeach()

# A program that uses MPI itself.
find_program(CT_MPICXX mpicxx)
execute_process(COMMAND sh -c "${CT_MPICXX} --showme:compile && ${CT_MPICXX} --showme:link"
	OUTPUT_VARIABLE mpi_flags RESULT_VARIABLE mpi_failed ERROR_QUIET)
if(CT_MPICXX AND NOT mpi_failed)
	separate_arguments(mpi_flags UNIX_COMMAND "${mpi_flags}")
	ct_e2e_program(ring ${mpi_flags} ${e2e}/processes/ring.cu)
	ct_e2e_test(e2e-processes-ring TIER test SANITIZED test PROGRAMS ring
		COMMAND ${e2e}/run-processes.sh ${bin} ${programs} ring ${run}/processes-ring)
endif()
