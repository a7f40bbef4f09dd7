/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks that a thread reads behind a wait: it may wait only for its measurement. The clock is
 * reported of in a row of the wait, which is no access.
 */
#ifndef CT_HOST_RT_WATCH_CLOCKS_H
#define CT_HOST_RT_WATCH_CLOCKS_H

#include <cudatrace/format.h>

/* This thread has waited; it has asked for work. The first clock between both is reported. */
void ct_clocks_waited(const struct ct_row_wait *wait);
void ct_clocks_work(void);

#endif
