/* SPDX-License-Identifier: Apache-2.0 */
/* Random orders of requests through caches: samples, each on a thread of its own. */
#include "postproc/analysis/model/caches.h"
#include "base/array.h"
#include "base/map.h"
#include "base/parallel.h"
#include "postproc/analysis/model/cache.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUND 4u /* samples that are made side by side */
#define MISSES 16u

struct warp {
	const struct ct_warp_stream *stream;
	uint32_t cta, next; /* request */
	bool waits;
	uint8_t missed;
	uint32_t miss_line;    /* of the source, of the last of them */
	uint64_t miss[MISSES]; /* sectors that it has asked memory for in this block */
};

struct cta {
	uint32_t first, end; /* warps */
	uint32_t alive, waiting, sm;
};

struct sm {
	uint32_t *ready; /* warps */
	uint32_t count;
};

/* All samples have this in common, and none of them changes it. */
struct sampling {
	const struct ct_caches_machine *machine;
	const struct ct_warp_stream *const *list;
	size_t count;
	struct ct_map line_number; /* from 1 */
	uint32_t *line_of, lines;
	uint64_t seed;
	uint32_t made;       /* samples of the rounds before */
	struct drawn *drawn; /* of this round */
};

/* The results of a sample. */
struct drawn {
	struct ct_caches_counts sum, *line; /* line: by number */
	double l1, l2;                      /* rates */
};

/* The caches of one sample. */
struct model {
	const struct sampling *sampling;
	const struct ct_caches_machine *machine;
	struct warp *warp;
	struct cta *cta;
	struct sm *sm;
	uint32_t *slots; /* of all SMs' ready */
	uint32_t warps, ctas, sms, next_cta, *active, actives;
	struct ct_cache *l1, l2;
	uint64_t random;
	bool counts;
	struct drawn *drawn;
	double loads; /* sectors of them */
};

static uint32_t draw(struct model *model, uint32_t below)
{
	model->random ^= model->random << 13;
	model->random ^= model->random >> 7;
	model->random ^= model->random << 17;
	return (uint32_t)((model->random >> 32) * below >> 32);
}

static void make_ready(struct model *model, uint32_t warp)
{
	struct sm *sm = &model->sm[model->cta[model->warp[warp].cta].sm];

	sm->ready[sm->count++] = warp;
}

static void place_cta(struct model *model, uint32_t sm)
{
	struct cta *cta = &model->cta[model->next_cta++];

	cta->sm = sm;
	cta->alive = cta->end - cta->first;
	cta->waiting = 0;
	for (uint32_t w = cta->first; w < cta->end; w++) {
		model->warp[w].next = 0;
		model->warp[w].waits = false;
		make_ready(model, w);
	}
}

/* All warps of the CTA that live have come. */
static void release(struct model *model, struct cta *cta)
{
	if (cta->waiting == 0 || cta->waiting < cta->alive)
		return;
	cta->waiting = 0;
	for (uint32_t w = cta->first; w < cta->end; w++)
		if (model->warp[w].waits) {
			model->warp[w].waits = false;
			make_ready(model, w);
		}
}

static struct ct_caches_counts *counts_of_line(struct model *model, uint32_t line)
{
	union ct_map_value *known = ct_map_find(&model->sampling->line_number, line, 0);

	return known ? &model->drawn->line[known->number - 1] : NULL;
}

#define REQUEST_SECTORS 64u /* that are looked for together; hardly a request has more */

static void take_sector(struct model *model, uint64_t sector, struct ct_caches_counts *one)
{
	bool is_there;

	ct_cache_touch(&model->l2, sector, true, &is_there);
	one->dram += !is_there;
}

/* Memory hands out sectors by pairs: the others of those that the warp has asked for have come. */
static void take_partners(struct model *model, struct warp *warp, struct ct_caches_counts *one)
{
	while (warp->missed)
		take_sector(model, warp->miss[--warp->missed] ^ 1, one);
}

/* The L2 takes whole sectors of a request that is no load without asking memory for them. */
static void write_l2(struct model *model, const uint64_t *sector, uint32_t count,
		     struct ct_caches_counts *one)
{
	for (uint32_t i = 0; i < count; i++)
		take_sector(model, sector[i], one);
	one->l2_accesses += count;
	one->l2_hits += count;
}

/* Sectors of one request are looked for before any of them comes. */
static void read_l2(struct model *model, struct warp *warp, const uint64_t *sector, uint32_t count,
		    struct ct_caches_counts *one)
{
	uint64_t found = 0;

	for (uint32_t i = 0; i < count; i++) {
		bool in_l2;

		ct_cache_touch(&model->l2, sector[i], false, &in_l2);
		found |= (uint64_t)in_l2 << i;
		one->l2_hits += in_l2;
	}
	for (uint32_t i = 0; i < count; i++) {
		take_sector(model, sector[i], one);
		if (found >> i & 1)
			continue;
		if (warp->missed == MISSES)
			take_partners(model, warp, one);
		warp->miss[warp->missed++] = sector[i];
	}
	one->l2_accesses += count;
}

static void add(struct ct_caches_counts *to, const struct ct_caches_counts *from)
{
	to->requests += from->requests;
	to->sectors += from->sectors;
	to->l1_hits += from->l1_hits;
	to->l2_accesses += from->l2_accesses;
	to->l2_hits += from->l2_hits;
	to->dram += from->dram;
}

static void account(struct model *model, uint32_t line, const struct ct_caches_counts *one)
{
	struct ct_caches_counts *of_line = counts_of_line(model, line);

	add(&model->drawn->sum, one);
	if (of_line)
		add(of_line, one);
}

static void run_request(struct model *model, uint32_t sm, struct warp *warp,
			const struct ct_stream_request *request)
{
	const struct ct_warp_stream *stream = warp->stream;
	struct ct_caches_counts one = {.requests = 1, .sectors = request->count};
	bool is_load = request->kind == CT_STREAM_LOAD;
	uint64_t left[REQUEST_SECTORS];
	uint32_t count = 0;

	for (uint32_t i = 0; i < request->count; i++) {
		ct_cache_expect(&model->l1[sm], stream->sector[request->first + i]);
		ct_cache_expect(&model->l2, stream->sector[request->first + i]);
	}
	for (uint32_t i = 0; i < request->count; i++) {
		uint64_t sector = stream->sector[request->first + i];
		bool in_l1 = false;

		if (request->kind != CT_STREAM_ATOMIC)
			ct_cache_touch(&model->l1[sm], sector, is_load, &in_l1);
		one.l1_hits += is_load && in_l1;
		if (!is_load || !in_l1)
			left[count++] = sector;
		if (count < REQUEST_SECTORS && i + 1u < request->count)
			continue;
		if (request->kind == CT_STREAM_STORE)
			write_l2(model, left, count, &one);
		else
			read_l2(model, warp, left, count, &one);
		count = 0;
	}
	warp->miss_line = request->line;
	if (!model->counts)
		return;
	model->loads += is_load ? request->count : 0;
	account(model, request->line, &one);
}

/* The warp goes on to what waits for its loads. */
static void end_block(struct model *model, struct warp *warp)
{
	struct ct_caches_counts one = {0};

	take_partners(model, warp, &one);
	if (model->counts && one.dram > 0)
		account(model, warp->miss_line, &one);
}

/* The next request of a warp that is ready, at place `at` of its SM. */
static void step(struct model *model, uint32_t number, uint32_t at)
{
	struct sm *sm = &model->sm[number];
	uint32_t index = sm->ready[at];
	struct warp *warp = &model->warp[index];
	struct cta *cta = &model->cta[warp->cta];
	const struct ct_stream_request *request = NULL;

	if (warp->next < warp->stream->requests) {
		request = &warp->stream->request[warp->next++];
		if (request->kind == CT_STREAM_BLOCK) {
			end_block(model, warp);
			return;
		}
		if (request->kind != CT_STREAM_BARRIER) {
			run_request(model, number, warp, request);
			return;
		}
	}
	sm->ready[at] = sm->ready[--sm->count];
	if (request) {
		warp->waits = true;
		cta->waiting++;
	} else {
		end_block(model, warp);
		cta->alive--;
	}
	release(model, cta);
	if (cta->alive == 0 && model->next_cta < model->ctas)
		place_cta(model, number);
}

static void run_once(struct model *model)
{
	model->next_cta = model->actives = 0;
	for (uint32_t s = 0; s < model->sms; s++) {
		ct_cache_empty(&model->l1[s]);
		model->sm[s].count = 0;
	}
	for (uint32_t r = 0; r < model->machine->resident; r++)
		for (uint32_t s = 0; s < model->sms && model->next_cta < model->ctas; s++)
			place_cta(model, s);
	for (uint32_t s = 0; s < model->sms; s++)
		if (model->sm[s].count)
			model->active[model->actives++] = s;
	while (model->actives) {
		uint32_t a = draw(model, model->actives), s = model->active[a];

		if (model->sm[s].count)
			step(model, s, draw(model, model->sm[s].count));
		if (!model->sm[s].count)
			model->active[a] = model->active[--model->actives];
	}
}

static int make_lines(struct sampling *sampling)
{
	for (size_t w = 0; w < sampling->count; w++) {
		const struct ct_warp_stream *stream = sampling->list[w];

		for (uint32_t r = 0; r < stream->requests; r++) {
			union ct_map_value *number;

			if (!ct_stream_is_request(&stream->request[r]))
				continue;
			number = ct_map_put(&sampling->line_number, stream->request[r].line, 0);
			if (!number)
				return -ENOMEM;
			if (number->number)
				continue;
			if (ct_array_grow(&sampling->line_of, sampling->lines,
					  sizeof(*sampling->line_of)) < 0)
				return -ENOMEM;
			sampling->line_of[sampling->lines++] = stream->request[r].line;
			number->number = sampling->lines;
		}
	}
	return 0;
}

static int open_model(struct model *model)
{
	const struct ct_warp_stream *const *list = model->sampling->list;
	size_t count = model->sampling->count, most = 1;

	model->warps = (uint32_t)count;
	model->warp = calloc(count + 1, sizeof(*model->warp));
	model->cta = calloc(count + 1, sizeof(*model->cta));
	if (!model->warp || !model->cta)
		return -ENOMEM;
	for (uint32_t w = 0; w < count; w++) {
		if (w == 0 || list[w]->cta != list[w - 1]->cta)
			model->cta[model->ctas++].first = w;
		model->cta[model->ctas - 1].end = w + 1;
		model->warp[w] = (struct warp){.stream = list[w], .cta = model->ctas - 1};
	}
	for (uint32_t c = 0; c < model->ctas; c++)
		if (model->cta[c].end - model->cta[c].first > most)
			most = model->cta[c].end - model->cta[c].first;
	model->sms = model->ctas < model->machine->sms ? model->ctas : model->machine->sms;
	model->sms += model->sms == 0;
	most *= model->machine->resident + 1;
	model->sm = calloc(model->sms, sizeof(*model->sm));
	model->active = calloc(model->sms, sizeof(*model->active));
	model->slots = calloc(most * model->sms, sizeof(*model->slots));
	model->l1 = calloc(model->sms, sizeof(*model->l1));
	if (!model->sm || !model->active || !model->slots || !model->l1 ||
	    ct_cache_open(&model->l2, model->machine->l2_bytes, false) < 0)
		return -ENOMEM;
	for (uint32_t s = 0; s < model->sms; s++) {
		model->sm[s].ready = model->slots + s * most;
		if (ct_cache_open(&model->l1[s], model->machine->l1_bytes, false) < 0)
			return -ENOMEM;
	}
	return 0;
}

static void close_model(struct model *model)
{
	for (uint32_t s = 0; model->l1 && s < model->sms; s++)
		ct_cache_close(&model->l1[s]);
	free(model->l1);
	ct_cache_close(&model->l2);
	free(model->sm);
	free(model->active);
	free(model->slots);
	free(model->warp);
	free(model->cta);
}

static int is_less(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) -
	       (*(const double *)a < *(const double *)b);
}

static struct ct_caches_rate rate_of(double *sample, uint32_t count)
{
	struct ct_caches_rate rate = {0};
	double squares = 0;

	for (uint32_t i = 0; i < count; i++)
		rate.mean += sample[i] / count;
	for (uint32_t i = 0; i < count; i++)
		squares += (sample[i] - rate.mean) * (sample[i] - rate.mean);
	rate.deviation = count > 1 ? sqrt(squares / (count - 1)) : 0;
	qsort(sample, count, sizeof(*sample), is_less);
	rate.low = sample[(uint32_t)(0.05 * (count - 1) + 0.5)];
	rate.high = sample[(uint32_t)(0.95 * (count - 1) + 0.5)];
	return rate;
}

static void divide(struct ct_caches_counts *counts, double by)
{
	counts->requests /= by;
	counts->sectors /= by;
	counts->l1_hits /= by;
	counts->l2_accesses /= by;
	counts->l2_hits /= by;
	counts->dram /= by;
}

/* A piece of ct_parallel. What it draws follows from its number alone. */
static int draw_sample(void *user, size_t piece)
{
	struct sampling *sampling = user;
	struct drawn *drawn = &sampling->drawn[piece];
	struct model model = {.sampling = sampling, .machine = sampling->machine, .drawn = drawn};
	int err = open_model(&model);

	if (err == 0) {
		model.random = ct_map_hash(sampling->seed, sampling->made + piece) | 1;
		model.counts = !model.machine->is_warm;
		run_once(&model);
		model.counts = true;
		if (model.machine->is_warm)
			run_once(&model);
		drawn->l1 = model.loads > 0 ? drawn->sum.l1_hits / model.loads : 0;
		drawn->l2 =
		    drawn->sum.l2_accesses > 0 ? drawn->sum.l2_hits / drawn->sum.l2_accesses : 0;
	}
	close_model(&model);
	return err;
}

/* A round of samples. 0 or -ENOMEM. */
static int draw_round(struct ct_caches *caches, struct sampling *sampling, double *l1, double *l2)
{
	struct drawn drawn[ROUND] = {0};
	int err = 0;

	sampling->drawn = drawn;
	sampling->made = caches->samples;
	for (uint32_t i = 0; i < ROUND && err == 0; i++) {
		drawn[i].line = calloc(sampling->lines + 1, sizeof(*drawn[i].line));
		err = drawn[i].line ? 0 : -ENOMEM;
	}
	if (err == 0)
		err = ct_parallel(ROUND, draw_sample, sampling);
	for (uint32_t i = 0; i < ROUND && err == 0; i++) {
		l1[caches->samples] = drawn[i].l1;
		l2[caches->samples++] = drawn[i].l2;
		add(&caches->counts, &drawn[i].sum);
		for (uint32_t line = 0; line < sampling->lines; line++)
			add(&caches->line[line].counts, &drawn[i].line[line]);
	}
	for (uint32_t i = 0; i < ROUND; i++)
		free(drawn[i].line);
	return err;
}

static int sample(struct ct_caches *caches, struct sampling *sampling, double epsilon,
		  uint32_t rounds)
{
	double *l1 = calloc(2 * (size_t)rounds * ROUND, sizeof(*l1)),
	       *l2 = l1 ? l1 + rounds * ROUND : NULL;
	int err = l1 ? 0 : -ENOMEM;

	for (uint32_t n = 0; n < rounds && !caches->is_reliable && err == 0; n++) {
		err = draw_round(caches, sampling, l1, l2);
		if (err < 0)
			break;
		caches->l1 = rate_of(l1, caches->samples);
		caches->l2 = rate_of(l2, caches->samples);
		caches->half_width =
		    1.96 * fmax(caches->l1.deviation, caches->l2.deviation) / sqrt(caches->samples);
		caches->is_reliable = caches->half_width < epsilon;
	}
	free(l1);
	return err;
}

int ct_caches_run(struct ct_caches *caches, struct ct_streams *streams,
		  const struct ct_caches_machine *machine, double epsilon, uint32_t most,
		  uint64_t seed)
{
	struct sampling sampling = {.machine = machine, .seed = seed};
	uint64_t ctas;
	int err;

	sampling.list = ct_streams_list(streams, &sampling.count, &ctas);
	*caches = (struct ct_caches){.half_width = INFINITY};
	err = make_lines(&sampling);
	caches->line = calloc(sampling.lines + 1, sizeof(*caches->line));
	err = caches->line ? err : -ENOMEM;
	if (err == 0)
		err = sample(caches, &sampling, epsilon,
			     most > ROUND ? (most + ROUND - 1) / ROUND : 1);
	caches->lines = err == 0 ? sampling.lines : 0;
	divide(&caches->counts, fmax(caches->samples, 1));
	for (uint32_t i = 0; i < caches->lines; i++) {
		caches->line[i].line = sampling.line_of[i];
		divide(&caches->line[i].counts, caches->samples);
	}
	free(sampling.line_of);
	ct_map_fini(&sampling.line_number);
	return err;
}

void ct_caches_fini(struct ct_caches *caches)
{
	free(caches->line);
	caches->line = NULL;
}
