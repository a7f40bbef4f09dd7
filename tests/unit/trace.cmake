# SPDX-License-Identifier: Apache-2.0
# The trace library: records, writing, reading, damage.
foreach(test delta pace reader record record_groups record_segments record_values trace_calls trace_damage trace_directory trace_files trace_missing trace_parts trace_paths trace_processes trace_sampled trace_shards
		trace_transfers trace_unit trace_values writer)
	ct_add_unit_test(${test} ct_trace)
	target_sources(test_${test} PRIVATE trace_fixture.c trace_calls.c trace_sampled.c)
	target_compile_definitions(test_${test} PRIVATE _GNU_SOURCE)
endforeach()
# Thousands of traces, one per byte and bit.
if(TEST unit.trace_damage)
	set_tests_properties(unit.trace_damage PROPERTIES TIMEOUT 600)
endif()

foreach(threads writer_threads reader_threads)
	add_executable(${threads} ${threads}.c trace_fixture.c)
	target_compile_definitions(${threads} PRIVATE _GNU_SOURCE)
	target_link_libraries(${threads} PRIVATE ct_trace ct_flags ct_sanitize)
	set_target_properties(${threads} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
	add_test(NAME unit.${threads} COMMAND ${threads})
	set_tests_properties(unit.${threads} PROPERTIES LABELS unit TIMEOUT 120)
endforeach()
foreach(test record_groups record_segments)
	target_sources(test_${test} PRIVATE record_list.c)
endforeach()
