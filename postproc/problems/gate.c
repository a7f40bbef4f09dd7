/* SPDX-License-Identifier: Apache-2.0 */
/* Which problems fail a gate. */
#include "postproc/problems/gate.h"

#include "base/nearest.h"
#include "base/quantity.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 128u

enum ct_finding_id ct_gate_id(const char *text, char why[CT_GATE_WHY_BYTES])
{
	enum ct_finding_id id = ct_finding_id_find(text);
	struct ct_nearest near;

	if (id < CT_IDS)
		return id;
	ct_nearest_begin(&near, text, strlen(text));
	for (enum ct_finding_id i = 0; i < CT_IDS; i++)
		ct_nearest_consider(&near, ct_finding_id_text(i));
	snprintf(why, CT_GATE_WHY_BYTES, "no problem has the id '%.64s'; %s%s%s", text,
		 near.best ? "did you mean '" : "see ", near.best ? near.best : "docs/problems.md",
		 near.best ? "'?" : "");
	return CT_IDS;
}

/* Behind `name`, if the word begins with it, else the word. */
static const char *behind(const char *word, const char *name)
{
	size_t length = strlen(name);

	return strncmp(word, name, length) == 0 ? word + length : word;
}

static bool read_share(const char *word, double *share)
{
	char *end;

	if (*word < '0' || *word > '9')
		return false;
	*share = strtod(word, &end) / 100;
	return !strcmp(end, "%") && *share > 0 && *share <= 1;
}

static int read_condition(struct ct_gate_alternative *to, const char *word, char *why)
{
	const char *worth = behind(word, "worth="), *share = behind(word, "share=");
	const char *kind = behind(word, "kind=");
	bool is_bare = worth == word && share == word && kind == word;
	enum ct_finding_id id;

	if (!strcmp(word, "any"))
		return 0;
	if (!strcmp(word, "new")) {
		to->is_new = true;
		return 0;
	}
	if (!strcmp(word, "wrong")) {
		to->is_wrong = true;
		return 0;
	}
	if ((share != word || is_bare) && read_share(share, &to->share))
		return 0;
	if ((worth != word || is_bare) && *worth >= '0' && *worth <= '9' &&
	    ct_parse_time(worth, &to->seconds) == 0 && to->seconds > 0)
		return 0;
	if (worth != word || share != word || (*word >= '0' && *word <= '9')) {
		snprintf(why, CT_GATE_WHY_BYTES,
			 "'%.64s': a time (1ms, 0.5s) or a share of the run (2%%) is expected",
			 word);
		return -EINVAL;
	}
	id = ct_gate_id(kind, why);
	if (id == CT_IDS)
		return -EINVAL;
	to->has_ids = to->ids[id] = true;
	return 0;
}

/* The next word, which ends at one of these. NULL: it is empty or too long. */
static const char *next_word(const char *text, char word[WORD_BYTES])
{
	size_t length = strcspn(text, ",/");

	if (!length || length >= WORD_BYTES)
		return NULL;
	memcpy(word, text, length);
	word[length] = '\0';
	return text + length;
}

int ct_gate_parse(struct ct_gate *gate, const char *text, char why[CT_GATE_WHY_BYTES])
{
	struct ct_gate_alternative *alternative = gate->alternative;
	char word[WORD_BYTES];
	int err = 0;

	*gate = (struct ct_gate){.alternatives = 1};
	for (; err == 0; text++) {
		text = next_word(text, word);
		if (!text) {
			snprintf(why, CT_GATE_WHY_BYTES, "a condition is empty or too long");
			return -EINVAL;
		}
		err = read_condition(alternative, word, why);
		gate->asks_what_is_new |= alternative->is_new;
		gate->asks_worth |= alternative->seconds > 0 || alternative->share > 0;
		if (!*text)
			return err;
		if (*text != '/')
			continue;
		if (gate->alternatives == CT_GATE_ALTERNATIVES) {
			snprintf(why, CT_GATE_WHY_BYTES, "more than %u alternatives",
				 CT_GATE_ALTERNATIVES);
			return -EINVAL;
		}
		alternative = &gate->alternative[gate->alternatives++];
	}
	return err;
}

static bool fails(const struct ct_gate_alternative *of, const struct ct_identity *identity,
		  bool is_new, bool is_all)
{
	bool is_small = identity->share < CT_PROBLEM_SMALL;

	return (!of->is_new || is_new) && (!of->is_wrong || identity->is_wrong) &&
	       (!of->has_ids || of->ids[identity->id] ||
		of->ids[ct_finding_id_wider(identity->id)]) &&
	       (!(of->seconds > 0) || identity->seconds >= of->seconds) &&
	       (!(of->share > 0) || identity->share >= of->share) &&
	       (!is_small || is_all || of->seconds > 0 || of->share > 0);
}

bool ct_gate_fails(const struct ct_gate *gate, const struct ct_identity *identity, bool is_new,
		   bool is_all)
{
	for (size_t i = 0; i < gate->alternatives; i++)
		if (fails(&gate->alternative[i], identity, is_new, is_all))
			return true;
	return false;
}
