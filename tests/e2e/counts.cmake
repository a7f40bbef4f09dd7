# SPDX-License-Identifier: Apache-2.0
# Tier counts against full traces of the same programs, figure by figure.
add_executable(counts-check counts-check.c)
target_include_directories(counts-check PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(counts-check PRIVATE ct_flags ct_trace)

# ct_e2e_counts(NAME PROGRAM ARGUMENT...)
function(ct_e2e_counts name program)
	ct_e2e_test(e2e-counts-${name} ${program} ${CMAKE_CURRENT_SOURCE_DIR}/run-counts.sh ${bin}
		${programs}/${program} ${CMAKE_CURRENT_BINARY_DIR}/run/counts-${name} ${ARGN})
endfunction()

foreach(line ${lines})
	separate_arguments(words UNIX_COMMAND "${line}")
	list(POP_FRONT words example sizes)
	string(REPLACE "," ";" sizes "${sizes}")
	foreach(size ${sizes})
		ct_e2e_counts(${example}-${size} ${example} ${size})
	endforeach()
endforeach()

# Sizes from 1 to 16 bytes, ranges, tiles, partial warps, variables that share a sector, streams,
# graphs, units that call each other, every space and event. Not what polls: two runs differ
foreach(feature asm_memory async async_copies calls clusters divergence graph-launches loads
		matrices memory objects pointers rdc regular simd specialise statements transfers
		transfers-ptds units variables wide_atomics
		all-async_copies all-blocks all-loads all-matrices all-recorded all-statements
		all-wide_atomics)
	ct_e2e_counts(${feature} feature-${feature})
endforeach()

ct_e2e_program(counts-many ${CMAKE_CURRENT_SOURCE_DIR}/counts/many.cu)
ct_e2e_test(e2e-counts-many counts-many ${CMAKE_CURRENT_SOURCE_DIR}/run-counts-many.sh ${bin}
	${programs}/counts-many ${CMAKE_CURRENT_BINARY_DIR}/run/counts-many)

ct_e2e_program(counts-object-limit ${CMAKE_CURRENT_SOURCE_DIR}/counts/objects.cu)
ct_e2e_test(e2e-counts-object-limit counts-object-limit ${CMAKE_CURRENT_SOURCE_DIR}/run-counts-objects.sh
	${bin} ${programs}/counts-object-limit ${CMAKE_CURRENT_BINARY_DIR}/run/counts-object-limit)

# However a program ends, its counts are complete
foreach(case return async-return exit async-exit reset overlap)
	ct_e2e_test(e2e-counts-error-${case} "endings;overlap;stencil2d"
		${CMAKE_COMMAND} -E env CUDATRACE_TIER=counts
		${CMAKE_CURRENT_SOURCE_DIR}/run-error.sh ${bin} ${programs} ${case}
		${CMAKE_CURRENT_BINARY_DIR}/run/counts-error-${case})
endforeach()
