/* SPDX-License-Identifier: Apache-2.0 */
/* Errors and warnings about a command line of nvcc. */
#include "driver/nvcc/request.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static void say(const struct ct_nvcc_request *request, const char *kind, const char *format,
		va_list values)
{
	fprintf(stderr, "%s: %s: ", request->program, kind);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
}

int ct_nvcc_error(const struct ct_nvcc_request *request, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	say(request, "error", format, values);
	va_end(values);
	return -EINVAL;
}

void ct_nvcc_warn(const struct ct_nvcc_request *request, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	say(request, "warning", format, values);
	va_end(values);
}
