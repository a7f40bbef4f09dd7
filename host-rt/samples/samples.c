/* SPDX-License-Identifier: Apache-2.0 */
/* Two lists in turns: one that grows, and one that the journal writes. */
#include "host-rt/samples/samples.h"
#include "base/array.h"
#include "base/intern.h"
#include "host-rt/base/say.h"
#include "host-rt/samples/cubins.h"
#include <pthread.h>
#include <string.h>

#define SAMPLES_MAX ((size_t)4 << 20) /* that wait; more are lost */

struct rows {
	struct ct_row_look *looks;
	struct ct_row_sample *samples;
	size_t look_count, look_room, sample_count, sample_room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rows coming, taken; /* the second is the journal's */
static struct ct_intern numbers;  /* of texts, from 1 */
static char **texts;
static size_t text_count;
static char *refusal; /* never freed: what is handed out holds */
static bool is_refusal_new;

static uint32_t text_number(const char *text)
{
	uint32_t number;
	bool is_new;

	if (!text || ct_array_grow(&texts, text_count, sizeof(*texts)) < 0)
		return 0;
	number = ct_intern_add(&numbers, text, strlen(text), &is_new);
	if (number && is_new)
		texts[text_count++] = strdup(text);
	return number;
}

/* With the lock held. */
static bool has_room(size_t samples)
{
	return coming.sample_count + samples <= SAMPLES_MAX &&
	       ct_array_reserve(&coming.looks, &coming.look_room, coming.look_count + 1,
				sizeof(*coming.looks)) == 0 &&
	       ct_array_reserve(&coming.samples, &coming.sample_room, coming.sample_count + samples,
				sizeof(*coming.samples)) == 0;
}

static void add(const struct ct_row_look *look, const struct ct_sampled *list, size_t count)
{
	coming.looks[coming.look_count++] = *look;
	for (size_t i = 0; i < count; i++) {
		coming.samples[coming.sample_count++] = (struct ct_row_sample){
		    .cubin = list[i].cubin,
		    .pc = list[i].pc,
		    .samples = list[i].samples,
		    .look = (uint32_t)coming.look_count,
		    .function = text_number(list[i].function),
		    .reason = text_number(list[i].reason),
		};
		ct_cubins_want(list[i].cubin);
	}
}

void ct_samples_look(const struct ct_row_look *look, const struct ct_sampled *list, size_t count)
{
	bool fits;

	pthread_mutex_lock(&lock);
	fits = has_room(count);
	if (fits)
		add(look, list, count);
	pthread_mutex_unlock(&lock);
	if (!fits)
		ct_samples_refuse("there was no room for all that waited to be written, and some "
				  "samples are lost: sample less often (--samples=CYCLES)");
}

void ct_samples_refuse(const char *why)
{
	pthread_mutex_lock(&lock);
	if (!refusal) {
		refusal = strdup(why);
		is_refusal_new = refusal != NULL;
		ct_say("--samples: %s", why);
	}
	pthread_mutex_unlock(&lock);
}

const char *ct_samples_refusal(void)
{
	const char *why;

	pthread_mutex_lock(&lock);
	why = is_refusal_new ? refusal : NULL;
	is_refusal_new = false;
	pthread_mutex_unlock(&lock);
	return why;
}

void ct_samples_take(struct ct_samples_taken *out)
{
	struct rows spare = taken;

	pthread_mutex_lock(&lock);
	taken = coming;
	coming = spare;
	coming.look_count = coming.sample_count = 0;
	pthread_mutex_unlock(&lock);
	*out = (struct ct_samples_taken){taken.looks, taken.samples, taken.look_count,
					 taken.sample_count};
}

const char *ct_samples_text(uint32_t number)
{
	const char *text;

	pthread_mutex_lock(&lock);
	text = number && texts[number - 1] ? texts[number - 1] : "";
	pthread_mutex_unlock(&lock);
	return text;
}
