# SPDX-License-Identifier: Apache-2.0
# The CPU target's runtime: API, streams, alignment, producer.
foreach(test align memory producer streams)
	ct_add_unit_test(cpu_${test} ct_cpu_runtime ct_trace)
	target_include_directories(test_cpu_${test} SYSTEM PRIVATE ${CT_CUDA_PATH}/include)
	target_compile_definitions(test_cpu_${test} PRIVATE _GNU_SOURCE)
endforeach()
foreach(test memory producer streams)
	target_sources(test_cpu_${test} PRIVATE cpu_kernels.c)
endforeach()
if(CT_SANITIZE MATCHES address)
	# Its stand-in for device code has locals on the stack, as device code has.
	set_source_files_properties(cpu_kernels.c PROPERTIES
		COMPILE_OPTIONS -fsanitize-address-use-after-return=never)
	target_compile_options(test_cpu_producer PRIVATE -fsanitize-address-use-after-return=never)
endif()
