# SPDX-License-Identifier: Apache-2.0
add_executable(ctpost-make-trace ctpost-make-trace.c)
set_target_properties(ctpost-make-trace PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_link_libraries(ctpost-make-trace PRIVATE ct_trace ct_flags)

foreach(case info dump export import diff errors man completion)
	ct_add_cli_test(ctpost-${case} ctpost-${case}.sh)
endforeach()
