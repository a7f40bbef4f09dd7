/* SPDX-License-Identifier: Apache-2.0 */
/* The table and the JSON of trace-cost. */
#include "bench.h"
#include <cmath>

static double slowdown(const row &r)
{
	return r.m.traced.median / r.m.native.median;
}

static double steady_slowdown(const row &r)
{
	return r.m.traced_steady.median / r.m.native_steady.median;
}

static double per_access(const row &r, uint64_t bytes)
{
	return (double)bytes / ((double)r.m.accesses * r.m.traced_launches);
}

/* 1e9/s at the time of a launch in ms. */
static double giga(double amount, double ms)
{
	return amount / ms / 1e6;
}

static void text_row(const row &r)
{
	const measured &m = r.m;
	double ring_bytes = (double)r.record_bytes / m.traced_launches;

	printf(
	    "%-10s %10.4f %10.4f %7.2f | %10.4f %10.4f %7.2f | %8.2f %6.3f %6.3f %6.2f %5llu %5s | "
	    "%3d %3d | %3d %3d | %9.1f\n",
	    r.name, m.native.median, m.traced.median, slowdown(r), m.native_steady.median,
	    m.traced_steady.median, steady_slowdown(r), giga((double)m.accesses, m.traced.median),
	    per_access(r, r.record_bytes), per_access(r, r.trace_bytes),
	    giga(ring_bytes, m.traced_steady.median), (unsigned long long)r.lost_chunks,
	    r.verified > 0 ? "yes"
	    : r.verified   ? "NO"
			   : "-",
	    m.pristine.registers, m.pristine.warps_per_sm, m.clone.registers, m.clone.warps_per_sm,
	    r.drain_ms);
}

static void other_row(const row &r, const other_measured &t)
{
	if (t.hung) {
		printf("%-10s did not end within %d s\n", r.name, THESIS_SECONDS);
		return;
	}
	printf("%-10s %10.4f %10.2f %10.0fx %10.2f %11llu %9lld\n", r.name, t.native_ms,
	       t.traced_ms, t.traced_ms / t.native_ms, (double)t.accesses / t.traced_ms / 1e3,
	       (unsigned long long)t.accesses, (long long)(t.accesses - t.records));
}

static void other_table(const char *what, unsigned log_elements, const row *rows, unsigned count,
			other_measured row::*other)
{
	printf("\n%s, 2^%u elements:\n%-10s %10s %10s %11s %10s %11s %9s\n", what, log_elements,
	       "shape", "native ms", "traced ms", "x", "M acc/s", "accesses", "missing");
	for (unsigned i = 0; i < count; i++)
		if ((rows[i].*other).accesses || (rows[i].*other).hung)
			other_row(rows[i], rows[i].*other);
}

/* Over the first shapes, if all of them were measured. */
static double mean_of_headline(const row *rows, unsigned count, double (*of)(const row &))
{
	double logs = 0;

	if (count < HEADLINE_SHAPES)
		return 0;
	for (unsigned i = 0; i < HEADLINE_SHAPES; i++) {
		if (rows[i].name != traced_shapes[i].name)
			return 0;
		logs += log(of(rows[i]));
	}
	return exp(logs / HEADLINE_SHAPES);
}

static void json_times(FILE *json, const char *name, const times &t)
{
	fprintf(json, "\"%s\": {\"median_ms\": %.6f, \"least_ms\": %.6f}, ", name, t.median,
		t.least);
}

static void json_use(FILE *json, const char *name, const kernel_use &use)
{
	fprintf(json, "\"%s\": {\"registers\": %d, \"blocks_per_sm\": %d, \"warps_per_sm\": %d}, ",
		name, use.registers, use.blocks_per_sm, use.warps_per_sm);
}

static void json_other(FILE *json, const char *name, const other_measured &m)
{
	if (m.hung)
		fprintf(json, ", \"%s\": {\"hung\": true}", name);
	else if (m.accesses)
		fprintf(json,
			", \"%s\": {\"native_ms\": %.6f, \"traced_ms\": %.6f, \"accesses\": %llu, "
			"\"records\": %llu}",
			name, m.native_ms, m.traced_ms, (unsigned long long)m.accesses,
			(unsigned long long)m.records);
}

static void json_row(FILE *json, const row &r)
{
	const measured &m = r.m;

	fprintf(json, "{\"shape\": \"%s\", ", r.name);
	json_times(json, "native", m.native);
	json_times(json, "traced", m.traced);
	json_times(json, "native_steady", m.native_steady);
	json_times(json, "traced_steady", m.traced_steady);
	json_use(json, "pristine", m.pristine);
	json_use(json, "clone", m.clone);
	fprintf(json,
		"\"slowdown\": %.4f, \"steady_slowdown\": %.4f, \"burst\": %u, "
		"\"traced_launches\": %u, "
		"\"accesses\": %llu, \"record_bytes\": %llu, \"trace_bytes\": %llu, "
		"\"bytes_per_access\": %.5f, \"disk_bytes_per_access\": %.5f, "
		"\"lost_chunks\": %llu, \"ring_waits\": %llu, \"drain_ms\": %.3f, "
		"\"accesses_per_s\": %.4e, \"ring_bytes_per_s\": %.4e, \"verified\": %s",
		slowdown(r), steady_slowdown(r), m.burst, m.traced_launches,
		(unsigned long long)m.accesses, (unsigned long long)r.record_bytes,
		(unsigned long long)r.trace_bytes, per_access(r, r.record_bytes),
		per_access(r, r.trace_bytes), (unsigned long long)r.lost_chunks,
		(unsigned long long)r.ring_waits, r.drain_ms,
		(double)m.accesses / m.traced.median * 1e3,
		(double)r.record_bytes / m.traced_launches / m.traced_steady.median * 1e3,
		r.verified > 0 ? "true"
		: r.verified   ? "false"
			       : "null");
	json_other(json, "thesis", r.thesis);
	json_other(json, "sanitizer", r.sanitizer);
	fputs("}", json);
}

static void write_json(FILE *json, const row *rows, unsigned count, const options &o)
{
	fprintf(
	    json,
	    "{\"schema\": \"cudatrace-bench-trace-cost-1\", \"log_elements\": %u, \"repeats\": %u, "
	    "\"streams\": %u, \"geometric_mean\": %.4f, \"geometric_mean_steady\": %.4f,\n "
	    "\"shapes\": [",
	    o.log_elements, o.repeats, o.streams, mean_of_headline(rows, count, slowdown),
	    mean_of_headline(rows, count, steady_slowdown));
	for (unsigned i = 0; i < count; i++) {
		fputs(i ? ",\n  " : "\n  ", json);
		json_row(json, rows[i]);
	}
	fputs("\n]}\n", json);
}

void report(const row *rows, unsigned count, const options &o, FILE *json)
{
	double mean = mean_of_headline(rows, count, slowdown);

	printf("%-10s %29s | %29s | %41s | %7s | %7s | %9s\n", "", "one launch, ms",
	       "back to back, ms", "", "native", "clone", "until");
	printf("%-10s %10s %10s %7s | %10s %10s %7s | %8s %6s %6s %6s %5s %5s | %3s %3s | %3s %3s "
	       "| %9s\n",
	       "shape", "native", "traced", "x", "native", "traced", "x", "G acc/s", "B PCIe",
	       "B disk", "GB/s", "lost", "sound", "reg", "wp", "reg", "wp", "written");
	for (unsigned i = 0; i < count; i++)
		text_row(rows[i]);
	if (mean > 0)
		printf("geometric mean of the first six: %.2fx one launch, %.2fx back to back\n",
		       mean, mean_of_headline(rows, count, steady_slowdown));
	if (o.thesis)
		other_table("The protocol of seed 001", o.thesis, rows, count, &row::thesis);
	if (o.sanitizer)
		other_table("A tracer on the Sanitizer API", o.log_elements, rows, count,
			    &row::sanitizer);
	if (json)
		write_json(json, rows, count, o);
}
