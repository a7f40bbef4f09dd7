/* SPDX-License-Identifier: Apache-2.0 */
/* Lists in arguments of nvcc. */
#ifndef CT_NVCC_WORDS_H
#define CT_NVCC_WORDS_H

#include "driver/base/args.h"

/* Append the words of text, which commas separate, and blanks too if these do: "a,b" in quotes and
 * a\,b are one word. Quotes and what they escape are taken off, as the shell that nvcc's commands
 * pass through takes them off. */
void ct_nvcc_words_split(struct ct_args *words, const char *text, bool at_blanks);

#endif
