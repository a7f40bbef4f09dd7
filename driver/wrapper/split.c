/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compile each input by itself, then link. For CUDA on the CPU target:
 *
 *   x.cu -- device job --> x.bc -- ct-retarget --> device.o --+
 *     \                                                       +- ld -r --> x.o
 *      +--- host job, with an id for a GPU binary --> host.o -+
 *
 * With -c host.o is x.o at first, since clang puts files beside an object (.gcno, .dwo, .su, .json)
 * by its name, and writes the names of some into it; otherwise -dumpdir says where they belong.
 *
 * The runtime matches the id that the host object registers with the one that
 * ct-retarget put into the device object.
 */
#include "driver/wrapper/wrapper.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum job { JOB_PLAIN, JOB_GPU, JOB_DEVICE, JOB_HOST };

/* One input on its way. */
struct step {
	const struct ct_item *input;
	size_t number;            /* among the inputs, for names of temporary files */
	char object[PATH_MAX];    /* result */
	char companion[PATH_MAX]; /* LINK, CPU target: the device object beside it, or "" */
	char depfile[PATH_MAX];   /* where -MD without -MF writes */
	char deptarget[PATH_MAX]; /* what the dependencies are of */
	uint64_t seed;
};

static bool begins_with_any(const char *word, const char *const *prefixes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(word, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* Flags that a job cannot use: bitcode objects cannot be joined with ld -r,
 * and sanitizers and profiles are the host's. */
static bool job_drops(enum job job, const char *word)
{
	static const char *const joined[] = {"-flto", "-foffload-lto", "-cuid=", "-fuse-cuid="};
	static const char *const host_only[] = {"-fsanitize", "-fprofile", "-fcoverage",
						"--coverage", "-fcs-profile"};

	if (job != JOB_DEVICE && job != JOB_HOST)
		return false;
	if (begins_with_any(word, joined, sizeof(joined) / sizeof(joined[0])))
		return true;
	return job == JOB_DEVICE &&
	       begins_with_any(word, host_only, sizeof(host_only) / sizeof(host_only[0]));
}

static bool job_takes(enum job job, const struct ct_item *item)
{
	switch (item->kind) {
	case CT_ITEM_FLAG:
		return !job_drops(job, item->words[0]);
	case CT_ITEM_DEPENDENCY:
		return job != JOB_DEVICE;
	case CT_ITEM_ARCH:
		return job == JOB_GPU;
	default:
		return false;
	}
}

/* The user's flags for a compile, then the input with its language. */
static void add_user_words(const struct ct_wrapper *wrapper, struct ct_args *args, enum job job,
			   const struct step *step)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	/* With -c, clang warns once of linker inputs, which it does not use. */
	bool warns = cmdline->action == CT_ACTION_COMPILE && job != JOB_DEVICE && !step->number;

	for (size_t i = 0; i < cmdline->count; i++) {
		const struct ct_item *item = &cmdline->items[i];

		if (!job_takes(job, item) && !(warns && item->kind == CT_ITEM_LINKER_INPUT))
			continue;
		if (strcmp(item->words[0], "-save-temps=obj") == 0 &&
		    (job == JOB_DEVICE || cmdline->action == CT_ACTION_LINK))
			ct_args_push(args, "-save-temps=cwd"); /* our objects are temporary */
		else
			ct_args_push_words(args, item->words, item->count);
	}
	/* Flags for the link are not unused, only used elsewhere; and every
	 * warning about the line needs saying once. */
	if (cmdline->action == CT_ACTION_LINK || job == JOB_DEVICE)
		ct_args_push(args, "-Qunused-arguments");
	if (cmdline->action == CT_ACTION_LINK && !cmdline->dump_directory) {
		ct_args_push(args, "-dumpdir"); /* as clang in one run */
		ct_args_pushf(args, "%s-", cmdline->output ? cmdline->output : "a");
	}
	if (job != JOB_DEVICE && cmdline->dependencies) {
		if (!cmdline->dependency_file) {
			ct_args_push(args, "-MF");
			ct_args_push(args, step->depfile);
		}
		if (!cmdline->dependency_target) {
			ct_args_push(args, "-MT");
			ct_args_push(args, step->deptarget);
		}
	}
	if (step->input->language || job != JOB_PLAIN) {
		ct_args_push(args, "-x");
		ct_args_push(args, step->input->language ? step->input->language : "cuda");
	}
	ct_args_push(args, step->input->words[0]);
}

static void add_output(struct ct_args *args, const char *path)
{
	ct_args_push(args, "-c");
	ct_args_push(args, "-o");
	ct_args_push(args, path);
}

static int run_and_free(struct ct_wrapper *wrapper, struct ct_args *args)
{
	int status = ct_wrapper_run(wrapper, args, NULL);

	ct_args_fini(args);
	return status;
}

static int compile_plain(struct ct_wrapper *wrapper, const struct step *step)
{
	struct ct_args args = {0};

	ct_wrapper_clang(wrapper, &args);
	add_user_words(wrapper, &args, JOB_PLAIN, step);
	ct_compile_add_host(wrapper, &args);
	add_output(&args, step->object);
	return run_and_free(wrapper, &args);
}

static int compile_gpu(struct ct_wrapper *wrapper, const struct step *step)
{
	struct ct_args args = {0};

	ct_compile_begin(wrapper, &args);
	add_user_words(wrapper, &args, JOB_GPU, step);
	add_output(&args, step->object);
	ct_compile_add_basics(wrapper, &args);
	ct_compile_add_instrumentation(wrapper, &args, step->seed);
	return run_and_free(wrapper, &args);
}

static int device_job(struct ct_wrapper *wrapper, const struct step *step, const char *bitcode)
{
	struct ct_args args = {0};

	ct_compile_begin(wrapper, &args);
	add_user_words(wrapper, &args, JOB_DEVICE, step);
	ct_args_push(&args, "--cuda-device-only");
	ct_args_push(&args, "-emit-llvm");
	add_output(&args, bitcode);
	ct_compile_add_basics(wrapper, &args);
	ct_compile_add_instrumentation(wrapper, &args, step->seed);
	ct_args_pushf(&args, "-cuid=%016" PRIx64, step->seed);
	return run_and_free(wrapper, &args);
}

static int retarget(struct ct_wrapper *wrapper, const struct step *step, const char *bitcode,
		    const char *object)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	struct ct_args args = {0};

	ct_args_push(&args, wrapper->parts.retarget);
	ct_args_pushf(&args, "--id=%016" PRIx64, step->seed);
	ct_args_pushf(&args, "--device-rt=%s", wrapper->parts.cpu_device_rt);
	ct_args_pushf(&args, "-O%u",
		      cmdline->device_level == CT_LEVEL_OF_HOST ? cmdline->optimize
								: cmdline->device_level);
	if (wrapper->cmdline.rdc)
		ct_args_push(&args, "--rdc");
	ct_args_push(&args, bitcode);
	ct_args_push(&args, "-o");
	ct_args_push(&args, object);
	return run_and_free(wrapper, &args);
}

/* The stand-in for the GPU binary: the runtime's __cudaRegisterFatBinary knows
 * it by its first 8 bytes and finds the device object by the id after them. */
static int host_job(struct ct_wrapper *wrapper, const struct step *step, const char *object)
{
	struct ct_args args = {0};
	char name[64], text[32], binary[PATH_MAX];
	int err;

	snprintf(name, sizeof(name), "%zu.fatbin", step->number);
	snprintf(text, sizeof(text), "CTCPUBIN%016" PRIx64, step->seed);
	err = ct_scratch_write(&wrapper->scratch, name, text, strlen(text) + 1, binary);
	if (err < 0)
		return ct_wrapper_error(wrapper, "%s: %s", binary, strerror(-err));
	ct_wrapper_clang(wrapper, &args);
	add_user_words(wrapper, &args, JOB_HOST, step);
	ct_args_push(&args, "--cuda-host-only");
	add_output(&args, object);
	ct_compile_add_basics(wrapper, &args);
	ct_compile_add_instrumentation(wrapper, &args, step->seed);
	ct_args_pushf(&args, "-cuid=%016" PRIx64, step->seed);
	ct_args_push(&args, "-Xclang");
	ct_args_push(&args, "-fcuda-include-gpubinary");
	ct_args_push(&args, "-Xclang");
	ct_args_push(&args, binary);
	return run_and_free(wrapper, &args);
}

static int join(struct ct_wrapper *wrapper, const char *host, const char *device, const char *out)
{
	struct ct_args args = {0};

	ct_wrapper_clang(wrapper, &args);
	ct_args_push(&args, "-r");
	ct_args_push(&args, "-nostdlib");
	ct_args_push(&args, "-o");
	ct_args_push(&args, out);
	ct_args_push(&args, host);
	ct_args_push(&args, device);
	return run_and_free(wrapper, &args);
}

/* Into a file that is there, which keeps its owner, mode and links. */
static int move(struct ct_wrapper *wrapper, const char *from, const char *to)
{
	int err = ct_scratch_copy(from, to);

	return err < 0 ? ct_wrapper_error(wrapper, "%s: %s", to, strerror(-err)) : 0;
}

static void scratch_name(const struct ct_wrapper *wrapper, const struct step *step,
			 const char *suffix, char *path)
{
	snprintf(path, PATH_MAX, "%s/%zu%s", wrapper->scratch.path, step->number, suffix);
}

/* -###: clang wants to see the objects that it would link. */
static void pretend(const struct ct_wrapper *wrapper, const char *object)
{
	char path[PATH_MAX];

	if (wrapper->cmdline.dry_run)
		ct_scratch_write(&wrapper->scratch, strrchr(object, '/') + 1, "", 0, path);
}

/* False of a device or pipe that is to be written once. */
static bool is_or_becomes_file(const char *path)
{
	struct stat status;

	return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

static int compile_cpu(struct ct_wrapper *wrapper, struct step *step)
{
	bool links = wrapper->cmdline.action == CT_ACTION_LINK;
	bool in_place = !links && !wrapper->cmdline.dry_run && is_or_becomes_file(step->object);
	char bitcode[PATH_MAX], host[PATH_MAX], device[PATH_MAX], joined[PATH_MAX];
	int status;

	scratch_name(wrapper, step, ".bc", bitcode);
	scratch_name(wrapper, step, "-device.o", device);
	scratch_name(wrapper, step, "-host.o", host);
	scratch_name(wrapper, step, ".o", joined);
	if (in_place)
		memcpy(host, step->object, sizeof(host));
	status = device_job(wrapper, step, bitcode);
	if (status == 0)
		status = retarget(wrapper, step, bitcode, device);
	if (status == 0)
		status = host_job(wrapper, step, links ? step->object : host);
	if (!in_place)
		pretend(wrapper, links ? step->object : host);
	pretend(wrapper, device);
	if (status == 0 && links)
		memcpy(step->companion, device, sizeof(device));
	else if (status == 0)
		status = join(wrapper, host, device, in_place ? joined : step->object);
	if (status == 0 && in_place)
		status = move(wrapper, joined, step->object);
	if (status && in_place)
		unlink(step->object); /* half of an object is none */
	return status;
}

/* path with its extension, if any, replaced. */
static void replace_extension(char *out, const char *path, const char *extension)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');

	snprintf(out, PATH_MAX, "%.*s%s", dot ? (int)(dot - path) : (int)strlen(path), path,
		 extension);
}

/* Names of what the input becomes, as clang would choose them. */
static void plan_step(const struct ct_wrapper *wrapper, struct step *step,
		      const struct ct_item *input, size_t number)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	const char *path = input->words[0];
	const char *slash = strrchr(path, '/');
	char object[PATH_MAX];

	step->input = input;
	step->number = number;
	step->companion[0] = '\0';
	step->seed = ct_compile_seed(wrapper, input);
	replace_extension(object, slash ? slash + 1 : path, ".o");
	snprintf(step->deptarget, PATH_MAX, "%s", cmdline->output ? cmdline->output : object);
	replace_extension(step->depfile, step->deptarget, ".d");
	if (cmdline->action == CT_ACTION_LINK)
		scratch_name(wrapper, step, ".o", step->object);
	else
		memcpy(step->object, step->deptarget, PATH_MAX);
}

static int compile_step(struct ct_wrapper *wrapper, struct step *step)
{
	if (step->input->kind == CT_ITEM_CUDA && wrapper->cmdline.own.target == CT_TARGET_CPU)
		return compile_cpu(wrapper, step);
	if (wrapper->cmdline.action == CT_ACTION_LINK)
		pretend(wrapper, step->object);
	return step->input->kind == CT_ITEM_CUDA ? compile_gpu(wrapper, step)
						 : compile_plain(wrapper, step);
}

/* The user's link: sources replaced by their objects, where they stood. */
static int link_steps(struct ct_wrapper *wrapper, const struct step *steps)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	struct ct_args args = {0};
	int status = 0;

	ct_wrapper_clang(wrapper, &args);
	ct_args_push(&args, "-Qunused-arguments"); /* the compiles said what there was to say */
	status = ct_link_begin(wrapper, &args);
	for (size_t i = 0; i < cmdline->count && status == 0; i++) {
		const struct ct_item *item = &cmdline->items[i];

		if (ct_item_is_source(item)) {
			ct_args_push(&args, steps->object);
			if (*steps->companion)
				ct_args_push(&args, steps->companion);
			steps++;
		} else if (item->kind == CT_ITEM_LINKER_INPUT) {
			status = ct_link_add_input(wrapper, &args, item);
		} else if (item->kind == CT_ITEM_OUTPUT ||
			   (item->kind == CT_ITEM_FLAG && !ct_link_drops(wrapper, item))) {
			ct_args_push_words(&args, item->words, item->count);
		}
	}
	if (status == 0)
		status = ct_link_add_runtime(wrapper, &args);
	if (status == 0)
		status = ct_link_run(wrapper, &args);
	ct_args_fini(&args);
	return status;
}

int ct_split_run(struct ct_wrapper *wrapper)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	size_t count = cmdline->cuda_inputs + cmdline->source_inputs, number = 0;
	struct step *steps = calloc(count, sizeof(*steps));
	int status = 0;

	if (!steps)
		return ct_wrapper_error(wrapper, "out of memory");
	/* As clang does, go on to the next input after a failure, but do not link. */
	for (size_t i = 0; i < cmdline->count && !ct_process_signal(); i++) {
		int result;

		if (!ct_item_is_source(&cmdline->items[i]))
			continue;
		plan_step(wrapper, &steps[number], &cmdline->items[i], number);
		result = compile_step(wrapper, &steps[number]);
		number++;
		if (result && !status)
			status = result;
	}
	if (status == 0 && cmdline->action == CT_ACTION_LINK && !ct_process_signal())
		status = link_steps(wrapper, steps);
	free(steps);
	return status;
}
