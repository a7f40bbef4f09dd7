# SPDX-License-Identifier: Apache-2.0
# The ring, its consumers and codecs; a sink beside the trace's files, and instead of them.
add_library(sink-counts MODULE sink-counts.c)
target_compile_definitions(sink-counts PRIVATE _GNU_SOURCE)
target_link_libraries(sink-counts PRIVATE ct_trace ct_flags)
set_target_properties(sink-counts PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
ct_e2e_test(e2e-sink "bfs" ${CMAKE_CURRENT_SOURCE_DIR}/run-sink.sh ${bin} ${programs}/bfs
	$<TARGET_FILE:sink-counts> ${CMAKE_CURRENT_BINARY_DIR}/run/sink)
ct_e2e_test(e2e-ring "bfs" ${CMAKE_CURRENT_SOURCE_DIR}/run-ring.sh ${bin} ${programs}/bfs
	${CMAKE_CURRENT_BINARY_DIR}/run/ring)
