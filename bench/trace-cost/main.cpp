/* SPDX-License-Identifier: Apache-2.0 */
/* trace-cost: what tracing costs, shape by shape. */
#include "bench.h"
#include <cstring>
#include <string>
#include <unistd.h>

static const char help[] =
    "usage: trace-cost [OPTION...]\n"
    "  --list              the names of the shapes\n"
    "  --shapes=NAME,...   only these shapes\n"
    "  --log-elements=N    2^N elements (default 24; at least 10)\n"
    "  --repeats=N         pairs of measurements (default 7)\n"
    "  --burst=N           launches back to back (default: 4 ms of native ones, at most 2000)\n"
    "  --streams=N         streams that launches are spread over (default 1)\n"
    "  --sanitizer=DIR     also the tracer on the Sanitizer API, which sanitizer.sh built there\n"
    "  --output=DIR        where traces go (default trace-cost.traces)\n"
    "  --thesis=N          also the protocol of seed 001, at 2^N elements\n"
    "  --verify=CTPOST     compare traces of some launches with the formulas\n"
    "  --only-verify       measure nothing\n"
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
	if (name == "--only-verify")
		return o->only_verify = true;
	if (name == "--log-elements")
		return number(value, 10, 28, &o->log_elements);
	if (name == "--repeats")
		return number(value, 1, REPEATS_MAX, &o->repeats);
	if (name == "--burst")
		return number(value, 1, 100000, &o->burst);
	if (name == "--streams")
		return number(value, 1, 64, &o->streams);
	if (name == "--thesis")
		return number(value, 10, 24, &o->thesis);
	const char **text = name == "--shapes"            ? &o->shapes
			    : name == "--output"          ? &o->output
			    : name == "--json"            ? &o->json
			    : name == "--verify"          ? &o->verify
			    : name == "--proof-child"     ? &o->proof_child
			    : name == "--child"           ? &o->child
			    : name == "--sanitizer"       ? &o->sanitizer
			    : name == "--sanitizer-child" ? &o->sanitizer_child
			    : name == "--thesis-child"    ? &o->thesis_child
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

static int send(const void *result, size_t bytes)
{
	return write(RESULT_FD, result, bytes) == (ssize_t)bytes ? 0 : 1;
}

static int be_child(const options &o)
{
	data d = make_data(o.log_elements);
	measured m = {};

	measure(o, *find(traced_shapes, o.child), d, &m);
	free_data(&d);
	return send(&m, sizeof(m));
}

static int be_proof_child(const options &o)
{
	const shape *s = find(traced_shapes, o.proof_child);
	std::string path = expectation_of(o, o.proof_child);
	data d = make_data(o.log_elements);
	unsigned launches = trace_for_proof(o, *s, d);
	FILE *file = fopen(path.c_str(), "we");

	if (!file ||
	    fprintf(file, "{%s, \"launches\": %u}\n", expectation(*s, d).c_str(), launches) < 0 ||
	    fclose(file) != 0) {
		perror(path.c_str());
		return 1;
	}
	free_data(&d);
	return send(&launches, sizeof(launches));
}

static int be_thesis_child(const options &o)
{
	std::string path = std::string(o.output) + "/" + o.thesis_child + ".thesis";
	data d = make_data(o.thesis);
	other_measured m = {};

	/* The protocol may hang; then this process ends. */
	alarm(THESIS_SECONDS);
	measure_thesis(*find(traced_shapes, o.thesis_child), *find(thesis_shapes, o.thesis_child),
		       d, path.c_str(), &m);
	free_data(&d);
	unlink(path.c_str());
	return send(&m, sizeof(m));
}

static int be_sanitizer_child(const options &o)
{
	data d = make_data(o.log_elements);
	other_measured m = {};

	measure_sanitizer(*find(traced_shapes, o.sanitizer_child), d, &m);
	free_data(&d);
	return send(&m, sizeof(m));
}

int main(int argc, char **argv)
{
	options o;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			fputs(help, stdout);
			return 0;
		}
		if (!strcmp(argv[i], "--list")) {
			for (unsigned j = 0; j < SHAPES; j++)
				puts(traced_shapes[j].name);
			return 0;
		}
		if (!take(&o, argv[i])) {
			fprintf(stderr,
				"trace-cost: '%s' is not an option, or not a value of it; see "
				"--help\n",
				argv[i]);
			return 2;
		}
	}
	if (o.proof_child)
		return be_proof_child(o);
	if (o.thesis_child)
		return be_thesis_child(o);
	if (o.sanitizer_child)
		return be_sanitizer_child(o);
	return o.child ? be_child(o) : run_all(o, argv);
}
