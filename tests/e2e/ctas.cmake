# SPDX-License-Identifier: Apache-2.0
# The CTA clock: a row for each CTA.
add_executable(ctas-check ctas-check.c)
target_include_directories(ctas-check PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(ctas-check PRIVATE ct_flags ct_trace)

# ct_e2e_ctas(NAME TIER OPTION... SOURCE...)
function(ct_e2e_ctas name tier)
	ct_e2e_program(${name} --ct-events=cta ${ARGN})
	ct_e2e_test(e2e-${name} TIER ${tier} PROGRAMS ${name}
		COMMAND ${e2e}/run-ctas.sh ${bin} ${programs}/${name} ${run}/${name})
endfunction()

ct_e2e_ctas(ctas quick ${e2e}/ctas/ctas.cu)
# Templates, several units, calls through pointers, barriers, warp operations
ct_e2e_ctas(ctas-debug full -O0 ${e2e}/ctas/ctas.cu)
ct_e2e_ctas(ctas-rdc test -fgpu-rdc ${e2e}/ctas/ctas.cu)
foreach(feature clusters graph-launches kernels ptx)
	ct_e2e_ctas(ctas-${feature} test ${e2e}/features/${feature}.cu)
endforeach()
ct_e2e_ctas(ctas-groups full ${e2e}/features/groups.cu)
ct_e2e_test(e2e-ctas-none TIER test PROGRAMS feature-kernels
	COMMAND ${e2e}/run-ctas-none.sh ${bin} ${programs}/feature-kernels ${run}/ctas-none)
