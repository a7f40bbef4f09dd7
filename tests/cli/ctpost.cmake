# SPDX-License-Identifier: Apache-2.0
add_executable(ctpost-make-trace ctpost-make-trace.c ../unit/trace_calls.c ../unit/trace_counts.c ../unit/trace_fixture.c
	../unit/trace_transfers.c)
target_include_directories(ctpost-make-trace PRIVATE ../unit)
target_compile_definitions(ctpost-make-trace PRIVATE _GNU_SOURCE)
set_target_properties(ctpost-make-trace PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_link_libraries(ctpost-make-trace PRIVATE ct_trace ct_flags)

foreach(case info counts sampled calls dump export import diff verify errors man completion)
	ct_add_cli_test(ctpost-${case} ctpost-${case}.sh)
endforeach()
# It compiles and runs a program.
if(TARGET cuda-trace-clang)
	ct_add_cli_test(ctpost-report ctpost-report.sh)
	set_tests_properties(cli.ctpost-report PROPERTIES TIMEOUT 400)
endif()
add_executable(ctpost-comm-trace ctpost-comm-trace.c)
set_target_properties(ctpost-comm-trace PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_link_libraries(ctpost-comm-trace PRIVATE ct_trace ct_flags)
foreach(case comm comm-lists comm-errors comm-random comm-ranks)
	ct_add_cli_test(ctpost-${case} ctpost-${case}.sh)
endforeach()
set_tests_properties(cli.ctpost-comm-ranks PROPERTIES SKIP_RETURN_CODE 77)

add_executable(csv-read csv-read.c)
set_target_properties(csv-read PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_link_libraries(csv-read PRIVATE ct_flags)
foreach(case export-tables export-sqlite export-perfetto export-failures export-ranks)
	ct_add_cli_test(ctpost-${case} ctpost-${case}.sh)
endforeach()
set_tests_properties(cli.ctpost-export-tables cli.ctpost-export-perfetto cli.ctpost-export-failures
	cli.ctpost-export-ranks PROPERTIES TIMEOUT 300)
set_tests_properties(cli.ctpost-export-ranks PROPERTIES SKIP_RETURN_CODE 77)
