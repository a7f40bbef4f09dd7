/* SPDX-License-Identifier: Apache-2.0 */
/* Warps in time. */
#include "postproc/analysis/model/simulate.h"
#include "postproc/analysis/model/cache.h"
#include "postproc/analysis/model/changed.h"
#include "postproc/analysis/model/costs.h"
#include "postproc/analysis/model/part.h"
#include "postproc/analysis/model/queue.h"
#include "postproc/analysis/model/script.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define SCHEDULERS 4u
#define SECTOR 32.0
#define LINE 128.0
#define PORT_BYTES 64.0           /* of an SM's way to the L2 in a cycle */
#define MOVED (UINT64_C(1) << 58) /* sectors at no address of the launch */
#define KEPT (64u << 20)          /* bytes that an SM keeps where it keeps all */
#define FULL_SMS 4u               /* as many CTAs at least as fill an SM that often */
#define PENDING 16u               /* loads that a warp takes along to other blocks */

struct pending {
	uint32_t block; /* that waits for it */
	double ready;
};

struct warp {
	const struct ct_warp_stream *stream;
	const struct ct_script *script; /* NULL: between blocks */
	double time;
	double ready; /* of what the block has under way */
	double owed;  /* of what is under way and used from here on */
	struct pending pending[PENDING];
	uint32_t pendings, cta, scheduler;
	uint32_t next;            /* item of the stream */
	uint32_t first, requests; /* the block's, in the stream */
	uint32_t op;
	bool waits, is_late; /* late: it goes through this block without waiting for loads */
};

struct cta {
	uint32_t first, end; /* warps */
	uint32_t alive, waiting, sm;
};

struct sm {
	double scheduler[SCHEDULERS], lsu, port; /* when each is free */
	uint32_t placed;
	struct ct_cache l1, kept; /* kept: what is in shared memory after the change */
};

struct simulator {
	const struct ct_machine *machine;
	const struct ct_simulate_change *change;
	struct ct_simulation *result;
	struct ct_model_part part;
	struct ct_scripts scripts;
	struct ct_cache l2;
	struct warp *warp;
	struct cta *cta;
	struct sm *sm;
	struct ct_queue queue; /* warps, the earliest first */
	uint32_t warps, ctas, sms, next_cta;
	double l2_free, memory_free, begin_free, l2_busy, memory_busy; /* begin: of CTAs */
	double scheduled, served; /* cycles, of all schedulers, of all load-store units */
	double l2_sector, memory_sector, cta_cycles, conflicts, end;
	uint64_t distinct, requests; /* of the launch: sectors; of a warp at most */
};

static double later(double a, double b)
{
	return a > b ? a : b;
}

/* Takes something that is free at *free for so long; when it is done. */
static double take(double *free, double at, double cycles)
{
	*free = later(*free, at) + cycles;
	return *free;
}

/* The next CTA, on this SM from then on. */
static void place_cta(struct simulator *s, uint32_t sm, double at)
{
	struct cta *cta = &s->cta[s->next_cta++];
	double begin = take(&s->begin_free, at, s->cta_cycles);

	cta->sm = sm;
	cta->alive = cta->end - cta->first;
	cta->waiting = 0;
	for (uint32_t w = cta->first; w < cta->end; w++) {
		struct warp *warp = &s->warp[w];

		*warp = (struct warp){.stream = warp->stream, .cta = warp->cta, .time = begin};
		warp->scheduler = s->sm[sm].placed++ % SCHEDULERS;
		ct_queue_push(&s->queue, w);
	}
}

/* From the L2, or from behind it, to the L1; when it is there. */
static double fetch(struct simulator *s, struct sm *sm, uint64_t sector, double at, bool is_load)
{
	const struct ct_machine *m = s->machine;
	double sent = take(&sm->port, at, SECTOR / PORT_BYTES), ready;
	bool hit;
	double *kept = &s->l2.ready[ct_cache_touch(&s->l2, sector, true, &hit)];

	s->l2_busy += s->l2_sector;
	ready = take(&s->l2_free, sent, s->l2_sector) + m->l2_latency;
	if (hit)
		return is_load ? later(ready, *kept) : ready;
	s->memory_busy += s->memory_sector;
	ready = take(&s->memory_free, sent, s->memory_sector) + m->dram_latency;
	if (is_load)
		*kept = ready;
	return ready;
}

/* The i-th sector of a request. Where lanes are brought together, each request has sectors of its
 * own, of as many as the launch has in all. */
static uint64_t sector_of(const struct simulator *s, const struct warp *warp,
			  const struct ct_stream_request *request, uint32_t i)
{
	uint64_t number;

	if (!ct_change_coalesces(s->change, request))
		return warp->stream->sector[request->first + i];
	number =
	    (uint64_t)(warp - s->warp) * s->requests + (uint64_t)(request - warp->stream->request);
	return MOVED + (number * s->change->sectors + i) % (s->distinct ? s->distinct : 1);
}

/* When all that a request asks for is there. */
static double request(struct simulator *s, struct sm *sm, const struct warp *warp,
		      const struct ct_stream_request *request)
{
	const struct ct_machine *m = s->machine;
	uint64_t line = UINT64_MAX;
	double at = warp->time, fetched = 0, done = at;
	bool is_load = request->kind == CT_STREAM_LOAD,
	     keeps = ct_change_keeps(s->change, warp->stream, request);
	struct ct_cache *near = keeps ? &sm->kept : &sm->l1;

	if (ct_loads_from(warp->stream, request, &s->change->constant))
		return at + m->l1_latency;
	if (ct_stores_to(warp->stream, request, &s->change->unwritten))
		return at;
	for (uint32_t i = 0, count = ct_change_sectors(s->change, request); i < count; i++) {
		uint64_t sector = sector_of(s, warp, request, i);
		uint32_t slot = CT_CACHE_NONE;
		bool hit = false, is_new = sector / CT_CACHE_LINE_SECTORS != line;
		double ready;

		line = sector / CT_CACHE_LINE_SECTORS;
		if (request->kind != CT_STREAM_ATOMIC)
			slot = ct_cache_touch(near, sector, is_load, &hit);
		is_new = keeps && hit ? i == 0 : is_new; /* of banks, not of lines */
		at = is_new ? take(&sm->lsu, at, 1) : at;
		s->served += is_new;
		if (is_load && hit) {
			done = later(done, later(at + (keeps ? m->shared_latency : m->l1_latency),
						 near->ready[slot]));
			continue;
		}
		fetched += is_new;
		ready = fetch(s, sm, sector, at, is_load) +
			(fetched > 1 ? (fetched - 1) * m->departure_delay_l2 : 0);
		if (keeps)
			ready = at + m->shared_latency; /* its tile was asked for before */
		if (is_load)
			near->ready[slot] = later(near->ready[slot], ready);
		done = later(done, ready);
	}
	return done;
}

/* Until memory has what the warp waits for. */
static void stall(struct simulator *s, struct warp *warp, double ready)
{
	s->result->memory += later(ready - warp->time, 0);
	warp->time = later(warp->time, ready);
}

/* Likewise where it uses what it has loaded; of two such places only at the second, if two rounds
 * of loads are under way together. */
static void wait(struct simulator *s, struct warp *warp, double ready)
{
	if (!warp->is_late)
		stall(s, warp, ready);
}

static void access(struct simulator *s, struct warp *warp, const struct ct_script_op *op)
{
	struct sm *sm = &s->sm[s->cta[warp->cta].sm];
	const struct ct_stream_request *asked;
	double ready;

	if (op->access >= warp->requests)
		return; /* its lanes did not come here, or it is in another memory */
	asked = &warp->stream->request[warp->first];
	for (uint32_t left = op->access;; asked++)
		if (ct_stream_is_request(asked) && left-- == 0)
			break;
	ready = request(s, sm, warp, asked);
	if (asked->kind == CT_STREAM_STORE) {
		stall(s, warp, warp->owed);
		return;
	}
	if (op->used_in == CT_NONE)
		warp->ready = later(warp->ready, ready);
	else if (warp->pendings < PENDING)
		warp->pending[warp->pendings++] = (struct pending){op->used_in, ready};
	else
		warp->owed = later(warp->owed, ready);
}

static void compute(struct simulator *s, struct warp *warp, double share)
{
	struct sm *sm = &s->sm[s->cta[warp->cta].sm];
	const struct ct_script *script = warp->script;
	double issue = script->issue * share, shared = script->shared * share * s->conflicts;
	double begin = warp->time, chain = script->chain * share;
	double issued = take(&sm->scheduler[warp->scheduler], begin, issue);

	if (shared > 0)
		issued = later(issued, take(&sm->lsu, begin, shared));
	warp->time = later(issued, begin + chain);
	s->scheduled += issue;
	s->served += shared;
	s->result->chain += chain;
	s->result->issue += warp->time - begin - chain;
}

/* All warps of the CTA that live have come. */
static void release(struct simulator *s, struct cta *cta, double at)
{
	double warps = cta->end - cta->first;
	const struct ct_machine *m = s->machine;

	if (cta->waiting == 0 || cta->waiting < cta->alive)
		return;
	cta->waiting = 0;
	at += m->barrier_latency + (m->barrier_cycles - m->barrier_latency) * (warps - 1) / 31;
	for (uint32_t w = cta->first; w < cta->end; w++)
		if (s->warp[w].waits) {
			s->warp[w].waits = false;
			s->result->barrier += at - s->warp[w].time;
			s->warp[w].time = at;
			ct_queue_push(&s->queue, w);
		}
}

/* Into the next block; false: there is none. */
static bool enter(struct simulator *s, struct warp *warp)
{
	const struct ct_warp_stream *stream = warp->stream;
	uint32_t block, kept = 0;

	while (warp->next < stream->requests && stream->request[warp->next].kind != CT_STREAM_BLOCK)
		warp->next++;
	if (warp->next >= stream->requests)
		return false;
	block = stream->request[warp->next++].line;
	warp->script = &s->scripts.of[block];
	warp->op = 0;
	warp->first = warp->next;
	warp->requests = 0;
	for (uint32_t i = warp->next;
	     i < stream->requests && stream->request[i].kind != CT_STREAM_BLOCK; i++)
		warp->requests += ct_stream_is_request(&stream->request[i]);
	for (uint32_t p = 0; p < warp->pendings; p++)
		if (warp->pending[p].block == block)
			warp->owed = later(warp->owed, warp->pending[p].ready);
		else
			warp->pending[kept++] = warp->pending[p];
	warp->pendings = kept;
	if (warp->script->accesses)
		warp->is_late = s->change->waits_late && !warp->is_late;
	if (warp->script->computes)
		wait(s, warp, warp->owed);
	return true;
}

static void leave(struct simulator *s, uint32_t index)
{
	struct warp *warp = &s->warp[index];
	struct cta *cta = &s->cta[warp->cta];

	ct_queue_pop(&s->queue);
	if (warp->is_late)
		stall(s, warp, later(warp->ready, warp->owed));
	s->end = later(s->end, warp->time);
	cta->alive--;
	release(s, cta, warp->time);
	if (cta->alive == 0 && s->next_cta < s->ctas)
		place_cta(s, cta->sm, warp->time);
}

static void wait_at_barrier(struct simulator *s, struct warp *warp)
{
	struct cta *cta = &s->cta[warp->cta];

	stall(s, warp, warp->owed);
	warp->waits = true;
	cta->waiting++;
	ct_queue_pop(&s->queue);
	release(s, cta, warp->time);
}

/* One thing that the earliest warp does. */
static void step(struct simulator *s)
{
	uint32_t index = s->queue.number[0];
	struct warp *warp = &s->warp[index];
	const struct ct_script_op *op;

	if (!warp->script || warp->op >= warp->script->ops) {
		if (!enter(s, warp))
			leave(s, index);
		else
			ct_queue_finish(&s->queue);
		return;
	}
	op = &warp->script->op[warp->op++];
	switch (op->kind) {
	case CT_SCRIPT_COMPUTE:
		compute(s, warp, op->share);
		break;
	case CT_SCRIPT_ACCESS:
		access(s, warp, op);
		break;
	case CT_SCRIPT_WAIT:
		wait(s, warp, later(warp->ready, warp->owed));
		break;
	case CT_SCRIPT_BARRIER:
		if (s->change->has_no_barriers)
			break;
		wait_at_barrier(s, warp);
		return;
	}
	ct_queue_finish(&s->queue);
}

/* Fills the L2 with what a launch like it left there. */
static void warm(struct simulator *s)
{
	bool hit;

	for (uint32_t w = 0; w < s->warps; w++) {
		const struct ct_warp_stream *stream = s->warp[w].stream;

		for (uint32_t r = 0; r < stream->requests; r++) {
			const struct ct_stream_request *asked = &stream->request[r];
			uint32_t count =
			    ct_stream_is_request(asked) ? ct_change_sectors(s->change, asked) : 0;

			for (uint32_t i = 0; i < count; i++)
				ct_cache_touch(&s->l2, sector_of(s, &s->warp[w], asked, i), true,
					       &hit);
		}
	}
}

/* Warps by CTA. */
static void set_warps(struct simulator *s, const struct ct_warp_stream *const *list)
{
	for (uint32_t w = 0; w < s->warps; w++) {
		if (w == 0 || list[w]->cta != list[w - 1]->cta)
			s->cta[s->ctas++].first = w;
		s->cta[s->ctas - 1].end = w + 1;
		s->warp[w] = (struct warp){.stream = list[w], .cta = s->ctas - 1};
		s->requests = list[w]->requests > s->requests ? list[w]->requests : s->requests;
		s->result->items += list[w]->requests + list[w]->sectors;
	}
}

/* Opens what an SM keeps: where it keeps all, twice as many lines as there are sectors at most. */
static int open_caches(struct simulator *s, const struct ct_model_kernel *kernel)
{
	uint64_t all = 2 * (uint64_t)LINE * (s->distinct + 1);
	uint64_t l1 = ct_machine_l1_left(s->machine, kernel->resident, kernel->shared_bytes);

	if (ct_cache_open(
		&s->l2,
		ct_model_part_l2(s->machine->l2_bytes, &kernel->extent, s->ctas, kernel->ctas),
		true) < 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->sms; i++) {
		if (ct_cache_open(&s->sm[i].l1, l1, true) < 0)
			return -ENOMEM;
		if (s->change->keeps_loads &&
		    ct_cache_open(&s->sm[i].kept, all < KEPT ? all : KEPT, true) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int open_simulator(struct simulator *s, const struct ct_model_kernel *kernel,
			  struct ct_streams *streams, uint64_t most)
{
	const struct ct_machine *m = s->machine;
	size_t count;
	uint64_t ctas;
	const struct ct_warp_stream *const *list = ct_streams_list(streams, &count, &ctas);

	s->warp = calloc(count + 1, sizeof(*s->warp));
	s->cta = calloc(count + 1, sizeof(*s->cta));
	s->queue.number = calloc(count + 1, sizeof(*s->queue.number));
	s->queue.key = s->warp ? &s->warp->time : NULL;
	s->queue.stride = sizeof(*s->warp);
	s->sm = calloc((uint32_t)m->sm_count + 1u, sizeof(*s->sm));
	if (!s->warp || !s->cta || !s->queue.number || !s->sm)
		return -ENOMEM;
	s->warps = ct_model_part_warps(list, (uint32_t)count, most, FULL_SMS * kernel->resident);
	set_warps(s, list);
	s->part = ct_model_part((uint32_t)m->sm_count, s->ctas, kernel->ctas);
	s->sms = s->part.sms;
	s->l2_sector = SECTOR * m->clock_hz / m->l2_bandwidth / s->part.share;
	s->memory_sector = SECTOR * m->clock_hz / m->dram_read_bandwidth / s->part.share;
	s->cta_cycles = m->cta_seconds * m->clock_hz / s->part.share;
	s->distinct = kernel->extent.alone + kernel->extent.common;
	s->conflicts = kernel->shared > 0 && !s->change->has_no_conflicts
			   ? 1 + kernel->bank_wavefronts / kernel->shared
			   : 1;
	return open_caches(s, kernel);
}

static void close_simulator(struct simulator *s)
{
	for (uint32_t i = 0; s->sm && i < s->sms; i++) {
		ct_cache_close(&s->sm[i].l1);
		ct_cache_close(&s->sm[i].kept);
	}
	ct_cache_close(&s->l2);
	ct_scripts_fini(&s->scripts);
	free(s->warp);
	free(s->cta);
	free(s->queue.number);
	free(s->sm);
}

static void run(struct simulator *s, uint32_t resident)
{
	for (uint32_t r = 0; r < resident; r++)
		for (uint32_t i = 0; i < s->sms && s->next_cta < s->ctas; i++)
			place_cta(s, i, 0);
	while (s->queue.count)
		step(s);
}

static void conclude(struct simulator *s)
{
	struct ct_simulation *r = s->result;
	double all = r->chain + r->issue + r->memory + r->barrier, sms = fmin(s->ctas, s->sms);

	/* No warp waits for its stores, but the launch is done when they have passed. */
	s->end = later(s->end, later(s->l2_free, s->memory_free));
	if (all > 0) {
		r->chain /= all;
		r->issue /= all;
		r->memory /= all;
		r->barrier /= all;
	}
	if (s->end > 0) {
		r->schedulers = s->scheduled / (s->end * SCHEDULERS * sms);
		r->accesses = s->served / (s->end * sms);
		r->l2 = s->l2_busy / s->end;
		r->dram = s->memory_busy / s->end;
	}
	r->cycles = s->end * s->part.times;
	r->ctas = s->ctas;
}

int ct_simulate(struct ct_simulation *result, const struct ct_model_kernel *kernel,
		const struct ct_model_job *job, const struct ct_simulate_options *options)
{
	struct simulator s = {
	    .machine = options->machine, .result = result, .change = &options->change};
	struct ct_streams *streams = job->results.streams[kernel->kernel];
	int err;

	*result = (struct ct_simulation){0};
	if (!streams || !ct_streams_is_whole(streams))
		return 1;
	err = ct_scripts_make(&s.scripts, job, kernel->kernel, options->lowered, options->machine);
	if (err == 0)
		err = open_simulator(&s, kernel, streams, options->most);
	if (err == 0)
		ct_scripts_change(&s.scripts, job, kernel->kernel, s.change);
	if (err == 0 && !options->is_cold)
		warm(&s);
	if (err == 0) {
		run(&s, options->change.resident ? options->change.resident : kernel->resident);
		conclude(&s);
	}
	close_simulator(&s);
	return err < 0 ? err : !(result->cycles > 0);
}
