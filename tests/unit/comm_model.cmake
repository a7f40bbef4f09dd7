# SPDX-License-Identifier: Apache-2.0
ct_add_unit_test(comm_order)
target_sources(test_comm_order PRIVATE comm_order_trace.c
	${PROJECT_SOURCE_DIR}/postproc/comm/order.c
	${PROJECT_SOURCE_DIR}/postproc/comm/order_clock.c
	${PROJECT_SOURCE_DIR}/postproc/comm/order_ops.c)
target_include_directories(test_comm_order PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include
	${PROJECT_SOURCE_DIR}/postproc)
target_compile_definitions(test_comm_order PRIVATE _GNU_SOURCE)

ct_add_unit_test(comm_pattern)
target_sources(test_comm_pattern PRIVATE ${PROJECT_SOURCE_DIR}/postproc/comm/pattern.c)
target_include_directories(test_comm_pattern PRIVATE ${PROJECT_SOURCE_DIR})

ct_add_unit_test(comm_scaling)
target_sources(test_comm_scaling PRIVATE
	${PROJECT_SOURCE_DIR}/postproc/comm/scaling.c
	${PROJECT_SOURCE_DIR}/postproc/comm/scaling_graph.c
	${PROJECT_SOURCE_DIR}/postproc/comm/scaling_homes.c)
target_link_libraries(test_comm_scaling PRIVATE ct_post_comm)
