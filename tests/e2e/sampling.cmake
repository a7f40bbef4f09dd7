# SPDX-License-Identifier: Apache-2.0
# Sampling, pauses and regions.
add_executable(launch-marks launch-marks.c)
target_include_directories(launch-marks PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(launch-marks PRIVATE ct_flags ct_trace)

ct_e2e_program(marks ${CMAKE_CURRENT_SOURCE_DIR}/sampling/marks.cu)
ct_e2e_program(sampled ${CMAKE_CURRENT_SOURCE_DIR}/sampling/sampled.cu)
foreach(case marks region marks-off delay launches blocks both sites)
	ct_e2e_test(e2e-sampling-${case} "marks;sampled"
		${CMAKE_CURRENT_SOURCE_DIR}/run-sampling.sh ${bin} ${programs} ${case}
		${CMAKE_CURRENT_BINARY_DIR}/run/sampling-${case})
endforeach()
foreach(feature async atomics calls clusters divergence graph-launches groups indirect shared specialise
		waiting warp)
	ct_e2e_test(e2e-sampling-feature-${feature} feature-${feature}
		${CMAKE_CURRENT_SOURCE_DIR}/run-sampling.sh ${bin} ${programs} feature-${feature}
		${CMAKE_CURRENT_BINARY_DIR}/run/sampling-feature-${feature})
endforeach()
add_test(NAME e2e-sampling-plain COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/run-marks-plain.sh ${bin}
	${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER} ${CMAKE_SOURCE_DIR}/include
	${CMAKE_CURRENT_BINARY_DIR}/run/sampling-plain)
set_tests_properties(e2e-sampling-plain PROPERTIES LABELS e2e TIMEOUT 300)
