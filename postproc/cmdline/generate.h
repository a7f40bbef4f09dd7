/* SPDX-License-Identifier: Apache-2.0 */
/* Documents made from the command table: help, man pages, completion. */
#ifndef CT_POSTPROC_CMDLINE_GENERATE_H
#define CT_POSTPROC_CMDLINE_GENERATE_H

#include "base/completion.h"
#include "postproc/command.h"
#include <stdio.h>

/* command NULL: the program itself. */
void ctpost_write_help(FILE *out, const struct ctpost_command *command);
void ctpost_write_man(FILE *out, const struct ctpost_command *command);
/* For a shell; write: base/completion.h. 0 or -ENOMEM */
int ctpost_write_completion(FILE *out, void (*write)(FILE *out, const struct ct_completion *of));

/* --generate=WHAT: "bash-completion", "zsh-completion", "fish-completion", "man", "man:COMMAND",
 * "table", "tables". -1: unknown. */
int ctpost_generate(FILE *out, const char *what);

#endif
