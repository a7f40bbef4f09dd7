/* SPDX-License-Identifier: Apache-2.0 */
/* The commands, in the order of the documentation. */
#include "postproc/command.h"

const struct ctpost_command *const ctpost_commands[] = {
#define CTPOST_COMMAND(name) &ctpost_##name##_command,
#include "postproc/commands.def"
    NULL,
};
