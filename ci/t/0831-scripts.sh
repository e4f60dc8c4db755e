#!/bin/sh
# What scripts of the tree and clang-tidy say of touched files and patches; and
# how sure they are.
. "$(dirname "$0")/lib.sh"
. "$root/ci/t/series.sh"
git config --global --unset respin.skip
facts_of() { grep -v '^not-verified'; }

# kernel-doc: a parameter that is not described, one that is; mended later.
begin
edit mm/mlock.c 's/^\#include "internal.h"$/$&\n\n\/**\n * respin_one - one\n * \@a: the first\n *\/\nvoid respin_one(int a, int b);\nvoid respin_one(int a, int b)\n{\n}\n/m'
patch 'mm/mlock: half a description'
edit mm/mlock.c 's/ \* \@a: the first\n/$& * \@b: the second\n/'
patch 'mm/mlock: the other half'
judge 'kernel-doc' 1 --check kernel-doc <<-'END'
	finding 1/2 warning mm/mlock.c respin_one - fails:host
	hazard 1/2 gone 2/2
	END
begin
append mm/mlock.c <<-'END'

	/**
	 * respin_two - two
	 * @a: the only one
	 */
	void respin_two(int a);
	void respin_two(int a)
	{
	}
	END
patch 'mm/mlock: described'
judge 'kernel-doc: what was there before' 0 --check kernel-doc </dev/null

# A message of several lines.
begin
append mm/mlock.c <<-'END'

	/**
	 * this is
	 * no such comment
	 */
	int respin_none;
	END
patch 'mm/mlock: none'
judge 'kernel-doc: several lines' 1 --check kernel-doc <<-'END'
	finding 1/1 warning mm/mlock.c - - fails:host
	END

# checkpatch: an ERROR is likely, a WARNING a hint; a moved line is not new.
begin
append mm/mlock.c <<-'END'

	int * respin_three(void);
	int * respin_three(void)
	{
		int a;

		a=1;
		printk("respin\n");
		return NULL;
	}
	END
patch 'mm/mlock: no style'
judge 'checkpatch' 1 --check checkpatch <<-'END'
	finding 1/1 warning mm/mlock.c - AVOID_EXTERNS fails:host
	finding 1/1 warning mm/mlock.c - COMMIT_MESSAGE fails:host
	finding 1/1 warning mm/mlock.c - POINTER_LOCATION fails:host
	finding 1/1 warning mm/mlock.c - PRINTK_WITHOUT_KERN_LEVEL fails:host
	finding 1/1 warning mm/mlock.c - SPACING fails:host
	END
says 'checkpatch: how sure' '1/1 LIKELY mm/mlock.c:'
judge 'checkpatch: likely only' 1 --skip gcc,sparse,cocci <<-'END'
	finding 1/1 warning mm/mlock.c - POINTER_LOCATION fails:host
	finding 1/1 warning mm/mlock.c - SPACING fails:host
	END
edit mm/mlock.c 's/\n\ta=1;//; s/int a;\n/int a;\n\n\t\t\n/'
judge 'checkpatch: certain only' 0 --min-confidence certain --skip gcc,sparse </dev/null

# clang-tidy: a hint, on request.
begin
append mm/mlock.c <<-'END'

	int respin_four(int *p);
	int respin_four(int *p)
	{
		if (p)
			return 1;
		return *p;
	}
	END
patch 'mm/mlock: NULL'
judge 'clang-tidy' 1 --check gcc,clang-tidy <<-'END'
	finding 1/1 warning mm/mlock.c - clang-analyzer-core.NullDereference fails:x86_64
	END
says 'clang-tidy: how sure' '1/1 HINT mm/mlock.c:'
judge 'clang-tidy: less sure than asked for' 0 --check gcc,clang-tidy \
	--min-confidence likely </dev/null
judge 'clang-tidy: not by default' 0 --check gcc </dev/null
finish
