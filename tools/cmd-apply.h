/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RESPIN_CMD_APPLY_H
#define RESPIN_CMD_APPLY_H

/*
 * respin apply [--fuzz N] [--keep-cr] --tree PATH[@REV] [--ref NAME] SERIES...
 * Applies and prints one line per step: "n how moved commit tree".
 * For tests and scripts: not in the list of commands.
 */
int cmd_apply(int argc, char **argv);
#endif
