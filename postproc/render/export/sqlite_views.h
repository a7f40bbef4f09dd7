/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the SQLite export: the data structures of seed 001, appendix B, by their names. */
#ifndef CT_EXPORT_SQLITE_VIEWS_H
#define CT_EXPORT_SQLITE_VIEWS_H

struct ct_sqlite_view {
	const char *name;
	const char *tables; /* that it needs, separated by spaces */
	const char *sql;
};

extern const struct ct_sqlite_view ct_sqlite_views[]; /* ends with name NULL */

#endif
