# SPDX-License-Identifier: Apache-2.0
# The device's encoder against the host's.
ct_add_unit_test(device_encode ct_trace)
target_sources(test_device_encode PRIVATE device/device_encode.cpp)
target_include_directories(test_device_encode PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_SOURCE_DIR})
set_source_files_properties(device/device_encode.cpp device/device_count.cpp PROPERTIES COMPILE_OPTIONS -Wno-unknown-pragmas)
# The device's counting against the CPU target's, and against counting by hand.
ct_add_unit_test(device_count ct_cpu_runtime ct_trace)
target_sources(test_device_count PRIVATE device/device_count.cpp ${CMAKE_SOURCE_DIR}/host-rt/counts/reduce.c)
target_include_directories(test_device_count PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/host-rt)
target_include_directories(test_device_count SYSTEM PRIVATE ${CT_CUDA_PATH}/include)
if(TEST unit.device_count) # a fiber per lane: slow under sanitizers
	set_tests_properties(unit.device_count PROPERTIES TIMEOUT 300)
endif()

# The device's warps, slots and flush on host threads, through a ring of two chunks.
add_executable(device_pool device/device_pool.cpp device_pool_trace.c trace_fixture.c)
target_compile_definitions(device_pool PRIVATE _GNU_SOURCE)
target_include_directories(device_pool PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
target_compile_options(device_pool PRIVATE -Wno-unknown-pragmas)
target_link_libraries(device_pool PRIVATE ct_trace ct_flags ct_sanitize)
set_target_properties(device_pool PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
foreach(seed 1 5 7)
	add_test(NAME unit.device_pool-${seed} COMMAND device_pool ${seed})
	set_tests_properties(unit.device_pool-${seed} PROPERTIES LABELS unit TIMEOUT 300)
endforeach()
# Warps wait for the ring: a chunk takes 20 ms.
add_test(NAME unit.device_pool-slow COMMAND device_pool 3 20000)
set_tests_properties(unit.device_pool-slow PROPERTIES LABELS unit TIMEOUT 300)
