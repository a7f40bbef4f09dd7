# SPDX-License-Identifier: Apache-2.0
# The communication analysis.
ct_add_unit_test(comm_shuffle ct_post_comm)
target_sources(test_comm_shuffle PRIVATE comm_records.c)
