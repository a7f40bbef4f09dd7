/* SPDX-License-Identifier: Apache-2.0 */
/* Each line of a kernel with what is wrong there, else with each reason that warps wait for it. */
#include "postproc/analysis/causes/advice.h"

#include "base/array.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL_MIN 0.02 /* of the kernel's samples */
#define ALL_MIN 0.001   /* of all samples */
#define SHARE_MIN 0.05  /* of what is waited for: a cause that matters */

static const struct {
	const char *method;
	const char *waits[2]; /* reasons of those that wait for what the line has begun; or NULL */
	const char *queue;    /* of those that find no room beside its accesses; NULL: none */
} kinds[] = {
    [CT_CAUSE_SECTORS] = {"sectors", {"long_scoreboard", NULL}, "lg_throttle"},
    [CT_CAUSE_WAVEFRONTS] = {"wavefronts", {"short_scoreboard", NULL}, "mio_throttle"},
    [CT_CAUSE_ATOMICS] = {"atomics", {NULL, NULL}, NULL},
    [CT_CAUSE_REDUNDANT] = {"redundancy", {"long_scoreboard", "short_scoreboard"}, NULL},
    [CT_CAUSE_LANES] = {"active lanes", {NULL, NULL}, NULL},
    [CT_CAUSE_WARPS] = {"active lanes", {NULL, NULL}, NULL},
};

static double gain_of(double all, double saved)
{
	return saved < all ? all / (all - saved) : INFINITY;
}

double ct_advice_gain(const struct ct_advice *advice)
{
	return gain_of((double)advice->kernel->sum.samples - advice->barriers, advice->saved);
}

double ct_advice_least_gain(const struct ct_advice *advice)
{
	return gain_of((double)advice->kernel->sum.samples - advice->barriers, advice->saved_least);
}

double ct_advice_run_gain(const struct ct_advices *advices, const struct ct_advice *advice)
{
	double all = (double)advice->kernel->sum.samples;

	return gain_of(advices->total, all - all / ct_advice_gain(advice));
}

const char *ct_advice_method(const struct ct_advice *advice)
{
	return advice->cause < CT_CAUSE_KINDS ? kinds[advice->cause].method : "elimination";
}

const char *ct_advice_cause(const struct ct_advice *advice)
{
	return advice->cause < CT_CAUSE_KINDS ? ct_cause_name(advice->cause) : "";
}

struct making {
	struct ct_advices *advices;
	const struct ct_samples_study *study;
	const struct ct_blame *blame;
	const struct ct_causes *causes; /* NULL: none */
	const struct ct_samples_kernel *kernel;
	double barriers; /* of the kernel */
};

/* CT_WEIGHT_NONE: nothing has waited for it. */
static uint32_t reason_number(const struct ct_samples_study *study, const char *reason)
{
	for (uint32_t r = 0; reason && r < study->weights.reason_count; r++)
		if (strcmp(study->weights.reasons[r], reason) == 0)
			return r;
	return CT_WEIGHT_NONE;
}

static double kernel_samples(const struct making *m, const char *reason)
{
	uint32_t r = reason_number(m->study, reason);

	return r == CT_WEIGHT_NONE ? 0 : (double)m->kernel->sum.by_reason[r];
}

/* The variable that most of what waits for a line reads there. */
static const struct ct_blame_variable *
waited_variable(const struct ct_blame *blame, const char *file, uint32_t line, uint32_t reason)
{
	const struct ct_blame_wait *best = NULL;

	for (size_t i = 0; i < blame->waits; i++) {
		const struct ct_blame_wait *wait = &blame->wait[i];

		if (wait->line == line && wait->reason == reason &&
		    blame->variable[wait->variable].parent == CT_NONE &&
		    strcmp(wait->file, file) == 0 && (!best || wait->weight > best->weight))
			best = wait;
	}
	return best ? &blame->variable[best->variable] : NULL;
}

/* The variable that most of what runs at a line flows into first. */
static const struct ct_blame_variable *blamed_variable(const struct ct_blame *blame,
						       const char *file, uint32_t line)
{
	const struct ct_blame_variable *best = NULL;

	for (size_t i = 0; i < blame->leaves; i++) {
		const struct ct_blame_leaf *leaf = &blame->leaf[i];

		for (uint32_t v = 0;
		     v < leaf->variables && leaf->line == line && strcmp(leaf->file, file) == 0;
		     v++) {
			const struct ct_blame_variable *of = &blame->variable[leaf->variable[v]];

			if (of->parent == CT_NONE && (!best || of->exclusive > best->exclusive))
				best = of;
		}
	}
	return best;
}

/* Returns the variable of what waits for what the line has begun, else of any. */
static const struct ct_blame_variable *variable_at(const struct making *m,
						   const struct ct_advice *advice)
{
	const char *const *waits =
	    advice->cause < CT_CAUSE_KINDS ? kinds[advice->cause].waits : NULL;
	const char *reasons[3] = {waits ? waits[0] : NULL, waits ? waits[1] : NULL, advice->reason};
	const struct ct_blame_variable *variable = NULL;

	for (unsigned i = 0; i < 3 && !variable; i++) {
		uint32_t r = reason_number(m->study, reasons[i]);

		if (r != CT_WEIGHT_NONE)
			variable = waited_variable(m->blame, advice->file, advice->line, r);
	}
	return variable ? variable : blamed_variable(m->blame, advice->file, advice->line);
}

/* If it is enough to be reported. */
static int add(struct making *m, struct ct_advice *advice)
{
	struct ct_advices *advices = m->advices;

	advice->kernel = m->kernel;
	if (advice->matched < KERNEL_MIN * (double)m->kernel->sum.samples ||
	    advice->saved < SHARE_MIN * advice->matched ||
	    advice->matched < ALL_MIN * advices->total)
		return 0;
	if (advice->cause != CT_CAUSE_KINDS) {
		advice->barriers = m->barriers;
		advice->fix = ct_cause_fix(advice->cause);
	}
	advice->variable = variable_at(m, advice);
	if (ct_array_grow(&advices->list, advices->count, sizeof(*advice)) < 0)
		return -ENOMEM;
	advices->list[advices->count++] = *advice;
	return 0;
}

static const struct ct_line_cause *
cause_at(const struct making *m, const struct ct_samples_line *line, enum ct_cause_kind kind)
{
	return m->causes && line->line
		   ? ct_causes_find(m->causes, m->kernel->symbol, line->file, line->line, kind)
		   : NULL;
}

/* Samples that wait for a line because of its accesses of a kind: for what they bring, and, in
 * proportion to what they take of it, for room in the queue that all of them go through. */
static double waits_of(const struct making *m, const struct ct_samples_line *line,
		       const struct ct_line_cause *cause, const char **reason)
{
	const char *queue = kinds[cause->kind].queue;
	double all = queue ? ct_causes_of_kernel(m->causes, m->kernel->symbol, cause->kind) : 0;
	double sum = all > 0 ? kernel_samples(m, queue) * cause->actual / all : 0, most = sum;

	*reason = sum > 0 ? queue : NULL;
	for (unsigned i = 0; i < 2; i++) {
		uint32_t r = reason_number(m->study, kinds[cause->kind].waits[i]);
		double waits = r == CT_WEIGHT_NONE ? 0 : line->waited_by_reason[r];

		sum += waits;
		if (waits > most) {
			most = waits;
			*reason = m->study->weights.reasons[r];
		}
	}
	return sum;
}

/* Atomics that meet at few addresses hold up all that goes to global memory behind them. */
static double waits_of_atomics(const struct making *m, const char **reason)
{
	double sum = kernel_samples(m, "long_scoreboard"), queue = kernel_samples(m, "lg_throttle");

	*reason = sum >= queue ? "long_scoreboard" : "lg_throttle";
	return sum + queue;
}

static int add_cause(struct making *m, const struct ct_samples_line *line, enum ct_cause_kind kind)
{
	const struct ct_line_cause *cause = cause_at(m, line, kind);
	struct ct_advice advice = {.file = line->file, .line = line->line, .cause = kind};

	if (!cause)
		return 0;
	advice.matched = kind == CT_CAUSE_ATOMICS ? waits_of_atomics(m, &advice.reason)
						  : waits_of(m, line, cause, &advice.reason);
	advice.saved = advice.matched * ct_cause_share(cause);
	advice.saved_least = advice.matched * ct_cause_least_share(cause);
	advice.object = cause->object;
	return add(m, &advice);
}

static const struct ct_samples_line *line_of(const struct making *m,
					     const struct ct_branches_line *branch)
{
	for (size_t i = 0; i < m->kernel->line_count; i++)
		if (m->kernel->lines[i].line == branch->place.line &&
		    ct_causes_is_file(m->kernel->lines[i].file, branch->place.file))
			return &m->kernel->lines[i];
	return NULL;
}

/* Branches themselves have all lanes, but are taken once for each way. */
static void add_branches(const struct making *m, struct ct_advice *advice)
{
	const struct ct_branches_results *branches = m->causes->branches;
	double share = advice->matched > 0 ? advice->saved / advice->matched : 0;

	for (size_t i = 0; i < branches->lines; i++) {
		const struct ct_branches_line *branch = &branches->line[i];
		const char *symbol = branches->kernels.list[branch->kernel].symbol;
		const struct ct_samples_line *line;
		const struct ct_line_cause *cause;

		if (!branch->figures.divergent || strcmp(symbol, m->kernel->symbol) != 0)
			continue;
		line = line_of(m, branch);
		cause = line ? cause_at(m, line, CT_CAUSE_LANES) : NULL;
		if (!line || (cause && ct_cause_share(cause) >= SHARE_MIN))
			continue;
		advice->matched += (double)line->sum.samples;
		advice->saved += (double)line->sum.samples * share *
				 (double)branch->figures.divergent /
				 (double)branch->figures.branches;
	}
}

/* A warp whose lanes part runs each way for itself: what a line takes with a share of its lanes,
 * all of them would take together. */
static int add_divergence(struct making *m)
{
	const struct ct_branches_line *branch = ct_causes_branch(m->causes, m->kernel->symbol);
	struct ct_advice advice = {.cause = CT_CAUSE_LANES};

	if (!branch)
		return 0;
	for (size_t i = 0; i < m->kernel->line_count; i++) {
		const struct ct_samples_line *line = &m->kernel->lines[i];
		const struct ct_line_cause *cause = cause_at(m, line, CT_CAUSE_LANES);

		if (!cause || ct_cause_share(cause) < SHARE_MIN)
			continue;
		advice.matched += (double)line->sum.samples;
		advice.saved += (double)line->sum.samples * ct_cause_share(cause);
	}
	add_branches(m, &advice);
	advice.saved_least = advice.saved;
	advice.file = branch->place.file;
	advice.line = branch->place.line;
	return add(m, &advice);
}

/* Adds the lanes that blocks leave out, of all that a kernel does. */
static int add_part_warps(struct making *m)
{
	for (size_t i = 0; i < m->causes->count; i++) {
		const struct ct_line_cause *cause = &m->causes->list[i];
		struct ct_advice advice = {.cause = CT_CAUSE_WARPS,
					   .file = cause->file,
					   .line = cause->line,
					   .matched = (double)m->kernel->sum.samples};

		if (cause->kind != CT_CAUSE_WARPS || strcmp(cause->kernel, m->kernel->symbol) != 0)
			continue;
		advice.saved = advice.saved_least = advice.matched * ct_cause_share(cause);
		return add(m, &advice);
	}
	return 0;
}

static bool is_caused(const struct making *m, const struct ct_samples_line *line,
		      const char *reason)
{
	for (size_t i = 0; i < m->advices->count; i++) {
		const struct ct_advice *advice = &m->advices->list[i];

		if (advice->kernel == m->kernel && advice->line == line->line &&
		    advice->cause != CT_CAUSE_KINDS && advice->reason &&
		    strcmp(advice->file, line->file) == 0 && strcmp(advice->reason, reason) == 0)
			return true;
	}
	return false;
}

/* Adds what waits for a line with nothing known to be wrong: what there is to gain without it.
 * Waits are counted at what they wait for, those of reasons without a producer where warps are. */
static int add_reason(struct making *m, uint32_t r)
{
	const char *reason = m->study->weights.reasons[r];
	bool has_waits = false;
	int err = 0;

	for (size_t i = 0; i < m->kernel->line_count; i++)
		has_waits |= m->kernel->lines[i].waited_by_reason[r] > 0;
	for (size_t i = 0; i < m->kernel->line_count && err == 0; i++) {
		const struct ct_samples_line *line = &m->kernel->lines[i];
		const struct ct_line_cause *object = cause_at(m, line, CT_CAUSE_SECTORS);
		struct ct_advice advice = {
		    .file = line->file,
		    .line = line->line,
		    .reason = reason,
		    .cause = CT_CAUSE_KINDS,
		    .object = object ? object->object : NULL,
		    .matched =
			has_waits ? line->waited_by_reason[r] : (double)line->sum.by_reason[r],
		    .fix = ct_samples_fix(reason),
		};

		advice.saved = advice.saved_least = advice.matched;
		if (line->line && advice.fix && !is_caused(m, line, reason))
			err = add(m, &advice);
	}
	return err;
}

static int add_kernel(struct making *m)
{
	int err = 0;

	m->barriers = kernel_samples(m, "barrier");
	for (size_t i = 0; i < m->kernel->line_count && m->causes; i++)
		for (unsigned kind = 0; kind < CT_CAUSE_LANES && err == 0; kind++)
			err = add_cause(m, &m->kernel->lines[i], (enum ct_cause_kind)kind);
	if (m->causes && err == 0)
		err = add_divergence(m);
	if (m->causes && err == 0)
		err = add_part_warps(m);
	for (uint32_t r = 0; r < m->study->weights.reason_count && err == 0; r++)
		err = add_reason(m, r);
	return err;
}

static double saves(const struct ct_advice *advice)
{
	double all = (double)advice->kernel->sum.samples;

	return all - all / ct_advice_gain(advice);
}

static int by_saved(const void *a, const void *b)
{
	const struct ct_advice *x = a, *y = b;
	double of_x = saves(x), of_y = saves(y);

	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	if (x->kernel != y->kernel)
		return strcmp(x->kernel->symbol, y->kernel->symbol);
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->cause != y->cause
		   ? (int)x->cause - (int)y->cause
		   : strcmp(x->reason ? x->reason : "", y->reason ? y->reason : "");
}

int ct_advices_init(struct ct_advices *advices, const struct ct_samples_study *study,
		    const struct ct_blame *blame, const struct ct_causes *causes)
{
	struct making m = {.advices = advices, .study = study, .blame = blame, .causes = causes};
	int err = 0;

	*advices = (struct ct_advices){.total = (double)study->weights.total};
	for (size_t i = 0; i < study->kernel_count && err == 0; i++) {
		m.kernel = &study->kernels[i];
		err = add_kernel(&m);
	}
	if (advices->count)
		qsort(advices->list, advices->count, sizeof(*advices->list), by_saved);
	return err;
}

void ct_advices_fini(struct ct_advices *advices)
{
	free(advices->list);
	*advices = (struct ct_advices){.list = NULL};
}
