/* SPDX-License-Identifier: Apache-2.0 */
/* A growing, NULL-terminated argument vector that owns its words. */
#ifndef CT_DRIVER_BASE_ARGS_H
#define CT_DRIVER_BASE_ARGS_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise. After a failed allocation `failed` is set and further
 * pushes do nothing, so that one check before use is enough. */
struct ct_args {
	char **words; /* words[count] is NULL; NULL before the first push */
	size_t count;
	size_t capacity;
	bool failed;
};

void ct_args_push(struct ct_args *args, const char *word);
void ct_args_pushf(struct ct_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ct_args_push_words(struct ct_args *args, char *const *words, size_t count);

/* Append word, or, if it is @FILE and FILE can be read, the words of FILE
 * (GNU quoting, nested files included), as clang does. */
void ct_args_push_expanded(struct ct_args *args, const char *word);

/* The text of a file of options, malloc'ed; NULL if it cannot be read. */
char *ct_args_read(const char *path);

/* One line as a shell would take it, for --ct-verbose and -###; malloc'ed. */
char *ct_args_quote(const struct ct_args *args);

/* Write words[1..] to path in the format of @FILE. Returns 0 or -errno. */
int ct_args_write(const struct ct_args *args, const char *path);

size_t ct_args_bytes(const struct ct_args *args);
void ct_args_fini(struct ct_args *args);

#endif
