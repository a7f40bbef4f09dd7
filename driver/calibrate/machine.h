/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what performance models need to know of a device (machine.def). */
#ifndef CT_DRIVER_CALIBRATE_MACHINE_H
#define CT_DRIVER_CALIBRATE_MACHINE_H

/* Numbers by machine.def; 0: not measured on this target. */
struct ct_machine_values {
#define CT_MACHINE(name, unit, meaning) double name;
#include <cudatrace/machine.def>
#undef CT_MACHINE
};

/* Measures device 0: a GPU by kernels (measure_gpu.c), the CPU target for what it has of these
 * (measure_cpu.c). Takes seconds. 0, or -1 with one line on stderr. */
int ct_machine_measure(struct ct_machine_values *machine);

/* Measures what calls of the host take, the same on all targets (measure.c). 0, or -1 likewise. */
int ct_machine_measure_host(struct ct_machine_values *machine);
/* Copies between devices, if there are two; a failure leaves them not measured and is said. */
void ct_machine_measure_peers(struct ct_machine_values *machine);
/* Seconds of CLOCK_MONOTONIC. */
double ct_machine_now(void);

#endif
