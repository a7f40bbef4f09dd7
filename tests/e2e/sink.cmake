# SPDX-License-Identifier: Apache-2.0
# The ring, its consumers and codecs; a sink beside the trace's files, and instead of them.
add_library(sink-counts MODULE sink-counts.c)
target_compile_definitions(sink-counts PRIVATE _GNU_SOURCE)
target_link_libraries(sink-counts PRIVATE ct_trace ct_flags)
set_target_properties(sink-counts PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
ct_e2e_test(e2e-sink TIER test SANITIZED test PROGRAMS bfs
	COMMAND ${e2e}/run-sink.sh ${bin} ${programs}/bfs $<TARGET_FILE:sink-counts> ${run}/sink)
ct_e2e_test(e2e-ring TIER test SANITIZED test PROGRAMS bfs
	COMMAND ${e2e}/run-ring.sh ${bin} ${programs}/bfs ${run}/ring)
