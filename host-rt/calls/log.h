/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that have ended, thread by thread, until the journal takes them.
 *
 *   WAITS --the trace is opened--> TAKES --it ends--> CLOSED
 *       \----there is none, fork-----------------------/
 *
 * A thread appends to blocks of its own and waits for none; the journal reads behind it and gives
 * blocks back. What finds no block is counted, and lost: while the log waits each thread has one,
 * then CT_LOG_BYTES are for all.
 */
#ifndef CT_HOST_RT_CALLS_LOG_H
#define CT_HOST_RT_CALLS_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_LOG_BYTES ((size_t)64 << 20)
#define CT_LOG_UNENDED_MAX 8u
#define CT_LOG_NAME_BYTES 16u /* as the kernel has it */
/* Numbers from here on are those of spans that are no calls: more by their enum ct_span_kind. */
#define CT_LOG_SPANS (UINT16_MAX - 7u)

struct ct_call;
struct ct_log; /* of a thread */

struct ct_log_entry {
	uint64_t begin_ns, end_ns; /* of the real call; CLOCK_REALTIME */
	uint64_t stream, bytes;
	uint32_t stack, correlation;
	union {
		uint32_t launch;
		uint32_t thread; /* of a span that is no call: who began it */
	};
	int32_t result;
	union {
		uint32_t id;   /* as in CALL */
		uint32_t name; /* of a span that is no call: spans/names.h */
	};
	uint16_t number; /* enum ct_call_number; or as ct_log_add says, or CT_LOG_SPANS */
	uint8_t flags;   /* enum ct_span_flags */
	uint8_t copy;    /* enum ct_copy_kind */
};

enum ct_log_state { CT_LOG_WAITS, CT_LOG_TAKES, CT_LOG_CLOSED };
extern uint32_t ct_log_state; /* atomic; set by ct_log_turn */

static inline bool ct_log_is_closed(void)
{
	return __atomic_load_n(&ct_log_state, __ATOMIC_RELAXED) == CT_LOG_CLOSED;
}

void ct_log_turn(enum ct_log_state state);

/* For the envelope, in this order. base: frame address of the wrapper. Where there is no memory for
 * a log, the call has none, and is lost. */
void ct_log_enter(struct ct_call *call, const void *base);
void ct_log_real_begins(struct ct_call *call);
void ct_log_real_ends(struct ct_call *call);
void ct_log_leave(struct ct_call *call);

/* A call of a name that api.def does not have, or that no wrapper saw. */
struct ct_log_call {
	uint32_t stack;  /* row of STACK; 0 not known */
	uint32_t number; /* its id in tables; 0: none */
	uint64_t stream;
	const char *name; /* static; what is behind _v2 or _ptsz is left out */
	uint32_t id;      /* of the name, among those of the driver or of the runtime */
	bool is_of_driver;
	int32_t result;
	uint32_t correlation;
	uint64_t begin_ns, end_ns;
};

/* It has ended. */
void ct_log_add(const struct ct_log_call *call);

/* A span that the program itself names has ended; all of the entry is set. */
void ct_log_add_span(const struct ct_log_entry *entry);

/* The name of an entry's number, and whose call it is. */
const char *ct_log_name(uint16_t number, bool *is_of_driver);

/* For the journal alone, one thread at a time. */

/* Until a block is full, ct_log_wake is called, or so much time has passed. */
void ct_log_wait(uint64_t ns);
void ct_log_wake(void);

/* The first log, or the one behind log; NULL: no more. Logs of threads that have ended, and of
 * which everything is read, go. */
struct ct_log *ct_log_next(struct ct_log *log);
uint32_t ct_log_thread(const struct ct_log *log); /* gettid */
bool ct_log_has_ended(const struct ct_log *log);  /* its thread */
/* The thread's name, or its name when it ended; "" not known. Returns name. */
const char *ct_log_thread_name(const struct ct_log *log, char name[CT_LOG_NAME_BYTES]);

/* How many entries there are that have not been read, at *entries: they stay until the next one
 * of this log. 0: none yet. */
size_t ct_log_read(struct ct_log *log, const struct ct_log_entry **entries);

/* The thread's calls that have not ended, outermost first: true if there is a number i. */
bool ct_log_unended(const struct ct_log *log, uint32_t i, struct ct_log_entry *entry);

uint64_t ct_log_lost(void); /* calls */

/* A word that belongs to the reader. */
uint64_t *ct_log_mark(struct ct_log *log);

#endif
