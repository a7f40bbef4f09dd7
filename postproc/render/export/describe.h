/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How tables are read from a .def file. Included twice around it, first with
 * CT_DESCRIBE_COLUMNS, then with CT_DESCRIBE_FILL defined:
 *
 *   CT_TABLE(name, help)        its rows are struct row_<name>, r points to one
 *   CT_KEY, CT_COL, CT_OPT(type, name, unit, help, expression)
 *   CT_END(name)
 *
 * A key, a column that always has a value, one that may lack it.
 */
#undef CT_TABLE
#undef CT_KEY
#undef CT_COL
#undef CT_OPT
#undef CT_END

#ifdef CT_DESCRIBE_COLUMNS
#undef CT_DESCRIBE_COLUMNS
#define CT_TABLE(name, help)                                                                       \
	static const char help_##name[] = help;                                                    \
	static const struct ct_export_column columns_##name[] = {
#define CT_KEY(type, name, unit, help, value) {#name, CT_COLUMN_##type, CT_COLUMN_KEY, unit, help},
#define CT_COL(type, name, unit, help, value) {#name, CT_COLUMN_##type, 0, unit, help},
#define CT_OPT(type, name, unit, help, value)                                                      \
	{#name, CT_COLUMN_##type, CT_COLUMN_OPTIONAL, unit, help},
#define CT_END(name)                                                                               \
	}                                                                                          \
	;
#endif

#ifdef CT_DESCRIBE_FILL
#undef CT_DESCRIBE_FILL
#define CT_SET_UINT(value) (cell++)->number = (value)
#define CT_SET_BOOL(value) (cell++)->number = (value) ? 1 : 0
#define CT_SET_ADDRESS(value) (cell++)->number = (value)
#define CT_SET_REAL(value) (cell++)->real = (value)
#define CT_SET_TEXT(value) (cell++)->text = (value)
#define CT_TABLE(name, help)                                                                       \
	static void fill_##name(const void *row, union ct_cell *cell)                              \
	{                                                                                          \
		const struct row_##name *r = row;
#define CT_KEY(type, name, unit, help, value) CT_SET_##type(value);
#define CT_COL(type, name, unit, help, value) CT_SET_##type(value);
#define CT_OPT(type, name, unit, help, value) CT_SET_##type(value);
#define CT_END(name) }
#endif

/* The table of a .def entry. links: NULL or an array that ends with {0}. */
#define CT_TABLE_OF(name_, needs_, links_, count_)                                                 \
	const struct ct_export_table ct_export_table_##name_ = {                                   \
	    .name = #name_,                                                                        \
	    .help = help_##name_,                                                                  \
	    .needs = needs_,                                                                       \
	    .column = columns_##name_,                                                             \
	    .columns = sizeof(columns_##name_) / sizeof(*columns_##name_),                         \
	    .link = links_,                                                                        \
	    .rows = rows_##name_,                                                                  \
	    .count = count_,                                                                       \
	    .fill = fill_##name_,                                                                  \
	}
