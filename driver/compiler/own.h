/* SPDX-License-Identifier: Apache-2.0 */
/* The wrappers' own options (own.def): --ct-…, CUDATRACE_TARGET. */
#ifndef CT_DRIVER_COMPILER_OWN_H
#define CT_DRIVER_COMPILER_OWN_H

#include <stdbool.h>
#include <stdio.h>

enum ct_target { CT_TARGET_GPU, CT_TARGET_CPU };

#define CT_OWN_PASS_MAX 16

struct ct_own {
	enum ct_target target;
	bool help;
	bool doctor;
	const char *generate; /* of --ct-generate: "man", "zsh", static; NULL: nothing */
	bool version;
	bool verbose;
	bool keep;
	bool host;
	bool all; /* --ct-all: what it stands for has been taken, but for -g */
	bool old_api;
	char *toolkit; /* --ct-toolkit, owned, or NULL */
	bool runtime_named, shared_runtime;
	bool target_named; /* by --ct-target */
	/* Words for the pass, "--ct-name[=value]", owned; the last of each kind counts. */
	char *pass[CT_OWN_PASS_MAX];
};

/* Defaults and CUDATRACE_TARGET. Returns 0, or -EINVAL with one line in why. */
int ct_own_init(struct ct_own *own, char *why, size_t why_bytes);

/* True if word is one of ours (it begins with --ct-). */
bool ct_own_is(const char *word);

/* Take one --ct- word. Returns 0, or -EINVAL or -ENOMEM with one line in why. */
int ct_own_parse(struct ct_own *own, const char *word, char *why, size_t why_bytes);

void ct_own_fini(struct ct_own *own);

void ct_own_print_help(FILE *out, const char *program);
/* The same as sections OPTIONS, ENVIRONMENT and SEE ALSO of a man page. */
void ct_own_print_man(FILE *out);
/* Completion of these options; what: as of --ct-generate; also: another name of the program, or
 * NULL. */
void ct_own_print_completion(FILE *out, const char *what, const char *program, const char *also);
const char *ct_target_name(enum ct_target target);

#endif
