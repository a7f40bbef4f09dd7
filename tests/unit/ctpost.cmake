# SPDX-License-Identifier: Apache-2.0
ct_add_unit_test(model_memtrace ct_post_model)
ct_add_unit_test(model_counters ct_post_model)
ct_add_unit_test(model_unit_build ct_post_model)
ct_add_unit_test(model_diff ct_post_model)
ct_add_unit_test(ctpost_table ct_post_render)
