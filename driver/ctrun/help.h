/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun --help, of each command. */
#ifndef CT_DRIVER_CTRUN_HELP_H
#define CT_DRIVER_CTRUN_HELP_H

#include "driver/ctrun/command.h"

#include <stdio.h>

void ctrun_help(FILE *out, const struct ctrun_command *command);

#endif
