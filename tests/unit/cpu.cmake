# SPDX-License-Identifier: Apache-2.0
# The CPU target's runtime: API, streams, alignment, producer.
ct_add_unit_test(cpu_align ct_cpu_runtime ct_trace)
