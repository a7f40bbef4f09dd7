/* SPDX-License-Identifier: Apache-2.0 */
/* Names and sources into the traces of a run, when the program has ended. */
#ifndef CT_DRIVER_CTRUN_RESOLVE_H
#define CT_DRIVER_CTRUN_RESOLVE_H

#include "driver/ctrun/output.h"

/* By ctpost resolve, of the parts that are this rank's to treat. That it could not be done is
 * said, and is no failure of the run. */
void ctrun_resolve(const struct ctrun_output *output);

#endif
