# SPDX-License-Identifier: Apache-2.0
# Tier counts against full traces of the same programs, figure by figure.
add_executable(counts-check counts-check.c)
target_include_directories(counts-check PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(counts-check PRIVATE ct_flags ct_trace)

# ct_e2e_counts(NAME TIER PROGRAM ARGUMENT...)
function(ct_e2e_counts name tier program)
	ct_e2e_test(e2e-counts-${name} TIER ${tier} PROGRAMS ${program}
		COMMAND ${e2e}/run-counts.sh ${bin} ${programs}/${program} ${run}/counts-${name} ${ARGN})
endfunction()

foreach(line ${lines})
	separate_arguments(words UNIX_COMMAND "${line}")
	list(POP_FRONT words example sizes)
	string(REPLACE "," ";" sizes "${sizes}")
	foreach(size ${sizes})
		ct_e2e_counts(${example}-${size} test ${example} ${size})
	endforeach()
endforeach()

# Sizes from 1 to 16 bytes, ranges, tiles, partial warps, variables that share a sector, streams,
# graphs, units that call each other, every space and event. Not what polls: two runs differ.
# Programs that no other test of the tier builds, or that take long to compile, are of the tier full.
foreach(feature asm_memory async async_copies calls clusters divergence graph-launches loads
		matrices memory objects pointers rdc regular simd specialise statements transfers
		transfers-ptds units variables wide_atomics
		all-async_copies all-blocks all-loads all-matrices all-recorded all-statements
		all-wide_atomics)
	set(tier test)
	if(feature MATCHES "^(asm_memory|simd|transfers-ptds|wide_atomics)$|^all-" AND NOT feature STREQUAL "all-blocks")
		set(tier full)
	endif()
	ct_e2e_counts(${feature} ${tier} feature-${feature})
endforeach()

# Tier blocks, where the hooks of a full trace do not part warps
foreach(feature blocks loads recorded)
	set(tier full)
	if(feature STREQUAL "blocks")
		set(tier test)
	endif()
	ct_e2e_test(e2e-blocks-${feature} TIER ${tier} PROGRAMS feature-all-${feature}
		COMMAND ${CMAKE_COMMAND} -E env TIER=blocks ${e2e}/run-counts.sh ${bin}
			${programs}/feature-all-${feature} ${run}/blocks-${feature})
endforeach()

# Loops whose end is not known, and warps that part
ct_e2e_program(blocks-divergence --ct-events=block ${e2e}/features/divergence.cu)
ct_e2e_test(e2e-blocks-divergence TIER test PROGRAMS blocks-divergence
	COMMAND ${CMAKE_COMMAND} -E env TIER=blocks COMPARE=lanes ${e2e}/run-counts.sh ${bin}
		${programs}/blocks-divergence ${run}/blocks-divergence)

ct_e2e_program(counts-many ${e2e}/counts/many.cu)
ct_e2e_test(e2e-counts-many TIER test PROGRAMS counts-many
	COMMAND ${e2e}/run-counts-many.sh ${bin} ${programs}/counts-many ${run}/counts-many)

ct_e2e_program(counts-object-limit ${e2e}/counts/objects.cu)
ct_e2e_test(e2e-counts-object-limit TIER test PROGRAMS counts-object-limit
	COMMAND ${e2e}/run-counts-objects.sh ${bin} ${programs}/counts-object-limit
		${run}/counts-object-limit)

ct_e2e_program(counts-hundreds ${e2e}/counts/hundreds.cu)
ct_e2e_counts(hundreds full counts-hundreds)

# However a program ends, its counts are complete
foreach(case return async-return exit async-exit reset overlap)
	ct_e2e_test(e2e-counts-error-${case} TIER test PROGRAMS endings overlap stencil2d
		COMMAND ${CMAKE_COMMAND} -E env CUDATRACE_TIER=counts
			${e2e}/run-error.sh ${bin} ${programs} ${case} ${run}/counts-error-${case})
endforeach()
