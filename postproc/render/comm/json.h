/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of ctpost comm --json. */
#ifndef CT_RENDER_COMM_JSON_H
#define CT_RENDER_COMM_JSON_H

#include "postproc/render/base/json_stream.h"
#include "postproc/render/comm/comm.h"

/* comm_json_arrays.c: one field each */
void ct_comm_json_supersteps(struct ct_json *json, const struct ct_comm_output *output);
void ct_comm_json_kernels(struct ct_json *json, const struct ct_comm_output *output);
void ct_comm_json_objects(struct ct_json *json, const struct ct_comm_output *output);
void ct_comm_json_lines(struct ct_json *json, const struct ct_comm_output *output);
void ct_comm_json_ctas(struct ct_json *json, const struct ct_comm_output *output);

/* comm_json_lists.c: what was asked for */
void ct_comm_json_lists(struct ct_json *json, const struct ct_comm_output *output);

#endif
