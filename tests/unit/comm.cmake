# SPDX-License-Identifier: Apache-2.0
# The communication analysis.
ct_add_unit_test(comm_sums ct_post_comm)
ct_add_unit_test(comm_shuffle ct_post_comm)
target_sources(test_comm_shuffle PRIVATE comm_records.c)
ct_add_unit_test(comm_shuffle_limits ct_post_comm)
target_sources(test_comm_shuffle_limits PRIVATE comm_records.c)
target_compile_definitions(test_comm_shuffle_limits PRIVATE _GNU_SOURCE)
# 1 GiB through the disk.
if(TEST unit.comm_shuffle_limits)
	set_tests_properties(unit.comm_shuffle unit.comm_shuffle_limits PROPERTIES TIMEOUT 600)
endif()

ct_add_unit_test(comm_touch ct_post_comm)

add_executable(comm_ranks comm_ranks.c comm_records.c)
target_link_libraries(comm_ranks PRIVATE ct_post_comm ct_flags ct_sanitize)
set_target_properties(comm_ranks PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_test(NAME unit.comm_ranks COMMAND comm_ranks 1)
set_tests_properties(unit.comm_ranks PROPERTIES LABELS unit TIMEOUT 120)
# MPI itself is not made for ThreadSanitizer, nor does it give everything back.
if(TARGET cudatrace-mpi AND NOT CT_SANITIZE MATCHES thread)
	add_dependencies(comm_ranks cudatrace-mpi)
	add_test(NAME unit.comm_ranks_environment COMMAND
		${CMAKE_CURRENT_SOURCE_DIR}/comm_ranks.sh $<TARGET_FILE:comm_ranks>)
	set_tests_properties(unit.comm_ranks_environment PROPERTIES LABELS unit TIMEOUT 120
		ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
	foreach(ranks 1 2 3 4)
		add_test(NAME unit.comm_ranks_${ranks} COMMAND
			${CMAKE_CURRENT_SOURCE_DIR}/mpirun.sh ${ranks} $<TARGET_FILE:comm_ranks> ${ranks})
		set_tests_properties(unit.comm_ranks_${ranks} PROPERTIES LABELS unit TIMEOUT 300
			SKIP_RETURN_CODE 77 PROCESSORS ${ranks} ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
	endforeach()
endif()
