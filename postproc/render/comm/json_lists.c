/* SPDX-License-Identifier: Apache-2.0 */
/* What ctpost comm --json has if it is asked for: transfers, volumes of CTAs and SMs, histories. */
#include "postproc/render/base/words.h"
#include "postproc/render/comm/json.h"
#include "postproc/render/comm/words.h"

struct list {
	struct ct_json *json;
	const struct ct_comm_output *output;
};

/* The superstep and, of a launch, what it is. prefix: of the names of fields. */
static void set_superstep(json_t *value, const struct ct_comm_output *output, const char *prefix,
			  uint32_t superstep)
{
	const struct ct_superstep *step = &output->figures->superstep[superstep];
	char key[64];

	snprintf(key, sizeof(key), "%ssuperstep", prefix);
	json_object_set_new(value, key, json_integer(superstep));
	snprintf(key, sizeof(key), "%slaunch", prefix);
	json_object_set_new(value, key,
			    step->launch ? json_integer(step->launch->event->launch) : json_null());
	snprintf(key, sizeof(key), "%skernel", prefix);
	json_object_set_new(value, key,
			    step->launch ? ct_json_text(step->launch->kernel) : json_null());
}

static int add_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	const struct list *list = user;
	json_t *value = json_object();

	set_superstep(value, list->output, "source_", transfer->source_superstep);
	json_object_set_new(value, "source_cta", json_integer(transfer->source_cta));
	set_superstep(value, list->output, "target_", transfer->target_superstep);
	json_object_set_new(value, "target_cta", json_integer(transfer->target_cta));
	json_object_set_new(value, "bytes", ct_json_number(transfer->bytes));
	json_object_set_new(value, "loads", ct_json_number(transfer->loads));
	ct_json_field(list->json, NULL, value);
	return list->json->err;
}

static void set_volumes(json_t *value, uint64_t loads, uint64_t stores, uint64_t communicated_loads,
			uint64_t communicated_stores)
{
	json_object_set_new(value, "load_bytes", ct_json_number(loads));
	json_object_set_new(value, "store_bytes", ct_json_number(stores));
	json_object_set_new(value, "communicated_load_bytes", ct_json_number(communicated_loads));
	json_object_set_new(value, "communicated_store_bytes", ct_json_number(communicated_stores));
}

static int add_cta(void *user, const struct ct_comm_cta *cta)
{
	const struct list *list = user;
	json_t *value = json_object();

	set_superstep(value, list->output, "", cta->superstep);
	json_object_set_new(value, "cta", json_integer(cta->cta));
	json_object_set_new(value, "sm", json_integer(cta->sm));
	set_volumes(value, cta->load_bytes, cta->store_bytes, cta->communicated_load_bytes,
		    cta->communicated_store_bytes);
	ct_json_field(list->json, NULL, value);
	return list->json->err;
}

static void write_sms(struct ct_json *json, const struct ct_comm_output *output)
{
	ct_json_open_array(json, "sm_volumes", CT_JSON_LINES);
	for (size_t i = 0; i < output->sms; i++) {
		const struct ct_comm_sm *sm = &output->sm[i];
		json_t *value = json_object();

		set_superstep(value, output, "", sm->superstep);
		json_object_set_new(value, "sm", json_integer(sm->sm));
		set_volumes(value, sm->load_bytes, sm->store_bytes, sm->communicated_load_bytes,
			    sm->communicated_store_bytes);
		ct_json_field(json, NULL, value);
	}
	ct_json_close(json);
}

static json_t *origin(const struct ct_comm_output *output, const struct ct_history_entry *operation)
{
	static const char *const text[] = {"none", "cta", "host", "own", "unordered", "mixed"};
	json_t *value = json_object();

	json_object_set_new(value, "kind", json_string(text[operation->origin]));
	if (operation->source_superstep == CT_NO_SUPERSTEP)
		return value;
	set_superstep(value, output, "", operation->source_superstep);
	if (output->figures->superstep[operation->source_superstep].launch) {
		json_object_set_new(value, "cta", json_integer(operation->source_cta));
		json_object_set_new(value, "ctas", json_integer(operation->sources));
	}
	return value;
}

static int add_operation(void *user, const struct ct_history_entry *operation)
{
	const struct list *list = user;
	json_t *value = json_object();

	set_superstep(value, list->output, "", operation->superstep);
	if (operation->unit) {
		struct ct_place place =
		    ct_place_of(operation->unit, &operation->unit->sites[operation->site]);

		json_object_set_new(value, "cta", ct_json_number(operation->cta));
		json_object_set_new(value, "warp", json_integer(operation->warp));
		json_object_set_new(value, "lane", json_integer(operation->lane));
		json_object_set_new(value, "sm", json_integer(operation->sm));
		json_object_set_new(value, "file", ct_json_text(place.file));
		json_object_set_new(value, "line", json_integer(place.line));
		json_object_set_new(value, "column", json_integer(place.column));
	}
	json_object_set_new(value, "address", ct_json_address(operation->address));
	json_object_set_new(value, "bytes", ct_json_number(operation->bytes));
	json_object_set_new(value, "reads", json_boolean(operation->reads));
	json_object_set_new(value, "writes", json_boolean(operation->writes));
	if (operation->reads)
		json_object_set_new(value, "from", origin(list->output, operation));
	ct_json_field(list->json, NULL, value);
	return list->json->err;
}

void ct_comm_json_lists(struct ct_json *json, const struct ct_comm_output *output)
{
	struct list list = {.json = json, .output = output};
	int err = 0;

	if (output->by == CT_BY_SM)
		write_sms(json, output);
	if (output->each_cta) {
		ct_json_open_array(json, "cta_volumes", CT_JSON_LINES);
		err = output->each_cta(output->user, add_cta, &list);
		ct_json_close(json);
	}
	if (err == 0 && output->each_transfer) {
		ct_json_open_array(json, "transfers", CT_JSON_LINES);
		err = output->each_transfer(output->user, add_transfer, &list);
		ct_json_close(json);
	}
	if (err == 0 && output->each_operation) {
		ct_json_open_array(json, "history", CT_JSON_LINES);
		err = output->each_operation(output->user, add_operation, &list);
		ct_json_close(json);
	}
	if (err < 0 && !json->err)
		json->err = err;
}
