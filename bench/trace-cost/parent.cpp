/* SPDX-License-Identifier: Apache-2.0 */
/* The parent process: a child per shape, and what its trace tells. */
#include "bench.h"
#include "sanitizer.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

static bool is_wanted(const options &o, const char *name)
{
	return !o.shapes ||
	       ("," + std::string(o.shapes) + ",").find("," + std::string(name) + ",") !=
		   std::string::npos;
}

std::string expectation_of(const options &o, const char *name)
{
	return std::string(o.output) + "/" + name + ".expect";
}

static std::string read_text(const std::string &path)
{
	std::string text;
	FILE *file = fopen(path.c_str(), "re");

	for (int c; file && (c = fgetc(file)) != EOF;)
		text += (char)c;
	if (file)
		fclose(file);
	return text;
}

static uint64_t field(const std::string &json, const char *name)
{
	size_t position = json.find("\"" + std::string(name) + "\": ");

	return position == std::string::npos
		   ? 0
		   : strtoull(json.c_str() + position + strlen(name) + 4, nullptr, 10);
}

/* Adds the totals of the manifest of the child's trace. */
static void add_totals(row *r, const std::string &trace)
{
	std::string manifest = read_text(trace + "/manifest-0.json");
	uint64_t end_ns = field(manifest, "end_ns");

	r->record_bytes = field(manifest, "record_bytes");
	r->trace_bytes = field(manifest, "trace_bytes");
	r->lost_chunks = field(manifest, "lost_chunks");
	r->launches = field(manifest, "traced_launches");
	r->ring_waits = field(manifest, "ring_waits");
	r->drain_ms = end_ns > r->m.last_burst_ns ? (double)(end_ns - r->m.last_burst_ns) / 1e6 : 0;
}

static void become_child(const std::string &word, char **argv)
{
	std::vector<char *> words;

	for (char **own = argv; *own; own++)
		words.push_back(*own);
	words.push_back(const_cast<char *>(word.c_str()));
	words.push_back(nullptr);
	execv("/proc/self/exe", words.data());
	fprintf(stderr, "trace-cost: cannot run itself: %s\n", strerror(errno));
	_exit(1);
}

/* Run this program with one more word, until it has sent its result. *alarmed: its time was up. */
static bool run_child(const std::string &word, char **argv, void *result, size_t bytes,
		      bool *alarmed = nullptr)
{
	int ends[2], status = 0;
	ssize_t got;
	pid_t pid;

	if (pipe(ends) < 0 || (pid = fork()) < 0)
		return false;
	if (pid == 0) {
		dup2(ends[1], RESULT_FD);
		become_child(word, argv);
	}
	close(ends[1]);
	got = read(ends[0], result, bytes);
	close(ends[0]);
	waitpid(pid, &status, 0);
	if (got == (ssize_t)bytes && status == 0)
		return true;
	if (alarmed && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
		*alarmed = true;
		return true;
	}
	fprintf(stderr, "trace-cost: %s failed\n", word.c_str());
	return false;
}

/* A trace of some launches: 1 if it holds what it must, -1 if not. */
static int verify(const options &o, const char *name, char **argv)
{
	std::string trace = std::string(o.output) + "/" + name + ".proof.ctrace";
	std::string remove = "rm -rf '" + trace + "'";
	std::string command = std::string("'") + o.verify + "' verify --expect='" +
			      expectation_of(o, name) + "' '" + trace + "' >&2";
	unsigned launches;
	bool is_sound;

	setenv("CUDATRACE_OUTPUT", trace.c_str(), 1);
	is_sound =
	    system(remove.c_str()) == 0 &&
	    run_child(std::string("--proof-child=") + name, argv, &launches, sizeof(launches)) &&
	    system(command.c_str()) == 0;
	if (!o.keep && system(remove.c_str()) != 0)
		return -1;
	return is_sound ? 1 : -1;
}

static bool trace_shape(const options &o, const char *name, char **argv, row *r)
{
	std::string trace = std::string(o.output) + "/" + name + ".ctrace";
	std::string remove = "rm -rf '" + trace + "'";

	setenv("CUDATRACE_OUTPUT", trace.c_str(), 1);
	if (system(remove.c_str()) != 0 ||
	    !run_child(std::string("--child=") + name, argv, &r->m, sizeof(r->m)))
		return false;
	add_totals(r, trace);
	if (r->launches != r->m.traced_launches) {
		fprintf(stderr, "trace-cost: %s: %llu launches were traced instead of %u\n", name,
			(unsigned long long)r->launches, r->m.traced_launches);
		return false;
	}
	return o.keep || system(remove.c_str()) == 0;
}

/* Other tracers, without ours. */
static bool run_other(const std::string &word, char **argv, other_measured *m)
{
	bool is_well;

	setenv("CUDATRACE", "off", 1);
	is_well = run_child(word, argv, m, sizeof(*m), &m->hung);
	unsetenv("CUDATRACE");
	return is_well;
}

static bool run_sanitizer(const options &o, char **argv, row *r)
{
	std::string folder = o.sanitizer;
	bool is_well;

	setenv(SANITIZER_LIBRARY, (folder + "/libtrace-cost-sanitizer.so").c_str(), 1);
	setenv(SANITIZER_PATCH_VARIABLE, (folder + "/patch.fatbin").c_str(), 1);
	is_well = run_other(std::string("--sanitizer-child=") + r->name, argv, &r->sanitizer);
	unsetenv(SANITIZER_LIBRARY);
	r->sanitizer.native_ms = r->m.native.median;
	return is_well;
}

int run_all(const options &o, char **argv)
{
	FILE *json = o.json ? fopen(o.json, "we") : nullptr;
	row rows[SHAPES] = {};
	unsigned count = 0, failures = 0;

	if (o.json && !json) {
		fprintf(stderr, "trace-cost: %s: %s\n", o.json, strerror(errno));
		return 1;
	}
	mkdir(o.output, 0777);
	for (unsigned i = 0; i < SHAPES; i++) {
		row *r = &rows[count];

		r->name = traced_shapes[i].name;
		if (!is_wanted(o, r->name))
			continue;
		if (!o.only_verify && !trace_shape(o, r->name, argv, r)) {
			failures++;
			continue;
		}
		count++;
		r->verified = o.verify ? verify(o, r->name, argv) : 0;
		failures += r->verified < 0;
		failures += o.thesis &&
			    !run_other(std::string("--thesis-child=") + r->name, argv, &r->thesis);
		failures += o.sanitizer && !run_sanitizer(o, argv, r);
	}
	if (!o.only_verify)
		report(rows, count, o, json);
	if (json && fclose(json) != 0)
		failures++;
	return failures || !count;
}
