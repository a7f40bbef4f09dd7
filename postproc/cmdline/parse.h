/* SPDX-License-Identifier: Apache-2.0 */
/* Parse a command line against the options of its command. */
#ifndef CT_POSTPROC_CMDLINE_PARSE_H
#define CT_POSTPROC_CMDLINE_PARSE_H

#include "postproc/command.h"

enum ctpost_parsed { CTPOST_PARSED_RUN, CTPOST_PARSED_HELP, CTPOST_PARSED_ERROR };

/* argv: what follows the command's name. operands has room for argc pointers
 * and lives as long as call. On CTPOST_PARSED_ERROR call->why tells. */
enum ctpost_parsed ctpost_parse(const struct ctpost_command *command, int argc,
				const char *const *argv, const char **operands,
				struct ctpost_call *call);

/* The command called name, or NULL. */
const struct ctpost_command *ctpost_find_command(const char *name);

#endif
