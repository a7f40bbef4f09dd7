/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blame (docs/blame.md): the weight of what ran, by variable and by path of calls. Weights are
 * dynamic instruction counts: executions of basic blocks times the instructions of the pristine
 * block, those of lanes or of warps; or samples of program counters.
 */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_BLAME_H
#define CT_POSTPROC_ANALYSIS_BLAME_BLAME_H

#include "postproc/analysis/blame/credit.h"
#include "postproc/analysis/blame/weights.h"
#include "postproc/facts/weights.h"
#include "postproc/symbols/paths.h"

struct ct_blame_variable {
	char *name; /* as in the source: "s.p.b", "t[]"; owned */
	const char *type;
	const char *function; /* linkage name of where it is declared; "": of no function */
	const char *file;
	uint32_t line;
	uint32_t parent;                   /* index, which is smaller, or CT_NONE */
	uint32_t kind;                     /* enum ct_variable_kind */
	uint32_t parameter;                /* which, or CT_NONE */
	double inclusive, exclusive, read; /* weights */
	double waits;                      /* of samples: those that wait for what reads it */
};

/* A function that was called from another. */
struct ct_blame_node {
	uint32_t parent;      /* index, which is smaller; node 0 stands for the run */
	const char *function; /* of the device: linkage name; of the host: as in the source */
	const char *file;     /* of the call, in the caller; "" unknown */
	uint32_t line;
	bool is_host;
	bool is_inlined; /* where it was met first; of calls that are only counted not known */
	double self, total;
	double cpu_self, cpu_total; /* of the host: samples of its threads */
};

/* Instructions of one place of the source at the end of a path, all blamed on the same variables.
 * What runs in a node without a place is in none. */
struct ct_blame_leaf {
	uint32_t node;
	const char *file; /* "" unknown */
	uint32_t line;
	const uint32_t *variable; /* with what they are fields of, each once */
	uint32_t variables;
	double weight;
};

/* Memory that was allocated, and variables of host code, over the whole run. */
struct ct_blame_object {
	const char *name; /* of the variable that it was allocated for; "" unknown */
	char *own_name;   /* of host memory that is no object: of a variable its name, else its
			     address; else NULL. Owned */
	const char *type; /* of a variable of the host; else "" */
	const char *site; /* descriptor of the allocation, or "" */
	char *own_site;   /* likewise, of a variable's declaration; else NULL. Owned */
	double inclusive; /* weight of what flows into it, through other objects, too */
	bool is_host;
};

/* Samples that wait for what a line reads of a variable. */
struct ct_blame_wait {
	uint32_t variable;
	uint32_t reason; /* of the samples' */
	const char *file;
	uint32_t line; /* 0: not known */
	double weight;
};

struct ct_blame {
	struct ct_blame_variable *variable; /* parents before their parts */
	size_t variables;
	struct ct_blame_node *node;
	size_t nodes;
	struct ct_blame_leaf *leaf;
	size_t leaves;
	struct ct_blame_object *object; /* what weighs most first */
	size_t objects;
	double *launch; /* weight, by launch of the trace; of samples 0 */
	const struct ct_launch_info *launch_info;
	size_t launches;
	double total;
	double blamed;       /* of it, what has a variable */
	double unattributed; /* of it, what flows into no variable of its kernel first */
	double resolved;     /* of it, what has one path to its kernel that is known */
	double one_path;     /* of it, what has one path in the static call graph */
	double cpu_total;    /* samples of host threads, which are no weight */
	bool has_variables;  /* a unit has any */
	const struct ct_weights *samples; /* what is weighed; NULL: instructions */
	double *by_reason;                /* of samples, inclusive: by variable, then by reason */
	struct ct_blame_wait *wait;       /* of samples: by variable; of one, the heaviest first */
	size_t waits;
	bool lists_all; /* tables have all variables, not only those that most flows into */
	struct ct_blame_state *state;
};

enum ct_blame_weigh { CT_BLAME_LANES, CT_BLAME_WARPS, CT_BLAME_SAMPLES };

/* The job must outlive it; paths NULL: without the host's frames. 0 or a negative error;
 * ct_blame_fini frees in either case. */
int ct_blame_make(struct ct_blame *blame, const struct ct_blame_job *job,
		  const struct ct_host_paths *paths, enum ct_blame_weigh weigh);
/* Likewise by samples, which must outlive it: without objects. */
int ct_blame_make_sampled(struct ct_blame *blame, const struct ct_blame_job *job,
			  const struct ct_host_paths *paths, const struct ct_weights *samples);
void ct_blame_fini(struct ct_blame *blame);

/* Why not all host threads were sampled, of the first part that says so; "": they were, or nothing
 * asked. */
const char *ct_blame_missing_of_host(const struct ct_trace *trace);

#endif
