/* SPDX-License-Identifier: Apache-2.0 */
/* Reports what is found, what is missing, what to do. */
#include "driver/compiler/doctor.h"
#include "driver/base/gpus.h"
#include "driver/base/process.h"
#include "driver/compiler/own.h"
#include "driver/compiler/scratch.h"
#include "driver/compiler/view.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct doctor {
	const struct ct_parts *parts;
	FILE *out;
	int status;
};

enum verdict { OK, WITHOUT, MISSING };

static void say(struct doctor *doctor, enum verdict verdict, const char *what, const char *format,
		...)
{
	static const char *const words[] = {"ok", "without", "MISSING"};
	va_list values;

	fprintf(doctor->out, "%-8s %-18s ", words[verdict], what);
	va_start(values, format);
	vfprintf(doctor->out, format, values);
	va_end(values);
	fputc('\n', doctor->out);
	if (verdict == MISSING)
		doctor->status = 1;
}

/* The first line that a program prints, NULL if it cannot be run. */
static char *ask(const char *program, const char *question)
{
	struct ct_args args = {0};
	char *text;

	ct_args_push(&args, program);
	ct_args_push(&args, question);
	text = ct_process_read(&args);
	ct_args_fini(&args);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

/* A file of clang's: its own name again where clang knows none. */
static bool clang_has(const struct doctor *doctor, const char *kind, const char *name, char *path)
{
	char question[128], *answer;
	bool has;

	snprintf(question, sizeof(question), "-print-%s-name=%s", kind, name);
	answer = ask(doctor->parts->clang, question);
	snprintf(path, PATH_MAX, "%s", answer ? answer : "");
	has = answer && strchr(answer, '/') && access(answer, R_OK) == 0;
	free(answer);
	return has;
}

static void examine_clang(struct doctor *doctor)
{
	const char *clang = doctor->parts->clang;
	char *version = ask(clang, "--version"), *number = ask(clang, "-dumpversion");

	if (!version || !number)
		say(doctor, MISSING, "clang",
		    "%s cannot be run: install clang-%d (setup.sh deps), or set CUDATRACE_CLANG",
		    clang, CT_LLVM_MAJOR);
	else if (atoi(number) != CT_LLVM_MAJOR)
		say(doctor, MISSING, "clang",
		    "%s is %s, and our plugins are for %d: set CUDATRACE_CLANG to a clang-%d",
		    clang, number, CT_LLVM_MAJOR, CT_LLVM_MAJOR);
	else
		say(doctor, OK, "clang", "%s, %s", clang, version);
	free(version);
	free(number);
}

static void examine_parts(struct doctor *doctor)
{
	const struct ct_parts *parts = doctor->parts;
	const struct {
		const char *what, *path;
	} needed[] = {{"clang plugin", parts->clang_plugin}, {"LLVM pass", parts->llvm_pass},
		      {"device bitcode", parts->device_rt},  {"ptxas", parts->ptxas},
		      {"CPU bitcode", parts->cpu_device_rt}, {"CPU retargeting", parts->retarget},
		      {"headers", parts->host_header},       {"GPU runtime", parts->runtime_gpu},
		      {"GPU runtime", parts->library_gpu},   {"CPU runtime", parts->runtime_cpu},
		      {"CPU runtime", parts->library_cpu}};

	for (size_t i = 0; i < COUNT(needed); i++)
		if (access(needed[i].path, R_OK) == 0)
			say(doctor, OK, needed[i].what, "%s", needed[i].path);
		else
			say(doctor, MISSING, needed[i].what,
			    "no %s: build or install cuda-trace again", needed[i].path);
}

static void examine_file(struct doctor *doctor, const char *what, const char *name,
			 const char *otherwise, enum verdict verdict)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", doctor->parts->cuda, name);
	if (access(path, R_OK) == 0)
		say(doctor, OK, what, "%s", path);
	else
		say(doctor, verdict, what, "no %s: %s", path, otherwise);
}

static void examine_toolkit(struct doctor *doctor)
{
	const struct ct_parts *parts = doctor->parts;
	unsigned version = ct_parts_cuda_version(parts->cuda);
	char why[PATH_MAX + 200];

	if (ct_parts_need_cuda(parts, why, sizeof(why)) < 0) {
		say(doctor, MISSING, "CUDA toolkit", "%s", why);
		return;
	}
	say(doctor, OK, "CUDA toolkit", "%s, CUDA %u.%u", parts->cuda, version / 1000,
	    version % 1000 / 10);
	examine_file(doctor, "libdevice", "nvvm/libdevice/libdevice.10.bc",
		     "install the toolkit's nvvm (setup.sh deps)", MISSING);
	examine_file(doctor, "ptxas", "bin/ptxas", "install the toolkit's nvcc (setup.sh deps)",
		     MISSING);
	examine_file(doctor, "fatbinary", "bin/fatbinary",
		     "install the toolkit's nvcc (setup.sh deps)", MISSING);
	examine_file(doctor, "nvlink", "bin/nvlink",
		     "no relocatable device code (-rdc) for GPUs without it", WITHOUT);
}

/* Checks for parts of other versions that are mixed in when host code is compiled and linked. */
static void examine_host(struct doctor *doctor)
{
	static const struct {
		const char *what, *kind, *name, *otherwise;
		enum verdict verdict;
	} needed[] = {
	    {"C library", "file", "crt1.o", "install libc6-dev (g++ brings it)", MISSING},
	    {"C++ library", "file", "libstdc++.so", "install g++, whose library clang uses",
	     MISSING},
	    {"linker", "prog", "ld", "install binutils", MISSING},
	    {"device linker", "prog", "clang-linker-wrapper",
	     "no relocatable device code (-rdc) for GPUs without clang-tools of clang's version",
	     WITHOUT},
	    {"OpenMP", "file", "libomp.so", "no -fopenmp without libomp-dev of clang's version",
	     WITHOUT}};
	char path[PATH_MAX];

	for (size_t i = 0; i < COUNT(needed); i++)
		if (clang_has(doctor, needed[i].kind, needed[i].name, path))
			say(doctor, OK, needed[i].what, "%s", path);
		else
			say(doctor, needed[i].verdict, needed[i].what, "no %s: %s", needed[i].name,
			    needed[i].otherwise);
}

static void examine_gpus(struct doctor *doctor)
{
	unsigned version = ct_gpus_driver_version();
	unsigned toolkit = ct_parts_cuda_version(doctor->parts->cuda);
	struct ct_args names = {0};

	ct_gpus_names(&names);
	if (!version)
		say(doctor, WITHOUT, "GPU driver", "programs run on CPU threads (--ct-target=cpu)");
	else if (version / 1000 < toolkit / 1000)
		say(doctor, WITHOUT, "GPU driver",
		    "it is for CUDA %u.%u: programs of this toolkit need a newer one",
		    version / 1000, version % 1000 / 10);
	else
		say(doctor, OK, "GPU driver", "CUDA %u.%u", version / 1000, version % 1000 / 10);
	for (size_t i = 0; i < names.count; i++)
		say(doctor, OK, "GPU", "sm_%s", names.words[i]);
	if (version && !names.count)
		say(doctor, WITHOUT, "GPU", "the driver shows none: see nvidia-smi");
	ct_args_fini(&names);
}

/* As host-rt looks for it, in the toolkit in use. */
static void examine_cupti(struct doctor *doctor)
{
	static const char *const places[] = {"%s/lib64/%s", "%s/extras/CUPTI/lib64/%s"};
	unsigned version = ct_parts_cuda_version(doctor->parts->cuda);
	char name[32], path[PATH_MAX + 64];
	void *library;

	snprintf(name, sizeof(name), "libcupti.so.%u", version / 1000);
	for (size_t i = 0; i < COUNT(places); i++) {
		snprintf(path, sizeof(path), i ? places[1] : places[0], doctor->parts->cuda, name);
		if (access(path, R_OK) == 0) {
			say(doctor, OK, "CUPTI", "%s", path);
			return;
		}
	}
	library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
	if (library) {
		say(doctor, OK, "CUPTI", "%s", name);
		dlclose(library);
		return;
	}
	say(doctor, WITHOUT, "CUPTI",
	    "no %s in %s: no times of kernels on GPUs (ctrun --calls), nothing of ctrun --inject",
	    name, *doctor->parts->cuda ? doctor->parts->cuda : "a toolkit");
}

static const char probe[] = "#include <cstdio>\n"
			    "__global__ void seven(int *p) { *p = 7; }\n"
			    "int main()\n"
			    "{\n"
			    "	int *d, h = 0;\n"
			    "	cudaMalloc(&d, sizeof(h));\n"
			    "	seven<<<1, 1>>>(d);\n"
			    "	cudaMemcpy(&h, d, sizeof(h), cudaMemcpyDeviceToHost);\n"
			    "	printf(\"%d\\n\", h);\n"
			    "}\n";

/* Compile and link; what is printed then, malloc'ed or NULL. */
static char *compile(const struct doctor *doctor, enum ct_target target, const char *source,
		     const char *program)
{
	struct ct_args args = {0};
	char *text;

	ct_args_push(&args, "sh");
	ct_args_push(&args, "-c");
	ct_args_push(&args, "exec \"$@\" 2>&1");
	ct_args_push(&args, "sh");
	ct_args_pushf(&args, "%s/cuda-trace-clang++", doctor->parts->bin);
	ct_args_pushf(&args, "--ct-target=%s", ct_target_name(target));
	if (*doctor->parts->cuda)
		ct_args_pushf(&args, "--cuda-path=%s", doctor->parts->cuda);
	ct_args_push(&args, source);
	ct_args_push(&args, "-o");
	ct_args_push(&args, program);
	text = ct_process_read(&args);
	ct_args_fini(&args);
	return text;
}

/* The line that says what is wrong, of messages of a compiler. */
static const char *cause(char *messages)
{
	static const char *const words[] = {"fatal error:", "error:", "undefined reference"};
	const char *line = messages;

	for (size_t i = 0; i < COUNT(words) && line == messages; i++) {
		char *at = strstr(messages, words[i]);

		while (at && at > messages && at[-1] != '\n')
			at--;
		line = at ? at : messages;
	}
	messages[line - messages + strcspn(line, "\n")] = '\0';
	return line;
}

static void try_target(struct doctor *doctor, const struct ct_scratch *scratch,
		       enum ct_target target)
{
	const char *what = target == CT_TARGET_CPU ? "CPU target" : "GPU target";
	char source[PATH_MAX], program[PATH_MAX];
	char *messages, *printed = NULL;

	snprintf(program, sizeof(program), "%s/probe-%s", scratch->path, ct_target_name(target));
	if (ct_scratch_write(scratch, "probe.cu", probe, strlen(probe), source) < 0)
		return;
	messages = compile(doctor, target, source, program);
	if (access(program, X_OK) != 0)
		say(doctor, MISSING, what, "a small program does not compile: %s",
		    messages ? cause(messages) : "no message");
	else if (target == CT_TARGET_GPU)
		say(doctor, OK, what, "a small program compiles");
	else if ((printed = ask(program, "")) && strcmp(printed, "7") == 0)
		say(doctor, OK, what, "a small program compiles and runs");
	else
		say(doctor, MISSING, what, "a small program compiles, but does not run: %s",
		    printed ? printed : "it prints nothing");
	free(messages);
	free(printed);
}

static void examine_views(struct doctor *doctor)
{
	char directory[PATH_MAX], why[2 * PATH_MAX];

	for (int target = CT_TARGET_GPU; target <= CT_TARGET_CPU; target++)
		if (ct_view_find(doctor->parts, target, directory, why, sizeof(why)) == 0)
			say(doctor, OK, "for other linkers", "%s", directory);
		else
			say(doctor, WITHOUT, "for other linkers",
			    "%s; --ct-toolkit=DIR makes a toolkit elsewhere", why);
}

int ct_doctor(const struct ct_parts *parts, FILE *out)
{
	struct doctor doctor = {.parts = parts, .out = out};
	struct ct_scratch scratch = {0};
	char why[PATH_MAX + 200];

	examine_clang(&doctor);
	examine_parts(&doctor);
	examine_toolkit(&doctor);
	examine_host(&doctor);
	examine_views(&doctor);
	examine_gpus(&doctor);
	examine_cupti(&doctor);
	if (ct_scratch_init(&scratch, why, sizeof(why)) < 0) {
		say(&doctor, MISSING, "temporary files", "%s: set TMPDIR", why);
		return doctor.status;
	}
	say(&doctor, OK, "temporary files", "%s", scratch.path);
	fflush(out);
	try_target(&doctor, &scratch, CT_TARGET_CPU);
	try_target(&doctor, &scratch, CT_TARGET_GPU);
	ct_scratch_fini(&scratch);
	return doctor.status;
}
