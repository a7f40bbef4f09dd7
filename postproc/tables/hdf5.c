/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An HDF5 file: a group per table, in it a dataset per column, chunked,
 * shuffled and deflated. Texts are numbers of the dataset /strings, so that
 * columns of texts compress as well and are read without a heap.
 */
#include "postproc/tables/output.h"
#include "postproc/tables/sink.h"
#include "postproc/tables/strings.h"
#include <errno.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_ROWS 16384u /* of a chunk, too */
#define DEFLATE_LEVEL 4

struct hdf5 {
	hid_t file, group;
	hid_t text; /* type: UTF-8 of any length */
	struct ct_strings *strings;
	hid_t dataset[CT_TABLE_COLUMNS_MAX];
	void *batch[CT_TABLE_COLUMNS_MAX];
	uint32_t filled;   /* rows in the batch */
	uint64_t appended; /* rows in the datasets */
};

/* The innermost error of a failing call: what the system said, if it did. */
static herr_t keep_first(unsigned n, const H5E_error2_t *error, void *user)
{
	static const char system[] = "error message = '";
	struct ct_table_sink *sink = user;
	const char *text = error->desc ? error->desc : "unknown error";
	const char *said = strstr(text, system);

	if (n == 0 && said)
		snprintf(sink->why, sizeof(sink->why), "%.*s",
			 (int)strcspn(said + strlen(system), "'"), said + strlen(system));
	else if (n == 0)
		snprintf(sink->why, sizeof(sink->why), "HDF5: %s", text);
	return 0;
}

/* Called by the library as soon as a call fails. The first failure counts. */
static herr_t on_error(hid_t stack, void *user)
{
	struct ct_table_sink *sink = user;

	if (!sink->why[0])
		H5Ewalk2(stack, H5E_WALK_UPWARD, keep_first, sink);
	return 0;
}

static int set_text(const struct hdf5 *hdf5, hid_t object, const char *name, const char *value)
{
	hid_t space = H5Screate(H5S_SCALAR);
	hid_t attribute = H5Acreate2(object, name, hdf5->text, space, H5P_DEFAULT, H5P_DEFAULT);
	herr_t status = attribute < 0 ? -1 : H5Awrite(attribute, hdf5->text, &value);

	if (attribute >= 0)
		H5Aclose(attribute);
	H5Sclose(space);
	return status < 0 ? -1 : 0;
}

static int set_number(hid_t object, const char *name, uint64_t value)
{
	hid_t space = H5Screate(H5S_SCALAR);
	hid_t attribute = H5Acreate2(object, name, H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT);
	herr_t status = attribute < 0 ? -1 : H5Awrite(attribute, H5T_NATIVE_UINT64, &value);

	if (attribute >= 0)
		H5Aclose(attribute);
	H5Sclose(space);
	return status < 0 ? -1 : 0;
}

static int begin(struct ct_table_sink *sink)
{
	struct hdf5 *hdf5 = calloc(1, sizeof(*hdf5));

	if (!hdf5)
		return -ENOMEM;
	hdf5->file = hdf5->group = hdf5->text = H5I_INVALID_HID;
	for (size_t i = 0; i < CT_TABLE_COLUMNS_MAX; i++)
		hdf5->dataset[i] = H5I_INVALID_HID;
	sink->state = hdf5;
	if (ct_strings_open(&hdf5->strings) < 0)
		return -ENOMEM;
	H5dont_atexit(); /* before all else: after a failed write it would crash */
	H5Eset_auto2(H5E_DEFAULT, on_error, sink);
	hdf5->file =
	    H5Fcreate(ct_output_path(sink->output), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hdf5->text = H5Tcopy(H5T_C_S1);
	if (hdf5->file < 0 || hdf5->text < 0 || H5Tset_size(hdf5->text, H5T_VARIABLE) < 0 ||
	    H5Tset_cset(hdf5->text, H5T_CSET_UTF8) < 0 ||
	    set_number(hdf5->file, "schema", CT_TABLES_SCHEMA) < 0)
		return -EIO;
	return 0;
}

static hid_t file_type(const struct ct_column_def *column)
{
	switch (column->type) {
	case CT_COLUMN_REAL:
		return H5T_IEEE_F64LE;
	case CT_COLUMN_BOOL:
		return H5T_STD_U8LE;
	case CT_COLUMN_TEXT:
		return H5T_STD_U32LE;
	default:
		return H5T_STD_U64LE;
	}
}

static hid_t memory_type(const struct ct_column_def *column)
{
	switch (column->type) {
	case CT_COLUMN_REAL:
		return H5T_NATIVE_DOUBLE;
	case CT_COLUMN_BOOL:
		return H5T_NATIVE_UINT8;
	case CT_COLUMN_TEXT:
		return H5T_NATIVE_UINT32;
	default:
		return H5T_NATIVE_UINT64;
	}
}

/* An empty dataset of one dimension that grows. */
static hid_t create_dataset(hid_t in, const char *name, hid_t type, hsize_t chunk, bool deflate)
{
	hsize_t none = 0, unlimited = H5S_UNLIMITED;
	hid_t space = H5Screate_simple(1, &none, &unlimited);
	hid_t list = H5Pcreate(H5P_DATASET_CREATE);
	hid_t dataset = H5I_INVALID_HID;

	if (H5Pset_chunk(list, 1, &chunk) >= 0 &&
	    (!deflate || (H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, DEFLATE_LEVEL) >= 0)))
		dataset = H5Dcreate2(in, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
	H5Pclose(list);
	H5Sclose(space);
	return dataset;
}

static int append(hid_t dataset, hid_t type, const void *data, hsize_t from, hsize_t count)
{
	hsize_t rows = from + count;
	hid_t memory = H5Screate_simple(1, &count, NULL), space = H5I_INVALID_HID;
	int failed = H5Dset_extent(dataset, &rows) < 0 || (space = H5Dget_space(dataset)) < 0 ||
		     H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &count, NULL) < 0 ||
		     H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, data) < 0;

	if (space >= 0)
		H5Sclose(space);
	H5Sclose(memory);
	return failed ? -1 : 0;
}

static int create_column(struct ct_table_sink *sink, size_t i)
{
	const struct ct_column_def *column = &sink->table->column[i];
	struct hdf5 *hdf5 = sink->state;
	hid_t dataset =
	    create_dataset(hdf5->group, column->name, file_type(column), BATCH_ROWS, true);

	hdf5->dataset[i] = dataset;
	hdf5->batch[i] = malloc(BATCH_ROWS * sizeof(union ct_cell));
	if (!hdf5->batch[i])
		return -ENOMEM;
	if (dataset < 0 || set_text(hdf5, dataset, "type", ct_column_type_text(column->type)) < 0 ||
	    set_text(hdf5, dataset, "unit", column->unit) < 0 ||
	    set_text(hdf5, dataset, "description", column->help) < 0 ||
	    (column->type == CT_COLUMN_TEXT &&
	     set_text(hdf5, dataset, "strings", "/strings") < 0) ||
	    (column->flags & CT_COLUMN_OPTIONAL &&
	     (column->type == CT_COLUMN_UINT || column->type == CT_COLUMN_ADDRESS) &&
	     set_number(dataset, "missing", CT_MISSING) < 0))
		return -EIO;
	return 0;
}

static int begin_table(struct ct_table_sink *sink)
{
	struct hdf5 *hdf5 = sink->state;
	char key[256] = "";
	int err = 0;

	hdf5->filled = 0;
	hdf5->appended = 0;
	hdf5->group =
	    H5Gcreate2(hdf5->file, sink->table->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	for (size_t i = 0; i < sink->table->columns; i++) {
		size_t used = strlen(key);

		if (sink->table->column[i].flags & CT_COLUMN_KEY)
			snprintf(key + used, sizeof(key) - used, "%s%s", used ? ", " : "",
				 sink->table->column[i].name);
	}
	if (hdf5->group < 0 || set_text(hdf5, hdf5->group, "description", sink->table->help) < 0 ||
	    set_text(hdf5, hdf5->group, "key", key) < 0)
		return -EIO;
	for (size_t i = 0; i < sink->table->columns && err == 0; i++)
		err = create_column(sink, i);
	return err;
}

static int flush(struct ct_table_sink *sink)
{
	struct hdf5 *hdf5 = sink->state;

	for (size_t i = 0; i < sink->table->columns && hdf5->filled; i++)
		if (append(hdf5->dataset[i], memory_type(&sink->table->column[i]), hdf5->batch[i],
			   hdf5->appended, hdf5->filled) < 0)
			return -EIO;
	hdf5->appended += hdf5->filled;
	hdf5->filled = 0;
	return 0;
}

static int row(struct ct_table_sink *sink, const union ct_cell *cell)
{
	struct hdf5 *hdf5 = sink->state;
	uint32_t at = hdf5->filled++;

	for (size_t i = 0; i < sink->table->columns; i++) {
		switch (sink->table->column[i].type) {
		case CT_COLUMN_REAL:
			((double *)hdf5->batch[i])[at] = cell[i].real;
			break;
		case CT_COLUMN_BOOL:
			((uint8_t *)hdf5->batch[i])[at] = (uint8_t)cell[i].number;
			break;
		case CT_COLUMN_TEXT:
			if (ct_strings_add(hdf5->strings, cell[i].text,
					   &((uint32_t *)hdf5->batch[i])[at]) < 0)
				return -ENOMEM;
			break;
		default:
			((uint64_t *)hdf5->batch[i])[at] = cell[i].number;
		}
	}
	return hdf5->filled == BATCH_ROWS ? flush(sink) : 0;
}

static int close_table(struct hdf5 *hdf5)
{
	int failed = 0;

	for (size_t i = 0; i < CT_TABLE_COLUMNS_MAX; i++) {
		if (hdf5->dataset[i] >= 0)
			failed |= H5Dclose(hdf5->dataset[i]) < 0;
		hdf5->dataset[i] = H5I_INVALID_HID;
		free(hdf5->batch[i]);
		hdf5->batch[i] = NULL;
	}
	if (hdf5->group >= 0)
		failed |= H5Gclose(hdf5->group) < 0;
	hdf5->group = H5I_INVALID_HID;
	return failed;
}

static int end_table(struct ct_table_sink *sink)
{
	struct hdf5 *hdf5 = sink->state;
	int err = flush(sink);

	if (err == 0 && set_number(hdf5->group, "rows", hdf5->appended) < 0)
		err = -EIO;
	if (err == 0 && close_table(hdf5))
		err = -EIO;
	return err;
}

static int end(struct ct_table_sink *sink)
{
	struct hdf5 *hdf5 = sink->state;
	const char *const *list;
	size_t count = ct_strings_list(hdf5->strings, &list);
	hid_t dataset = create_dataset(hdf5->file, "strings", hdf5->text, 1024, false);
	int failed = dataset < 0 || append(dataset, hdf5->text, list, 0, count) < 0;

	if (dataset >= 0)
		failed |= H5Dclose(dataset) < 0;
	failed |= H5Fclose(hdf5->file) < 0;
	hdf5->file = H5I_INVALID_HID;
	return failed ? -EIO : 0;
}

static void close_hdf5(struct ct_table_sink *sink)
{
	struct hdf5 *hdf5 = sink->state;

	if (!hdf5)
		return;
	close_table(hdf5);
	if (hdf5->text >= 0)
		H5Tclose(hdf5->text);
	if (hdf5->file >= 0)
		H5Fclose(hdf5->file);
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	ct_strings_close(hdf5->strings);
	free(hdf5);
}

const struct ct_table_format ct_format_hdf5 = {
    .name = "hdf5",
    .begin = begin,
    .begin_table = begin_table,
    .row = row,
    .end_table = end_table,
    .end = end,
    .close = close_hdf5,
};
