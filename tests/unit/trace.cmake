# SPDX-License-Identifier: Apache-2.0
# The trace library: records, writing, reading, damage.
foreach(test reader record trace_damage trace_parts trace_unit writer)
	ct_add_unit_test(${test} ct_trace)
	target_sources(test_${test} PRIVATE trace_fixture.c)
	target_compile_definitions(test_${test} PRIVATE _GNU_SOURCE)
endforeach()
# Thousands of traces, one per byte and bit.
set_tests_properties(unit.trace_damage PROPERTIES TIMEOUT 600)
