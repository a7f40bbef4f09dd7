/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of error numbers: ours and the system's. */
#include "base/error.h"

#include <string.h>

const char *ct_strerror(int error)
{
	if (error < 0)
		error = -error;
	switch (error) {
#define CT_ERROR(name, number, text)                                                               \
	case number:                                                                               \
		return text;
#include <cudatrace/errors.def>
#undef CT_ERROR
	default:
		return strerror(error);
	}
}
