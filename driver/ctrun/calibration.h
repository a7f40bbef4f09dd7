/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what ctrun calibrate has measured of this machine: a file for each driver and device, in
 * $XDG_CACHE_HOME/cuda-trace (~/.cache/cuda-trace). */
#ifndef CT_DRIVER_CTRUN_CALIBRATION_H
#define CT_DRIVER_CTRUN_CALIBRATION_H

#include "driver/ctrun/study.h"

/* The file of a target, "gpu" (the first one of this machine) or "cpu". 0, or a negative error:
 * there is no such directory. */
int ctrun_calibration_path(const char *target, char path[PATH_MAX]);

/* A study that has a trace of calls gets what is known of the driver that it ran on, if anything
 * is. */
void ctrun_calibration_copy(const struct ctrun_study *study);

#endif
