/* SPDX-License-Identifier: Apache-2.0 */
/* nvcc's options (options.def): what they are called, what they take, what becomes of them. */
#ifndef CT_DRIVER_NVCC_OPTION_H
#define CT_DRIVER_NVCC_OPTION_H

#include <stdbool.h>
#include <stdio.h>

enum ct_nvcc_id {
#define CT_NVCC(id, name, short_name, argument, fate, text, help) CT_NVCC_##id,
#include "driver/nvcc/options.def"
#undef CT_NVCC
	CT_NVCC_COUNT
};

enum ct_nvcc_argument {
	CT_NVCC_TAKES_NONE,
	CT_NVCC_TAKES_VALUE,
	CT_NVCC_TAKES_LIST,
	CT_NVCC_TAKES_JOINED,
	CT_NVCC_TAKES_NUMBER,
	CT_NVCC_TAKES_TRUTH,
};

enum ct_nvcc_fate {
	CT_NVCC_TO_BOTH,
	CT_NVCC_TO_COMPILE,
	CT_NVCC_TO_HOST,
	CT_NVCC_TO_DEVICE,
	CT_NVCC_TO_LINK,
	CT_NVCC_TO_PHASE,
	CT_NVCC_TO_OWN,
	CT_NVCC_TO_IGNORE,
	CT_NVCC_TO_WARN,
};

struct ct_nvcc_option {
	const char *name, *short_name;
	enum ct_nvcc_argument argument;
	enum ct_nvcc_fate fate;
	const char *text, *help;
};

extern const struct ct_nvcc_option ct_nvcc_options[CT_NVCC_COUNT];

/* The option that word is, CT_NVCC_COUNT if it is none. *value: its argument where that is part of
 * the word, else NULL. */
enum ct_nvcc_id ct_nvcc_option_find(const char *word, const char **value);

/* The name that is nearest to a word that is no option, or NULL. */
const char *ct_nvcc_option_nearest(const char *word);

/* All options, with what becomes of those that are not honoured. */
void ct_nvcc_print_help(FILE *out, const char *program);

/* The same as a man page, with the options of cuda-trace. */
void ct_nvcc_print_man(FILE *out);

#endif
