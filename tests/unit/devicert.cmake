# SPDX-License-Identifier: Apache-2.0
# The device's encoder against the host's.
ct_add_unit_test(device_encode ct_trace)
target_sources(test_device_encode PRIVATE device_encode.cpp)
target_include_directories(test_device_encode PRIVATE ${CMAKE_SOURCE_DIR})
set_source_files_properties(device_encode.cpp device_count.cpp PROPERTIES COMPILE_OPTIONS -Wno-unknown-pragmas)
# The device's counting against the CPU target's, and against counting by hand.
ct_add_unit_test(device_count ct_cpu_runtime ct_trace)
target_sources(test_device_count PRIVATE device_count.cpp ${CMAKE_SOURCE_DIR}/host-rt/counts_reduce.c)
target_include_directories(test_device_count PRIVATE ${CMAKE_SOURCE_DIR}/host-rt)
target_include_directories(test_device_count SYSTEM PRIVATE ${CT_CUDA_PATH}/include)
