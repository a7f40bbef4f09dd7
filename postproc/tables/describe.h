/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How tables are read from a .def file. Included twice around it, first with CT_DESCRIBE_COLUMNS,
 * then with CT_DESCRIBE_FILL defined:
 *
 *   CT_TABLE(name, help)                for programs alone; its rows are struct row_<name>, r
 *                                       points to one
 *   CT_SHOWN(name, title, help, order)  people see it, too, by falling `order`; "": in an
 *                                       order of their own
 *   CT_KEY, CT_COL, CT_OPT(type, name, unit, help, expression)
 *                                       columns for programs: a key, one that always has a value,
 *                                       one that may lack it
 *   CT_SEE(flags, type, name, title, unit, help, expression)
 *                                       one that people see; flags: of enum ct_column_flags,
 *                                       without the prefix
 *   CT_END(name)
 */
#undef CT_TABLE
#undef CT_SHOWN
#undef CT_KEY
#undef CT_COL
#undef CT_OPT
#undef CT_SEE
#undef CT_END

#ifdef CT_DESCRIBE_COLUMNS
#undef CT_DESCRIBE_COLUMNS
#define CT_SHOWN(name, title, help, order)                                                         \
	static const char title_##name[] = title;                                                  \
	static const char help_##name[] = help;                                                    \
	static const char order_##name[] = order;                                                  \
	static const struct ct_column_def columns_##name[] = {
#define CT_TABLE(name, help)                                                                       \
	static const char help_##name[] = help;                                                    \
	static const struct ct_column_def columns_##name[] = {
#define CT_KEY(type, name, unit, help, value)                                                      \
	{#name, CT_COLUMN_##type, CT_COLUMN_KEY, NULL, unit, help},
#define CT_COL(type, name, unit, help, value)                                                      \
	{#name, CT_COLUMN_##type, CT_COLUMN_ALWAYS, NULL, unit, help},
#define CT_OPT(type, name, unit, help, value)                                                      \
	{#name, CT_COLUMN_##type, CT_COLUMN_OPTIONAL, NULL, unit, help},
#define CT_SEE(flags, type, name, title, unit, help, value)                                        \
	{#name, CT_COLUMN_##type, CT_COLUMN_##flags, title, unit, help},
#define CT_END(name)                                                                               \
	}                                                                                          \
	;
#endif

#ifdef CT_DESCRIBE_FILL
#undef CT_DESCRIBE_FILL
#define CT_SET_UINT(value) (cell++)->number = (value)
#define CT_SET_ID(value) (cell++)->number = (value)
#define CT_SET_BOOL(value) (cell++)->number = (value) ? 1 : 0
#define CT_SET_ADDRESS(value) (cell++)->number = (value)
#define CT_SET_REAL(value) (cell++)->real = (value)
#define CT_SET_TEXT(value) (cell++)->text = (value)
#define CT_SET_NAME(value) (cell++)->text = (value)
#define CT_SET_LINE(value) (cell++)->line = (value)
#define CT_SET_PLACE(value) (cell++)->place = (value)
#define CT_TABLE(name, help)                                                                       \
	static void fill_##name(const void *row, union ct_cell *cell)                              \
	{                                                                                          \
		const struct row_##name *r = row;
#define CT_SHOWN(name, title, help, order) CT_TABLE(name, help)
#define CT_KEY(type, name, unit, help, value) CT_SET_##type(value);
#define CT_COL(type, name, unit, help, value) CT_SET_##type(value);
#define CT_OPT(type, name, unit, help, value) CT_SET_##type(value);
#define CT_SEE(flags, type, name, title, unit, help, value) CT_SET_##type(value);
#define CT_END(name) }
#endif

/* The columns, function and links of a .def entry; links: NULL or an array that ends with {0}. */
#define CT_TABLE_PARTS(name_, links_)                                                              \
	.name = #name_, .help = help_##name_, .column = columns_##name_,                           \
	.columns = sizeof(columns_##name_) / sizeof(*columns_##name_), .link = links_,             \
	.rows = rows_##name_, .fill = fill_##name_
#define CT_TABLE_SHOWN(name_, links_)                                                              \
	CT_TABLE_PARTS(name_, links_), .title = title_##name_, .order = order_##name_
