/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of this test share this. */
#ifndef CT_TEST_USES_H
#define CT_TEST_USES_H

#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CASE static __attribute__((noinline)) void

#endif
