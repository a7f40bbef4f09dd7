# SPDX-License-Identifier: Apache-2.0
foreach(test comm_order comm_order_random)
	ct_add_unit_test(${test})
	target_sources(test_${test} PRIVATE comm_order_trace.c
		${PROJECT_SOURCE_DIR}/postproc/order/order.c
		${PROJECT_SOURCE_DIR}/postproc/order/clock.c
		${PROJECT_SOURCE_DIR}/postproc/order/ops.c)
	target_include_directories(test_${test} PRIVATE ${PROJECT_SOURCE_DIR}
		${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/postproc)
	target_compile_definitions(test_${test} PRIVATE _GNU_SOURCE)
endforeach()

ct_add_unit_test(comm_pattern)
target_sources(test_comm_pattern PRIVATE ${PROJECT_SOURCE_DIR}/postproc/analysis/comm/pattern.c)
target_include_directories(test_comm_pattern PRIVATE ${PROJECT_SOURCE_DIR})

ct_add_unit_test(comm_scaling)
target_sources(test_comm_scaling PRIVATE thread_ranks.c
	${PROJECT_SOURCE_DIR}/postproc/analysis/comm/scaling.c
	${PROJECT_SOURCE_DIR}/postproc/analysis/comm/scaling_graph.c
	${PROJECT_SOURCE_DIR}/postproc/analysis/comm/scaling_homes.c)
target_link_libraries(test_comm_scaling PRIVATE ct_post_comm)
