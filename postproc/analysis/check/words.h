/* SPDX-License-Identifier: Apache-2.0 */
/* Names of what causes of memory checks are about. */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_WORDS_H
#define CT_POSTPROC_ANALYSIS_CHECK_WORDS_H

#include "postproc/analysis/check/causes.h"

#define CT_CHECK_NAME_BYTES 256u

/* A line of the host, in a descriptor of an allocation. file "": not known */
struct ct_check_line {
	char file[512];
	uint32_t line;
};
void ct_check_allocated(const struct ct_object_info *object, struct ct_check_line *line);

/* The name of a variable of the module as its source has it: "grid::table" of
 * "_ZN4grid5tableE"; what is more than scopes and a name stays as it is. Returns buffer. */
const char *ct_check_variable_name(const char *symbol, char buffer[CT_CHECK_NAME_BYTES]);

/* "u", "object 3"; "" of NULL. Returns buffer. */
const char *ct_check_object_name(const struct ct_object_info *object,
				 char buffer[CT_CHECK_NAME_BYTES]);

/* Bytes of the local variable that an access is to. */
uint64_t ct_check_variable_bytes(const struct ct_check_cause *cause);

/* "store", "cudaMemcpy"; NULL: not known. */
const char *ct_check_operation(const struct ct_check_cause *cause);

#endif
