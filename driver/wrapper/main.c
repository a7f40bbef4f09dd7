/* SPDX-License-Identifier: Apache-2.0 */
/* cuda-trace-clang, cuda-trace-clang++: clang with tracing built in. */
#include "driver/compiler/doctor.h"
#include "driver/compiler/view.h"
#include "driver/wrapper/wrapper.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The line as it is, with what is ours at its end: one run of clang. */
static int run_once(struct ct_wrapper *wrapper, bool instrument)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	bool links = cmdline->action == CT_ACTION_LINK;
	struct ct_args args = {0};
	int status = 0;

	if (cmdline->cuda_inputs)
		ct_compile_begin(wrapper, &args);
	else
		ct_wrapper_clang(wrapper, &args);
	if (links && isatty(STDERR_FILENO))
		ct_args_push(&args, "-fcolor-diagnostics"); /* what we capture is no terminal */
	if (links)
		status = ct_link_begin(wrapper, &args);
	for (size_t i = 0; i < cmdline->count && status == 0; i++) {
		const struct ct_item *item = &cmdline->items[i];

		if (strcmp(item->words[0], "-###") == 0 ||
		    (item->kind == CT_ITEM_ARCH && cmdline->own.target == CT_TARGET_CPU) ||
		    (links && ct_link_drops(wrapper, item)))
			continue;
		if (item->kind == CT_ITEM_LINKER_INPUT && links)
			status = ct_link_add_input(wrapper, &args, item);
		else
			ct_args_push_words(&args, item->words, item->count);
	}
	if (!cmdline->cuda_inputs)
		ct_compile_add_host(wrapper, &args);
	if (cmdline->cuda_inputs) {
		ct_compile_add_basics(wrapper, &args);
		if (instrument)
			ct_compile_add_instrumentation(wrapper, &args,
						       ct_compile_seed(wrapper, NULL));
		if (cmdline->own.target == CT_TARGET_CPU && !cmdline->device_only &&
		    !cmdline->host_only && cmdline->action != CT_ACTION_SYNTAX)
			ct_args_push(&args, "--cuda-host-only");
	}
	if (links && status == 0)
		status = ct_link_add_runtime(wrapper, &args);
	if (status == 0)
		status = links ? ct_link_run(wrapper, &args) : ct_wrapper_run(wrapper, &args, NULL);
	ct_args_fini(&args);
	return status;
}

/* CUDA inputs that become objects. */
static bool makes_objects(const struct ct_cmdline *cmdline)
{
	return cmdline->action == CT_ACTION_LINK ||
	       (cmdline->action == CT_ACTION_COMPILE && !cmdline->emit_llvm);
}

/* True where one run of clang cannot do: the CPU target makes an object from
 * two; plugin and forced header are not for sources in other languages. */
static bool needs_split(const struct ct_cmdline *cmdline)
{
	bool several = cmdline->cuda_inputs + cmdline->source_inputs > 1;

	if (!cmdline->cuda_inputs || !makes_objects(cmdline) || cmdline->device_only ||
	    cmdline->host_only)
		return false;
	if (several && cmdline->action == CT_ACTION_COMPILE && cmdline->output)
		return false; /* clang explains why not */
	return cmdline->own.target == CT_TARGET_CPU || cmdline->source_inputs;
}

static int run(struct ct_wrapper *wrapper)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	bool instrument = cmdline->action <= CT_ACTION_ASSEMBLE;
	char why[PATH_MAX + 200];
	int status;

	if (cmdline->cuda_inputs && ct_compile_check(wrapper) < 0)
		return 1;
	if (ct_scratch_init(&wrapper->scratch, why, sizeof(why)) < 0) {
		ct_wrapper_error(wrapper, "%s", why);
		return 1;
	}
	status = needs_split(cmdline) ? ct_split_run(wrapper) : run_once(wrapper, instrument);
	if (cmdline->own.keep)
		fprintf(stderr, "%s: temporary files are in %s\n", wrapper->program,
			wrapper->scratch.path);
	else
		ct_scratch_fini(&wrapper->scratch);
	return status < 0 ? 1 : status;
}

/* Nothing of CUDA in it: become clang. */
static int become_clang(struct ct_wrapper *wrapper)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	struct ct_args args = {0};
	int err;

	ct_wrapper_clang(wrapper, &args);
	ct_args_push_words(&args, cmdline->line.words, cmdline->line.count);
	if (cmdline->action != CT_ACTION_INFORM)
		ct_compile_add_host(wrapper, &args);
	if (cmdline->own.verbose)
		ct_wrapper_show(&args);
	err = ct_process_exec(&args);
	ct_wrapper_error(wrapper, "cannot run %s: %s; run setup.sh deps, or set CUDATRACE_CLANG",
			 wrapper->parts.clang, strerror(-err));
	ct_args_fini(&args);
	return err == -ENOENT ? 127 : 126;
}

/* Names the build of the parts, for compiler caches. */
static uint64_t parts_identity(const struct ct_parts *parts)
{
	const char *const files[] = {parts->clang_plugin, parts->llvm_pass, parts->retarget,
				     parts->ptxas,        parts->device_rt, parts->cpu_device_rt,
				     parts->host_header};
	uint64_t identity = 0;
	struct stat status;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (stat(files[i], &status) == 0)
			identity = identity * 0x9e3779b97f4a7c15ull + (uint64_t)status.st_size +
				   (uint64_t)status.st_mtim.tv_sec * 1000000000u +
				   (uint64_t)status.st_mtim.tv_nsec;
	return identity;
}

static void print_version(const struct ct_wrapper *wrapper)
{
	const struct ct_parts *parts = &wrapper->parts;

	printf("%s (cuda-trace) " CT_VERSION "\n", wrapper->program);
	printf("target: %s\n", ct_target_name(wrapper->cmdline.own.target));
	printf("clang:  %s\n", parts->clang);
	printf("CUDA:   %s\n", *parts->cuda ? parts->cuda : "none found");
	printf("parts:  %.*s (build %016" PRIx64 ")\n",
	       (int)(strrchr(parts->llvm_pass, '/') - parts->llvm_pass), parts->llvm_pass,
	       parts_identity(parts));
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int make_toolkit(const struct ct_wrapper *wrapper)
{
	const struct ct_own *own = &wrapper->cmdline.own;
	char why[2 * PATH_MAX];

	if (ct_view_make(&wrapper->parts, own->target, own->toolkit, why, sizeof(why)) == 0)
		return 0;
	ct_wrapper_error(wrapper, "%s", why);
	return 1;
}

static void print_man(void)
{
	printf(".TH CUDA\\-TRACE\\-CLANG 1 \"\" \"cuda\\-trace " CT_VERSION "\" \"User Commands\"\n"
	       ".SH NAME\ncuda\\-trace\\-clang, cuda\\-trace\\-clang++ \\- clang, for programs "
	       "that can "
	       "be traced\n.SH SYNOPSIS\n"
	       "\\fBcuda\\-trace\\-clang++\\fR [\\fB\\-\\-ct\\-\\fIOPTION\\fR...] "
	       "\\fICLANG\\-ARGUMENTS\\fR...\n.SH DESCRIPTION\n"
	       "Compile and link as clang does, so that the program can be traced by "
	       "\\fBctrun\\fR(1). Every other option goes to clang unchanged.\n");
	ct_own_print_man(stdout);
}

static void generate(const char *what)
{
	if (strcmp(what, "man") == 0)
		print_man();
	else
		ct_own_print_completion(stdout, what, "cuda-trace-clang", "cuda-trace-clang++");
}

static int dispatch(struct ct_wrapper *wrapper)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;

	if (cmdline->own.help) {
		ct_own_print_help(stdout, wrapper->program);
		return 0;
	}
	if (cmdline->own.generate) {
		generate(cmdline->own.generate);
		return 0;
	}
	if (cmdline->own.doctor)
		return ct_doctor(&wrapper->parts, stdout);
	if (cmdline->own.version) {
		print_version(wrapper);
		return 0;
	}
	if (cmdline->own.toolkit)
		return make_toolkit(wrapper);
	if (cmdline->action == CT_ACTION_INFORM ||
	    (cmdline->action != CT_ACTION_LINK && !cmdline->cuda_inputs))
		return become_clang(wrapper);
	return run(wrapper);
}

int main(int argc, char **argv)
{
	struct ct_wrapper wrapper = {.program = argc ? base_name(argv[0]) : "cuda-trace-clang"};
	size_t name_bytes = strlen(wrapper.program);
	char why[PATH_MAX + 200];
	int status = 2;

	wrapper.cxx = name_bytes > 2 && strcmp(wrapper.program + name_bytes - 2, "++") == 0;
	if (ct_cmdline_parse(&wrapper.cmdline, argc, argv, why, sizeof(why)) < 0) {
		ct_wrapper_error(&wrapper, "%s", why);
		return 2;
	}
	ct_process_init();
	if (ct_parts_find(&wrapper.parts, wrapper.cxx, wrapper.cmdline.cuda_path, why,
			  sizeof(why)) < 0)
		ct_wrapper_error(&wrapper, "%s", why);
	else
		status = dispatch(&wrapper);
	ct_cmdline_fini(&wrapper.cmdline);
	return ct_process_end(status);
}
