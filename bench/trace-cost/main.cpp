/* SPDX-License-Identifier: Apache-2.0 */
/* trace-cost: what tracing costs, shape by shape. */
#include "bench.h"
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#define RESULT_FD 3

static const char help[] =
    "usage: trace-cost [OPTION...]\n"
    "  --shapes=NAME,...   only these shapes\n"
    "  --log-elements=N    2^N elements (default 24; at least 10)\n"
    "  --repeats=N         pairs of measurements (default 7)\n"
    "  --burst=N           launches back to back (default: 4 ms of native ones, at most 2000)\n"
    "  --streams=N         streams that launches are spread over (default 1)\n"
    "  --output=DIR        where traces go (default trace-cost.traces)\n"
    "  --verify=CTPOST     check every trace with this ctpost\n"
    "  --keep              keep the traces\n"
    "  --json=FILE         also write the results as JSON\n";

static bool number(const char *text, unsigned least, unsigned most, unsigned *value)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	*value = (unsigned)n;
	return *text && !*end && n >= least && n <= most;
}

static bool take(options *o, const char *word)
{
	const char *value = strchr(word, '=');
	std::string name(word, value ? (size_t)(value - word) : strlen(word));

	value = value ? value + 1 : "";
	if (name == "--keep")
		return o->keep = true;
	if (name == "--log-elements")
		return number(value, 10, 28, &o->log_elements);
	if (name == "--repeats")
		return number(value, 1, REPEATS_MAX, &o->repeats);
	if (name == "--burst")
		return number(value, 1, 100000, &o->burst);
	if (name == "--streams")
		return number(value, 1, 64, &o->streams);
	const char **text = name == "--shapes"   ? &o->shapes
			    : name == "--output" ? &o->output
			    : name == "--json"   ? &o->json
			    : name == "--verify" ? &o->verify
			    : name == "--child"  ? &o->child
						 : nullptr;
	if (text)
		*text = value;
	return text && *value;
}

static const shape *find(const shape *shapes, const char *name)
{
	for (unsigned i = 0; i < SHAPES; i++)
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	return nullptr;
}

static bool is_wanted(const options &o, const char *name)
{
	return !o.shapes ||
	       ("," + std::string(o.shapes) + ",").find("," + std::string(name) + ",") !=
		   std::string::npos;
}

static std::string expectation_of(const options &o, const char *name)
{
	return std::string(o.output) + "/" + name + ".expect";
}

static int be_child(const options &o)
{
	const shape *s = find(traced_shapes, o.child);
	data d = make_data(o.log_elements);
	measured m = {};

	measure(o, *s, d, &m);
	if (o.verify)
		write_expectation(*s, d, m.traced_launches, expectation_of(o, o.child).c_str());
	free_data(&d);
	return write(RESULT_FD, &m, sizeof(m)) == sizeof(m) ? 0 : 1;
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

/* What the manifest of the child's trace tells. */
static void add_totals(row *r, const std::string &trace)
{
	std::string manifest = read_text(trace + "/manifest.json");
	uint64_t end_ns = field(manifest, "end_ns");

	r->record_bytes = field(manifest, "record_bytes");
	r->trace_bytes = field(manifest, "trace_bytes");
	r->lost_chunks = field(manifest, "lost_chunks");
	r->launches = field(manifest, "traced_launches");
	r->drain_ms = end_ns > r->m.last_burst_ns ? (double)(end_ns - r->m.last_burst_ns) / 1e6 : 0;
}

static void start_child(const char *name, const std::string &trace, char **argv)
{
	std::vector<char *> words;
	std::string child = std::string("--child=") + name;

	setenv("CUDATRACE_OUTPUT", trace.c_str(), 1);
	for (char **word = argv; *word; word++)
		words.push_back(*word);
	words.push_back(const_cast<char *>(child.c_str()));
	words.push_back(nullptr);
	execv("/proc/self/exe", words.data());
	fprintf(stderr, "trace-cost: cannot run itself: %s\n", strerror(errno));
	_exit(1);
}

/* 1 if the trace holds what it must, -1 if not. */
static int verify(const options &o, const char *name, const std::string &trace)
{
	std::string command = std::string("'") + o.verify + "' verify --expect='" +
			      expectation_of(o, name) + "' '" + trace + "' >&2";

	return system(command.c_str()) == 0 ? 1 : -1;
}

/* 0, or the child's failure. */
static int run_shape(const options &o, const char *name, char **argv, row *r)
{
	std::string trace = std::string(o.output) + "/" + name + ".ctrace";
	std::string remove = "rm -rf '" + trace + "'";
	int ends[2], status = 0;
	ssize_t got;
	pid_t pid;

	if (system(remove.c_str()) != 0 || pipe(ends) < 0 || (pid = fork()) < 0)
		return 1;
	if (pid == 0) {
		dup2(ends[1], RESULT_FD);
		start_child(name, trace, argv);
	}
	close(ends[1]);
	got = read(ends[0], &r->m, sizeof(r->m));
	close(ends[0]);
	waitpid(pid, &status, 0);
	if (got != sizeof(r->m) || status) {
		fprintf(stderr, "trace-cost: %s failed\n", name);
		return 1;
	}
	r->name = name;
	add_totals(r, trace);
	if (r->launches != r->m.traced_launches) {
		fprintf(stderr, "trace-cost: %s: %llu launches were traced instead of %u\n", name,
			(unsigned long long)r->launches, r->m.traced_launches);
		return 1;
	}
	r->verified = o.verify ? verify(o, name, trace) : 0;
	return o.keep ? 0 : system(remove.c_str());
}

static int run_all(const options &o, char **argv)
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
		if (!is_wanted(o, traced_shapes[i].name))
			continue;
		if (run_shape(o, traced_shapes[i].name, argv, &rows[count]) == 0)
			failures += rows[count++].verified < 0;
		else
			failures++;
	}
	report(rows, count, o, json);
	if (json && fclose(json) != 0)
		failures++;
	return failures || !count;
}

int main(int argc, char **argv)
{
	options o;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			fputs(help, stdout);
			return 0;
		}
		if (!take(&o, argv[i])) {
			fprintf(
			    stderr,
			    "trace-cost: '%s' is not an option, or not a value of it; see --help\n",
			    argv[i]);
			return 2;
		}
	}
	return o.child ? be_child(o) : run_all(o, argv);
}
