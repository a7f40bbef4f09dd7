/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace of times of CTAs, made by hand. Launch 1, tier clock, of a device with 4 SMs; in µs:
 *
 *   SM 0  0000000000 4444444444
 *   SM 1  1111111111            55555555555555555555
 *   SM 2  2222222222
 *   SM 3  33333333333333333333
 *         0          10         20                  40
 *
 * Launch 2, tier full: one CTA on SM 2, 5 µs. The device's clock is 4 µs behind the host's at
 * 1000 ns, and 4.2 µs at 3000 ns.
 */
#ifndef CT_TRACE_CTAS_H
#define CT_TRACE_CTAS_H

#define CTAS_BEGIN_NS 1000000u /* of launch 1, by the device's clock */

/* Returns what the writer's close returned. */
int ctas_make(const char *directory);

#endif
