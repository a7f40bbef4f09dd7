/* SPDX-License-Identifier: Apache-2.0 */
/* Documents that ctrun writes about itself, from options.def. */
#ifndef CT_DRIVER_CTRUN_GENERATE_H
#define CT_DRIVER_CTRUN_GENERATE_H

#include <stdio.h>

/* --generate=WHAT: "man", "bash-completion", "zsh-completion", "fish-completion". -1: unknown. */
int ctrun_generate(FILE *out, const char *what);

#endif
