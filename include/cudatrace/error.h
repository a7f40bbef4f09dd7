/* SPDX-License-Identifier: Apache-2.0 */
/* Error numbers: functions return >= 0, -errno, or one of these negated. */
#ifndef CUDATRACE_ERROR_H
#define CUDATRACE_ERROR_H

enum ct_error {
#define CT_ERROR(name, number, text) name = number,
#include <cudatrace/errors.def>
#undef CT_ERROR
};

#endif
