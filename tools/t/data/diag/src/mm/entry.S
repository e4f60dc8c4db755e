/* SPDX-License-Identifier: GPL-2.0 */
	.text
	.globl foo
foo:
	frobnicate 1, 2
	.warning "odd"
