/* SPDX-License-Identifier: Apache-2.0 */
/* A model knows this of a device: measured by ctrun calibrate, of a shipped set, or from the
 * properties that a trace has. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_MACHINE_H
#define CT_POSTPROC_ANALYSIS_MODEL_MACHINE_H

#include "trace/read/reader.h"

#include <stdbool.h>

#define CT_MACHINE_TEXT_BYTES 256u

struct ct_machine {
	char name[CT_MACHINE_TEXT_BYTES];   /* of the device */
	char origin[CT_MACHINE_TEXT_BYTES]; /* where the numbers come from, for a reader */
	bool is_measured;                   /* false: defaults from properties */
	bool has_peers;                     /* of a file: links between devices are measured */
#define CT_MACHINE(name, unit, meaning) double name;
#include <cudatrace/machine.def>
#undef CT_MACHINE
};

/* Reads a file of ctrun calibrate. What the file lacks is filled in from the architecture. 0, or
 * -errno or -CT_EFORMAT with why (CT_MACHINE_TEXT_BYTES): a sentence. */
int ct_machine_read(struct ct_machine *machine, const char *path, char *why);
/* A shipped set whose device's name is this one; false: there is none. */
bool ct_machine_shipped(struct ct_machine *machine, const char *name);
/* From what the trace says of the device, and the architecture (90 for 9.0); sm_count 0: not
 * known. */
void ct_machine_default(struct ct_machine *machine, const char *name, uint32_t arch,
			uint32_t sm_count, uint64_t memory_bytes);

/* The device that the trace is of: a shipped set, else defaults; of the CPU target those of a GPU
 * that its kernels are compiled for. */
void ct_machine_of_trace(struct ct_machine *machine, const struct ct_trace *trace);
/* Whether it is of the CPU target, whose times are none of a GPU. */
bool ct_machine_is_cpu(const struct ct_trace *trace);

/* CTAs that an SM holds at a time: by threads, registers and shared memory (0: not known, no
 * bound). At least 1. */
uint32_t ct_machine_resident(const struct ct_machine *machine, uint32_t cta_threads,
			     uint32_t registers, uint64_t shared_bytes);

/* Returns what is left to the L1 while an SM could hold so many CTAs of so much shared memory
 * each. */
uint64_t ct_machine_l1_left(const struct ct_machine *machine, uint32_t resident,
			    uint64_t shared_bytes);

#endif
