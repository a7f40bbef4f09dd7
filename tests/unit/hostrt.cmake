# SPDX-License-Identifier: Apache-2.0
ct_add_unit_test(hostrt_options ct_host_rt_tested)
ct_add_unit_test(hostrt_registry ct_host_rt_tested)
ct_add_unit_test(hostrt_consumer ct_host_rt_tested ct_trace)
target_sources(test_hostrt_consumer PRIVATE ring_bench.c)
ct_add_unit_test(hostrt_cores ct_host_rt_tested)
target_compile_definitions(test_hostrt_cores PRIVATE _GNU_SOURCE)
ct_add_unit_test(hostrt_manifest ct_host_rt_tested)
ct_add_unit_test(hostrt_handles ct_host_rt_tested)
ct_add_unit_test(hostrt_ids ct_host_rt_tested)
ct_add_unit_test(hostrt_graph_order ct_host_rt_tested)
ct_add_unit_test(hostrt_transfer_shape ct_host_rt_tested)
ct_add_unit_test(hostrt_sampling ct_host_rt_tested)

# Also under ThreadSanitizer, where Criterion does not run.
add_executable(ring_threads ring_threads.c ring_bench.c trace_fixture.c)
target_compile_definitions(ring_threads PRIVATE _GNU_SOURCE)
target_link_libraries(ring_threads PRIVATE ct_host_rt_tested ct_trace ct_flags ct_sanitize)
set_target_properties(ring_threads PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_test(NAME unit.ring_threads COMMAND ring_threads)
set_tests_properties(unit.ring_threads PROPERTIES LABELS unit TIMEOUT 300)
ct_add_unit_test(hostrt_counts ct_host_rt_tested)
target_sources(test_hostrt_counts PRIVATE ${CMAKE_SOURCE_DIR}/host-rt/counts_objects.c
	${CMAKE_SOURCE_DIR}/host-rt/counts_reduce.c ${CMAKE_SOURCE_DIR}/host-rt/counts_units.c)
