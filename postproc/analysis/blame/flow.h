/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What flows from launch to launch: a graph of versions. A launch, a copy or a memset makes a new
 * version of what it writes, which holds classes (weights of one launch that flow into the same
 * exits) and what flowed into earlier versions.
 */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_FLOW_H
#define CT_POSTPROC_ANALYSIS_BLAME_FLOW_H

#include <stddef.h>
#include <stdint.h>

struct ct_blame_flow;

#define CT_BLAME_NO_VERSION UINT32_MAX

int ct_blame_flow_open(struct ct_blame_flow **out);   /* 0 or -ENOMEM */
void ct_blame_flow_close(struct ct_blame_flow *flow); /* NULL is allowed */

/* Both return a number, or CT_BLAME_NO_VERSION if memory is short. */
uint32_t ct_blame_flow_version(struct ct_blame_flow *flow);
uint32_t ct_blame_flow_class(struct ct_blame_flow *flow);
void ct_blame_flow_weigh(struct ct_blame_flow *flow, uint32_t class, double weight);

/* Returns what a version holds. 0 or -ENOMEM */
int ct_blame_flow_from_version(struct ct_blame_flow *flow, uint32_t version, uint32_t from);
int ct_blame_flow_from_class(struct ct_blame_flow *flow, uint32_t version, uint32_t class);

/* The weight of all classes that any of these versions holds, each once. Negative: -ENOMEM. */
double ct_blame_flow_weight(struct ct_blame_flow *flow, const uint32_t *version, size_t count);

#endif
