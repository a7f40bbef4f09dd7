# SPDX-License-Identifier: Apache-2.0
ct_add_unit_test(hostrt_options ct_host_rt_tested)
ct_add_unit_test(hostrt_registry ct_host_rt_tested)
ct_add_unit_test(hostrt_consumer ct_host_rt_tested ct_trace)
ct_add_unit_test(hostrt_manifest ct_host_rt_tested)
