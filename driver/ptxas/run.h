/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of ptxas and nvlink. */
#ifndef CT_DRIVER_PTXAS_RUN_H
#define CT_DRIVER_PTXAS_RUN_H

#include "driver/base/args.h"

#include <stdbool.h>
#include <stdio.h>

struct ct_ptxas_request {
	const char *bin, *input, *output, *arch;
	bool relocatable, debug, bounds_registers;
	const char *registers; /* the bound of kernels, if the user gives one */
	struct ct_args ptxas;  /* its command line, but for the output */
};

/* Runs a tool whose messages go to this file. */
bool ct_ptxas_run(const struct ct_args *args, FILE *messages);

/* Compiles source in place of the input. registers: of functions in relocatable code; 0: with
 * -ewp. */
bool ct_ptxas_compile(const struct ct_ptxas_request *request, const char *source, const char *cubin,
		      int registers, FILE *messages);

/* Links to the output. */
bool ct_ptxas_link(const struct ct_ptxas_request *request, const struct ct_args *cubins,
		   FILE *messages);

#endif
