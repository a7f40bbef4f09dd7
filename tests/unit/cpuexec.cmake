# SPDX-License-Identifier: Apache-2.0
# The CPU target's execution: fibers, warps, barriers, grids.
foreach(test fiber grid)
	ct_add_unit_test(cpu_${test} ct_cpu_runtime ct_trace m)
	target_compile_definitions(test_cpu_${test} PRIVATE _GNU_SOURCE)
endforeach()
