/* SPDX-License-Identifier: GPL-2.0 */
/* One line for each check, in the order in which they run. */
CHECK(gcc)
CHECK(sparse)
CHECK(cocci)
CHECK(kernel_doc)
CHECK(kbuild)
CHECK(tools)
CHECK(docref)
CHECK(maintainers)
CHECK(uapi)
CHECK(abi)
CHECK(dtbs)
CHECK(kdocref)
