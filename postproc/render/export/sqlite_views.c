/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the SQLite export. */
#include "postproc/render/export/tables.h"

#define OF_SUPERSTEP                                                                               \
	"FROM supersteps s JOIN launches l USING (part, launch) JOIN kernels k USING "             \
	"(kernel_number) "
#define OF_PART(table)                                                                             \
	"FROM " table " v JOIN supersteps s USING (superstep) JOIN launches l USING (part, "       \
	"launch) JOIN kernels k USING (kernel_number) "

const struct ct_table_view ct_export_views[] = {
    {"launch_list", "launches kernels",
     "CREATE VIEW launch_list AS SELECT k.name AS kernel_name, l.* "
     "FROM launches l JOIN kernels k USING (kernel_number)"},
    {"kdv", "supersteps launches kernels",
     "CREATE VIEW kdv AS SELECT k.name AS kernel, s.superstep, s.load_bytes AS \"load\", "
     "s.store_bytes AS store " OF_SUPERSTEP},
    {"kcv", "supersteps launches kernels",
     "CREATE VIEW kcv AS SELECT k.name AS kernel, s.superstep, "
     "s.communicated_load_bytes AS \"load\", s.communicated_store_bytes AS store " OF_SUPERSTEP},
    {"cdv", "cta_volumes supersteps launches kernels",
     "CREATE VIEW cdv AS SELECT k.name AS kernel, v.superstep, v.cta, v.load_bytes AS \"load\", "
     "v.store_bytes AS store " OF_PART("cta_volumes")},
    {"ccv", "cta_volumes supersteps launches kernels",
     "CREATE VIEW ccv AS SELECT k.name AS kernel, v.superstep, v.cta, "
     "v.communicated_load_bytes AS \"load\", v.communicated_store_bytes AS store " OF_PART(
	 "cta_volumes")},
    {"sdv", "sm_volumes supersteps launches kernels",
     "CREATE VIEW sdv AS SELECT k.name AS kernel, v.superstep, v.sm, v.load_bytes AS \"load\", "
     "v.store_bytes AS store " OF_PART("sm_volumes")},
    {"scv", "sm_volumes supersteps launches kernels",
     "CREATE VIEW scv AS SELECT k.name AS kernel, v.superstep, v.sm, "
     "v.communicated_load_bytes AS \"load\", v.communicated_store_bytes AS store " OF_PART(
	 "sm_volumes")},
    {"transfer_map", "transfers supersteps launches kernels",
     "CREATE VIEW transfer_map AS SELECT sk.name AS source_kernel, t.source_cta, "
     "t.source_superstep, tk.name AS recv_kernel, t.target_cta AS recv_cta, "
     "t.target_superstep AS recv_superstep, t.bytes AS size, t.loads AS cnt FROM transfers t "
     "JOIN supersteps ss ON ss.superstep = t.source_superstep "
     "JOIN launches sl ON sl.part = ss.part AND sl.launch = ss.launch "
     "JOIN kernels sk ON sk.kernel_number = sl.kernel_number "
     "JOIN supersteps ts ON ts.superstep = t.target_superstep "
     "JOIN launches tl ON tl.part = ts.part AND tl.launch = ts.launch "
     "JOIN kernels tk ON tk.kernel_number = tl.kernel_number"},
    {NULL, NULL, NULL},
};
