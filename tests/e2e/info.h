/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what `ctpost info --json` says of launches and of what each accessed in global memory. */
#ifndef CT_TESTS_INFO_H
#define CT_TESTS_INFO_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum ct_info_class { CT_INFO_LOAD, CT_INFO_STORE, CT_INFO_ATOMIC, CT_INFO_CLASSES };
extern const char *const ct_info_class[CT_INFO_CLASSES];

struct ct_info_launch {
	json_t *row; /* of the table launches; borrowed */
	const char *kernel;
	json_int_t threads[CT_INFO_CLASSES], bytes[CT_INFO_CLASSES], warps[CT_INFO_CLASSES];
};

struct ct_info_launches {
	struct ct_info_launch *list;
	size_t count;
};

/* 0; -1 if the document has not these tables, or counts of a launch that is not in it. */
int ct_info_launches_init(struct ct_info_launches *launches, json_t *root);
void ct_info_launches_fini(struct ct_info_launches *launches);

/* The trace says that nothing is missing. */
bool ct_info_is_complete(json_t *root);

#endif
