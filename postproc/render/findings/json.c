/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as commands have them that do not write tables yet: rows of ct_findings_table. */
#include "postproc/render/findings/findings.h"
#include "postproc/tables/findings.h"
#include "postproc/tables/sink.h"
#include <stdlib.h>

static int write_rows(struct ct_table_sink *sink, const struct ct_findings *findings)
{
	int err = ct_table_sink_begin(sink);

	if (err == 0)
		err = ct_table_write_rows(sink, &ct_findings_table, findings);
	if (err == 0)
		err = ct_table_sink_end(sink);
	return ct_table_sink_close(sink, err);
}

json_t *ct_findings_json(const struct ct_findings *findings, const struct ct_trace *trace)
{
	char *text = NULL;
	size_t bytes;
	struct ct_table_sink sink = {.format = &ct_format_json,
				     .out = open_memstream(&text, &bytes)};
	json_t *all, *array = NULL;
	int err;

	if (!sink.out)
		return NULL;
	if (trace)
		ct_trace_units(trace, &sink.unit);
	err = write_rows(&sink, findings);
	if (fclose(sink.out) == 0 && err == 0) {
		all = json_loads(text, 0, NULL);
		array = json_incref(json_object_get(all, ct_findings_table.name));
		json_decref(all);
	}
	free(text);
	return array;
}
