/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of nvcc that are lists, and what becomes of them. nvcc cuts a list at the commas
 * outside of "…" and writes each item into a command line that sh reads, so an item passes through
 * both:
 *
 *   -D, -U      TEXT    '="a b, c"' keeps its quotes, \" is a quote, $NAME is expanded
 *   -Xcompiler  SHELL   sh takes the items, joined by blanks, for words
 *   -Xlinker …  WORDS   the same, but ' and $ are ordinary, and a backslash does not keep a comma
 *   -I, -L …    NAMES   a name: "…" keeps commas, and that is all
 */
#ifndef CT_DRIVER_NVCC_WORDS_H
#define CT_DRIVER_NVCC_WORDS_H

#include "driver/base/args.h"

enum ct_nvcc_list {
	CT_NVCC_LIST_OF_TEXT,
	CT_NVCC_LIST_OF_SHELL,
	CT_NVCC_LIST_OF_WORDS,
	CT_NVCC_LIST_OF_NAMES,
};

/* Append what a compiler or linker gets of a list. Returns 0, or, if the list ends within a quote
 * or behind a backslash, -EINVAL with *stray that character. */
int ct_nvcc_words_of_list(struct ct_args *words, const char *text, enum ct_nvcc_list list,
			  char *stray);

/* Append the words that sh makes of text; nothing is run, and characters that separate commands are
 * ordinary. */
void ct_nvcc_words_of_shell(struct ct_args *words, const char *text);

/* Append the words of a variable like NVCC_APPEND_FLAGS: blanks outside of "…" separate them, and
 * they stay as they are. Returns as ct_nvcc_words_of_list. */
int ct_nvcc_words_of_variable(struct ct_args *words, const char *text, char *stray);

/* Append the words of a file of options, whose escapes are taken off twice, and quotes with the
 * second. Returns as ct_nvcc_words_of_list. */
int ct_nvcc_words_of_file(struct ct_args *words, const char *text, char *stray);

#endif
