/* SPDX-License-Identifier: Apache-2.0 */
/* Problems in SARIF 2.1.0 (OASIS), a result for each problem and id. */
#include "postproc/formats/diagnostics/diagnostics.h"

#include "base/json.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/findings/pages.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA                                                                                     \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"
#define ROOT "%SRCROOT%"
#define DIGITS 6
#define RELATED_MAX 32u

/* Collects which rules have a result, and at which place each stands. */
struct rules {
	bool is_used[CT_IDS];
	unsigned index[CT_IDS];
};

static void put_message(struct ct_json *json, const char *key, const char *text)
{
	ct_json_open_object(json, key, CT_JSON_INLINE);
	ct_json_put_text(json, "text", text);
	ct_json_close(json);
}

/* A path in a URI: what is no plain character is escaped. To be freed. */
static char *uri_of(const char *path, bool is_file)
{
	char *uri = malloc(3 * strlen(path) + sizeof("file://")), *to = uri;

	if (!uri)
		return NULL;
	to += is_file ? sprintf(to, "file://") : 0;
	for (; *path; path++)
		if (isalnum((unsigned char)*path) || strchr("/-._~+", *path))
			*to++ = *path;
		else
			to += sprintf(to, "%%%02X", (unsigned)(unsigned char)*path);
	*to = '\0';
	return uri;
}

static void put_uri(struct ct_json *json, const char *key, const char *path, bool is_file)
{
	char *uri = uri_of(path, is_file);

	if (!uri)
		ct_json_fail(json, -ENOMEM);
	ct_json_put_text(json, key, uri ? uri : "");
	free(uri);
}

/* text: of the line, "" not known */
static void put_physical(struct ct_json *json, const struct ct_shown_place *place, const char *text)
{
	ct_json_open_object(json, "physicalLocation", CT_JSON_INLINE);
	ct_json_open_object(json, "artifactLocation", CT_JSON_INLINE);
	put_uri(json, "uri", place->path, !place->is_relative);
	if (place->is_relative)
		ct_json_put_text(json, "uriBaseId", ROOT);
	ct_json_close(json);
	if (place->line) {
		ct_json_open_object(json, "region", CT_JSON_INLINE);
		ct_json_put_number(json, "startLine", place->line);
		if (place->column)
			ct_json_put_number(json, "startColumn", place->column);
		if (*text)
			put_message(json, "snippet", text);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_location(struct ct_json *json, const struct ct_shown_place *place,
			 const struct ct_identity *identity)
{
	const struct ct_finding *finding = identity->finding;
	char brief[CT_BRIEF_NAME_BYTES];
	bool is_kernel = finding->kernels > 0;

	ct_json_open_array(json, "locations", CT_JSON_INLINE);
	if (!*place->path && !*identity->function) {
		ct_json_close(json);
		return;
	}
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	if (*place->path)
		put_physical(json, place, identity->text);
	if (*identity->function) {
		ct_json_open_array(json, "logicalLocations", CT_JSON_INLINE);
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "name", identity->function);
		if (is_kernel)
			ct_json_put_text(json, "fullyQualifiedName",
					 ct_source_name_brief(finding->kernel[0], brief));
		ct_json_put_text(json, "kind", "function");
		ct_json_close(json);
		ct_json_close(json);
	}
	ct_json_close(json);
	ct_json_close(json);
}

static void put_related(struct ct_json *json, const struct ct_problem_export *problems,
			const struct ct_finding *finding)
{
	struct ct_shown_place place;
	char words[512];
	unsigned reported = 0;

	for (size_t i = 0;
	     reported < RELATED_MAX && ct_shown_place_other(&place, problems, finding, i, words);
	     i++) {
		if (!*place.path)
			continue;
		if (!reported++)
			ct_json_open_array(json, "relatedLocations", CT_JSON_INLINE);
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, "id", reported);
		put_physical(json, &place, "");
		put_message(json, "message", words);
		ct_json_close(json);
	}
	if (reported)
		ct_json_close(json);
}

static void put_real(struct ct_json *json, const char *key, double number)
{
	if (isfinite(number))
		ct_json_put_real(json, key, number, DIGITS);
}

static void put_properties(struct ct_json *json, const struct ct_identity *identity, size_t number)
{
	const struct ct_finding *finding = identity->finding;

	ct_json_open_object(json, "properties", CT_JSON_INLINE);
	put_real(json, "worthSeconds", identity->seconds);
	put_real(json, "boundSeconds", identity->bound);
	put_real(json, "runShare", identity->share);
	if (isfinite(identity->seconds))
		ct_json_put_bool(json, "isEstimate", identity->is_estimate);
	if (*identity->objects)
		ct_json_put_text(json, "objects", identity->objects);
	ct_json_put_text(json, "analysis", finding->analysis);
	if (number)
		ct_json_put_number(json, "problemNumber", number);
	if (finding->evidence)
		ct_json_put_text(json, "evidence", finding->evidence);
	ct_json_close(json);
}

static const char *level_of(const struct ct_identity *identity)
{
	return identity->is_wrong                   ? "error"
	       : identity->share < CT_PROBLEM_SMALL ? "note"
						    : "warning";
}

/* number: of the list; 0: it is suppressed */
static void put_result(struct ct_json *json, const struct ct_problem_export *problems,
		       const struct rules *rules, const struct ct_identity *identity, size_t number)
{
	char fingerprint[CT_FINGERPRINT_BYTES], *text = NULL;
	struct ct_shown_place place;

	if (asprintf(&text, "%s %s", identity->finding->text, identity->finding->fix) < 0)
		text = NULL;
	ct_shown_place_of(&place, problems, identity);
	ct_json_put_text(json, "ruleId", ct_finding_id_text(identity->id));
	ct_json_put_number(json, "ruleIndex", rules->index[identity->id]);
	ct_json_put_text(json, "kind", "fail");
	ct_json_put_text(json, "level", level_of(identity));
	put_message(json, "message", text ? text : "");
	put_location(json, &place, identity);
	put_related(json, problems, identity->finding);
	ct_json_open_object(json, "partialFingerprints", CT_JSON_INLINE);
	ct_json_put_text(json, "cudatraceIdentity/v1",
			 ct_identity_fingerprint(identity, fingerprint));
	ct_json_close(json);
	put_properties(json, identity, number);
	free(text);
}

static const char *state_text(bool is_new)
{
	return is_new ? "new" : "unchanged";
}

static bool is_reported(const struct ct_problem_export *problems,
			const struct ct_identity *identity)
{
	return problems->has_small || !(identity->share < CT_PROBLEM_SMALL);
}

static void put_results(struct ct_json *json, const struct ct_problem_export *problems,
			const struct rules *rules)
{
	const struct ct_verdict *verdict = problems->verdict;

	ct_json_open_array(json, "results", CT_JSON_LINES);
	for (size_t i = 0; i < verdict->identities.count; i++) {
		const struct ct_identity *identity = &verdict->identities.list[i];

		if (!is_reported(problems, identity))
			continue;
		ct_json_open_object(json, NULL, CT_JSON_LINES);
		put_result(json, problems, rules, identity, identity->problem + 1);
		if (verdict->has_baseline)
			ct_json_put_text(json, "baselineState",
					 state_text(ct_verdict_is_new(verdict, i)));
		ct_json_close(json);
	}
	for (size_t i = 0; i < verdict->expected.count; i++) {
		const struct ct_suppressed *suppressed = &verdict->suppressed[i];

		ct_json_open_object(json, NULL, CT_JSON_LINES);
		put_result(json, problems, rules, &verdict->expected.list[i], 0);
		if (verdict->has_baseline)
			ct_json_put_text(
			    json, "baselineState",
			    state_text(verdict->expected_match.before[i] == CT_UNMATCHED));
		ct_json_open_array(json, "suppressions", CT_JSON_INLINE);
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "kind", suppressed->by ? "external" : "inSource");
		if (*suppressed->reason)
			ct_json_put_text(json, "justification", suppressed->reason);
		ct_json_close(json);
		ct_json_close(json);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void use(struct rules *rules, const struct ct_problem_export *problems)
{
	const struct ct_verdict *verdict = problems->verdict;
	unsigned count = 0;

	*rules = (struct rules){.is_used = {false}};
	for (size_t i = 0; i < verdict->identities.count; i++)
		rules->is_used[verdict->identities.list[i].id] |=
		    is_reported(problems, &verdict->identities.list[i]);
	for (size_t i = 0; i < verdict->expected.count; i++)
		rules->is_used[verdict->expected.list[i].id] = true;
	for (enum ct_finding_id id = 0; id < CT_IDS; id++)
		rules->index[id] = rules->is_used[id] ? count++ : 0;
}

static void put_rule(struct ct_json *json, enum ct_finding_id id)
{
	char *first = ct_page_first(id), *page = ct_page(id), uri[1024];

	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_text(json, "id", ct_finding_id_text(id));
	put_message(json, "shortDescription", ct_finding_id_title(id));
	put_message(json, "fullDescription", first ? first : "");
	ct_json_open_object(json, "help", CT_JSON_INLINE);
	ct_json_put_text(json, "text", page ? page : "");
	ct_json_put_text(json, "markdown", page ? page : "");
	ct_json_close(json);
	ct_json_put_text(json, "helpUri", ct_page_uri(id, uri, sizeof(uri)));
	ct_json_open_object(json, "defaultConfiguration", CT_JSON_INLINE);
	ct_json_put_text(json, "level", "warning");
	ct_json_close(json);
	ct_json_open_object(json, "properties", CT_JSON_INLINE);
	ct_json_open_array(json, "tags", CT_JSON_INLINE);
	ct_json_put_text(json, NULL, "performance");
	ct_json_put_text(json, NULL, "cuda");
	ct_json_close(json);
	ct_json_close(json);
	ct_json_close(json);
	if (!first || !page)
		ct_json_fail(json, -ENOMEM);
	free(first);
	free(page);
}

static void put_tool(struct ct_json *json, const struct ct_problem_export *problems,
		     const struct rules *rules)
{
	ct_json_open_object(json, "tool", CT_JSON_LINES);
	ct_json_open_object(json, "driver", CT_JSON_LINES);
	ct_json_put_text(json, "name", "ctpost");
	ct_json_put_text(json, "fullName", "ctpost findings of cuda-trace");
	ct_json_put_text(json, "version", problems->version);
	ct_json_open_array(json, "rules", CT_JSON_LINES);
	for (enum ct_finding_id id = 0; id < CT_IDS; id++)
		if (rules->is_used[id])
			put_rule(json, id);
	ct_json_close(json);
	ct_json_close(json);
	ct_json_close(json);
}

/* Writes what limits the figures. */
static void put_invocation(struct ct_json *json, const struct ct_problem_export *problems)
{
	ct_json_open_array(json, "invocations", CT_JSON_LINES);
	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_bool(json, "executionSuccessful", true);
	ct_json_open_array(json, "toolExecutionNotifications", CT_JSON_LINES);
	for (size_t i = 0; i < problems->findings->count; i++) {
		const struct ct_finding *finding = &problems->findings->list[i];

		if (finding->kind != CT_FINDING_LIMIT)
			continue;
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "level", "note");
		put_message(json, "message", finding->text);
		ct_json_close(json);
	}
	ct_json_close(json);
	ct_json_close(json);
	ct_json_close(json);
}

static void put_root(struct ct_json *json, const char *root)
{
	char *path = NULL;

	if (asprintf(&path, "%s%s", root, strcmp(root, "/") != 0 ? "/" : "") < 0) {
		ct_json_fail(json, -ENOMEM);
		return;
	}
	ct_json_open_object(json, "originalUriBaseIds", CT_JSON_INLINE);
	ct_json_open_object(json, ROOT, CT_JSON_INLINE);
	put_uri(json, "uri", path, true);
	ct_json_close(json);
	ct_json_close(json);
	free(path);
}

int ct_problems_write_sarif(FILE *out, const struct ct_problem_export *problems)
{
	struct ct_json json;
	struct rules rules;

	use(&rules, problems);
	ct_json_init(&json, out, 1, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "$schema", SCHEMA);
	ct_json_put_text(&json, "version", "2.1.0");
	ct_json_open_array(&json, "runs", CT_JSON_LINES);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	put_tool(&json, problems, &rules);
	put_root(&json, problems->root);
	put_invocation(&json, problems);
	put_results(&json, problems, &rules);
	ct_json_open_object(&json, "properties", CT_JSON_INLINE);
	put_real(&json, "runSeconds", problems->verdict->problems.run_seconds);
	ct_json_close(&json);
	ct_json_close(&json);
	ct_json_close(&json);
	ct_json_close(&json);
	fputc('\n', out);
	return ct_json_error(&json);
}
