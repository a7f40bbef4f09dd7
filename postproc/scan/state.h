/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the engine share this: a pass at work, and its workers. */
#ifndef CT_POSTPROC_SCAN_STATE_H
#define CT_POSTPROC_SCAN_STATE_H

#include "postproc/scan/pass.h"
#include "trace/read/scanner.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define CT_NO_TASK SIZE_MAX

/* Who is reported for an access, event or value. */
struct ct_listener {
	size_t task;
	void *state;
	const struct ct_wants *wants;
};

/* By what it is: of one way in which records are handed out (ct_access.by_path). */
struct ct_feed {
	struct ct_listener *access, *event, *value;
	size_t accesses, events, values;
};

struct ct_pass_worker {
	struct ct_pass *pass;
	struct ct_worker as; /* what analyses see of it */
	void **state;        /* by task; NULL: it has none, or it was joined */
	struct ct_feed feed[2];
	struct ct_scan request; /* the pass's, with callbacks that are reported for this worker */
	struct ct_scanner *scanner;
	struct ct_loaded *loaded; /* for chunks that nothing else hands out from */
	struct ct_buffer damaged; /* uint64_t: chunks of which something was skipped */
	uint64_t chunks;          /* read */
	void *stage_state;
	pthread_t thread;
};

enum ct_division {
	CT_DIVIDE_CHUNKS, /* to whoever is free */
	CT_DIVIDE_WARPS,  /* each decodes its own */
	CT_DIVIDE_NOTHING /* worker 0 of rank 0 decodes */
};

struct ct_pass {
	struct ct_trace *trace;
	const struct ct_task *task;
	size_t tasks;
	struct ct_pass_options options; /* resolved */
	struct ct_wants *wants;         /* by task */
	struct ct_room *room;           /* by task */
	struct ct_scan request;         /* what they want together */
	bool scans;                     /* any of them wants any of the records */
	uint8_t *launches, **sites;     /* of it */
	enum ct_division division;
	struct ct_pass_worker *worker;
	uint32_t workers;
	struct ct_ring *ring;         /* of ring.c */
	size_t chunks;                /* of the trace; 0 if nothing of its records is wanted here */
	atomic_size_t next;           /* chunk, partition or other piece of work never taken */
	atomic_int stop;              /* the first error, or what a callback returned */
	atomic_size_t failed;         /* task that it is of; CT_NO_TASK: of none */
	uint32_t parts, parts_before; /* of progress: of all that is done, and before what is */
	size_t staged;                /* task whose stage is at hand, */
	const struct ct_stage *stage; /* and that stage, */
	size_t pieces;                /* and how many partitions or pieces this rank has of it */
	struct ct_scanned scanned;
	char why[CT_WHY_BYTES];
};

/* wants.c: what all tasks want together. */
int ct_pass_plan(struct ct_pass *pass);
/* Collective: where few chunks are divided among many workers, divide their warps. */
void ct_pass_divide_short(struct ct_pass *pass);
void ct_pass_forget_plan(struct ct_pass *pass);

/* workers.c */
int ct_pass_open_workers(struct ct_pass *pass);
void ct_pass_close_workers(struct ct_pass *pass);
/* Run on all workers at once; worker 0 is the calling thread. The first nonzero value that any
 * returned, or an error. */
int ct_pass_run_workers(struct ct_pass *pass, int (*run)(struct ct_pass_worker *worker));
/* End the pass; task: whose fault it is. The first one counts. Returns err. */
int ct_pass_stop(struct ct_pass *pass, int err, size_t task);
static inline int ct_pass_stopped(struct ct_pass *pass)
{
	return atomic_load_explicit(&pass->stop, memory_order_relaxed);
}
/* Tell how far the part of the pass at hand is; from any worker, only the first one is heard. */
void ct_pass_tell(const struct ct_pass_worker *worker, uint32_t weight, size_t done, size_t total);
/* Any rank's error is all ranks' error; what progress returned stays with its rank. */
int ct_pass_agree(const struct ct_pass *pass, int err);

/* Weight of the scan among all that is reported. */
#define CT_SCAN_WEIGHT 100u

/* A chunk was handed out: note what is to be reported about it. 0 or -ENOMEM */
int ct_pass_end_chunk(struct ct_pass_worker *worker, size_t chunk, const struct ct_loaded *loaded);

/* feed.c: the callbacks of the worker's scanner, and whom they tell. */
int ct_feed_open(struct ct_pass_worker *worker);
void ct_feed_close(struct ct_pass_worker *worker);
void ct_feed_callbacks(struct ct_scan *request);

/* scan.c: hand out all records, to all states of all workers. */
int ct_pass_scan(struct ct_pass *pass);
/* ring.c: chunks in memory, read by whoever is free and handed out by their owners. */
int ct_ring_open(struct ct_pass *pass);
void ct_ring_close(struct ct_pass *pass);
/* err: why the worker cannot; the others must know. */
int ct_ring_work(struct ct_pass_worker *worker, int err);
uint64_t ct_ring_bytes(const struct ct_pass *pass);

/* gather.c: bring states together, of workers and of ranks. */
int ct_pass_join(struct ct_pass *pass);
int ct_pass_gather(struct ct_pass *pass);
int ct_pass_gather_scanned(struct ct_pass *pass);

/* stages.c */
uint32_t ct_pass_stage_weights(const struct ct_pass *pass);
int ct_pass_stages(struct ct_pass *pass);

#endif
