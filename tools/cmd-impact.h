/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RESPIN_CMD_IMPACT_H
#define RESPIN_CMD_IMPACT_H
/* respin impact --tree PATH [--checkout DIR] A B: what a range touches. */
int cmd_impact(int argc, char **argv);
#endif
