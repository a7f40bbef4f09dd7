/* SPDX-License-Identifier: Apache-2.0 */
/* Says what a trace leaves out. */
#include "postproc/facts/sampling.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t ctas_of(const struct ct_event_launch *event)
{
	uint64_t ctas;

	if (__builtin_mul_overflow((uint64_t)event->grid[0] * event->grid[1],
				   (uint64_t)event->grid[2], &ctas))
		return UINT64_MAX;
	return ctas;
}

/* CTAs with (id + offset) % period == 0. */
static uint64_t recorded_ctas(const struct ct_event_launch *event, uint64_t ctas)
{
	uint64_t period = event->block_period, first;

	if (!(event->flags & CT_LAUNCH_TRACED))
		return 0;
	if (period < 2)
		return ctas;
	first = (period - event->block_offset % period) % period;
	return first < ctas ? (ctas - 1 - first) / period + 1 : 0;
}

static void add_launch(struct ct_sampling *s, size_t index, const struct ct_launch_info *launch)
{
	const struct ct_event_launch *event = launch->event;
	struct ct_launch_sample *sample = &s->launch[index];
	int is_traced = (event->flags & CT_LAUNCH_TRACED) != 0;

	sample->ctas = ctas_of(event);
	sample->recorded = recorded_ctas(event, sample->ctas);
	if (event->launch_period > 1) {
		s->drawn_from++;
		s->drawn += (size_t)is_traced;
		if (event->launch_period > s->launch_period)
			s->launch_period = event->launch_period;
	}
	if (is_traced && event->block_period > 1) {
		s->block_launches++;
		s->ctas += sample->ctas;
		s->recorded += sample->recorded;
		if (event->block_period > s->block_period)
			s->block_period = event->block_period;
	}
}

/* It is not known of which of them: none of the launches is whole for sure. */
static void add_range(struct ct_sampling *s, const struct ct_loss_info *loss)
{
	for (size_t i = 0; i < s->launches; i++) {
		struct ct_launch_sample *sample = &s->launch[i];
		uint32_t id = s->first[i].event->launch;

		if (s->first[i].part != loss->part || id < loss->event->launch ||
		    id > loss->event->last_launch)
			continue;
		s->lossy += !sample->lost_chunks && !sample->lost_unknown;
		sample->lost_unknown = 1;
	}
}

static void add_losses(struct ct_sampling *s, const struct ct_trace *trace,
		       const struct ct_launch_info *launches)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(trace, &losses);

	for (size_t i = 0; i < count; i++) {
		struct ct_launch_sample other = {0};
		struct ct_launch_sample *sample =
		    losses[i].launch ? &s->launch[losses[i].launch - launches] : &other;
		uint64_t chunks = losses[i].event->chunks;

		if (losses[i].event->last_launch) {
			add_range(s, &losses[i]);
			sample = &other;
		}
		s->lossy += sample != &other && !sample->lost_chunks && !sample->lost_unknown;
		if (chunks == UINT64_MAX) {
			sample->lost_unknown = s->lost_unknown = 1;
		} else {
			sample->lost_chunks += chunks;
			s->lost_chunks += chunks;
		}
	}
}

int ct_sampling_init(struct ct_sampling *sampling, const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	const struct ct_unit *units;
	size_t count = ct_trace_units(trace, &units);

	memset(sampling, 0, sizeof(*sampling));
	sampling->launches = ct_trace_launches(trace, &launches);
	sampling->first = launches;
	sampling->launch = calloc(sampling->launches + 1, sizeof(*sampling->launch));
	if (!sampling->launch)
		return -ENOMEM;
	for (size_t i = 0; i < sampling->launches; i++)
		add_launch(sampling, i, &launches[i]);
	for (size_t u = 0; u < count; u++)
		if (units[u].header->sample_sites > 1 &&
		    units[u].header->sample_sites > sampling->site_period)
			sampling->site_period = units[u].header->sample_sites;
	sampling->stored_chunks = ct_trace_ring_chunks(trace);
	add_losses(sampling, trace, launches);
	return 0;
}

void ct_sampling_fini(struct ct_sampling *sampling)
{
	free(sampling->launch);
	memset(sampling, 0, sizeof(*sampling));
}

const struct ct_launch_sample *ct_sampling_of(const struct ct_sampling *sampling,
					      const struct ct_launch_info *launch)
{
	return &sampling->launch[launch - sampling->first];
}

int ct_sampling_is_sampled(const struct ct_sampling *sampling)
{
	return sampling->drawn_from > sampling->drawn || sampling->recorded < sampling->ctas;
}

static const char *factor(uint64_t all, uint64_t some, char buffer[64])
{
	if (some)
		snprintf(buffer, 64, "factor %.4g", (double)all / (double)some);
	else
		snprintf(buffer, 64, "nothing is known of them");
	return buffer;
}

static void say_launches(const struct ct_sampling *s, char *buffer)
{
	char text[64];

	snprintf(buffer, CT_SAMPLING_LINE_BYTES,
		 "sampled: %zu of %zu launches are traced (one in %u of each context; %s)",
		 s->drawn, s->drawn_from, s->launch_period, factor(s->drawn_from, s->drawn, text));
}

static void say_blocks(const struct ct_sampling *s, char *buffer)
{
	char text[64];

	snprintf(buffer, CT_SAMPLING_LINE_BYTES,
		 "sampled: %llu of %llu thread blocks of %zu launch%s are recorded (one in %u; %s)",
		 (unsigned long long)s->recorded, (unsigned long long)s->ctas, s->block_launches,
		 s->block_launches == 1 ? "" : "es", s->block_period,
		 factor(s->ctas, s->recorded, text));
}

static void say_losses(const struct ct_sampling *s, char *buffer)
{
	uint64_t all = s->lost_chunks + s->stored_chunks;

	snprintf(
	    buffer, CT_SAMPLING_LINE_BYTES,
	    "lossy: %s%llu of %llu ring chunks (%.2g %%) are lost%s; figures are too small by what "
	    "was in them",
	    s->lost_unknown ? "at least " : "", (unsigned long long)s->lost_chunks,
	    (unsigned long long)all, all ? 100 * (double)s->lost_chunks / (double)all : 0,
	    s->lossy ? ", of the launches that ctpost info marks" : "");
}

const char *ct_sampling_line(const struct ct_sampling *s, unsigned number,
			     char buffer[CT_SAMPLING_LINE_BYTES])
{
	if (s->drawn_from > s->drawn && number-- == 0) {
		say_launches(s, buffer);
		return buffer;
	}
	if (s->recorded < s->ctas && number-- == 0) {
		say_blocks(s, buffer);
		return buffer;
	}
	if (s->site_period > 1 && number-- == 0) {
		snprintf(buffer, CT_SAMPLING_LINE_BYTES,
			 "sampled: one in %u sites is recorded; nothing is known of the others",
			 s->site_period);
		return buffer;
	}
	if ((s->lost_chunks || s->lost_unknown) && number == 0) {
		say_losses(s, buffer);
		return buffer;
	}
	return NULL;
}

const char *ct_sampling_of_communication(const struct ct_sampling *s)
{
	if (!ct_sampling_is_sampled(s) && s->site_period < 2)
		return NULL;
	return "Figures of communication are of what is recorded and are not scaled: a byte counts "
	       "only if both the thread block that wrote it and the one that reads it are in the "
	       "sample, "
	       "and "
	       "may be taken for that of an earlier writer; ratios, partners and volumes are "
	       "biased, volumes downwards";
}
