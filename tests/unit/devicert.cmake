# SPDX-License-Identifier: Apache-2.0
# The device's encoder against the host's.
ct_add_unit_test(device_encode ct_trace)
target_sources(test_device_encode PRIVATE device_encode.cpp)
target_include_directories(test_device_encode PRIVATE ${CMAKE_SOURCE_DIR})
set_source_files_properties(device_encode.cpp PROPERTIES COMPILE_OPTIONS -Wno-unknown-pragmas)
