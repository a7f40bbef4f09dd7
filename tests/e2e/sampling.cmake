# SPDX-License-Identifier: Apache-2.0
# Sampling, pauses and regions.
add_executable(launch-marks launch-marks.c)
target_include_directories(launch-marks PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(launch-marks PRIVATE ct_flags ct_trace)

ct_e2e_program(marks ${e2e}/sampling/marks.cu)
ct_e2e_program(sampled ${e2e}/sampling/sampled.cu)
foreach(case marks region marks-off delay launches blocks both sites)
	ct_e2e_test(e2e-sampling-${case} TIER test SANITIZED test PROGRAMS marks sampled
		COMMAND ${e2e}/run-sampling.sh ${bin} ${programs} ${case} ${run}/sampling-${case})
endforeach()
foreach(feature async atomics calls clusters divergence graph-launches groups indirect shared specialise
		waiting warp)
	ct_e2e_test(e2e-sampling-feature-${feature} TIER test PROGRAMS feature-${feature}
		COMMAND ${e2e}/run-sampling.sh ${bin} ${programs} feature-${feature}
			${run}/sampling-feature-${feature})
endforeach()
ct_add_test(e2e-sampling-plain GROUP e2e TIER test TIMEOUT 300
	COMMAND ${e2e}/run-marks-plain.sh ${bin} ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER}
		${CMAKE_SOURCE_DIR}/include ${run}/sampling-plain)
