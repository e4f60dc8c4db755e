#!/bin/sh
# Headers in which the order of things, or what an architecture has in place of
# a generic helper, is wrong; and their right twins, of which nothing is said.
. "$(dirname "$0")/lib.sh"
. "$root/ci/t/series.sh"
git config --global --unset respin.skip

x86=arch/x86/include/asm/pgtable.h
s390=arch/s390/include/asm/pgtable.h
tlb=arch/x86/include/asm/tlb.h

# before PATH END: what is read from stdin goes before the line END, the last.
before() {
	cat >"$tmp/text"
	filter "$1" perl -e '
		open my $f, "<", shift; my $text = do { local $/; <$f> };
		my $end = shift; local $/; my $all = <STDIN>;
		$all =~ s/^(\Q$end\E[^\n]*\n)\z/$text$1/m; print $all' \
		"$tmp/text" "$2"
}
x86() { before $x86 '#endif /* _ASM_X86_PGTABLE_H */'; }
s390() { before $s390 '#endif /* _S390_PAGE_H */'; }
in_c() { printf '\n#ifndef __ASSEMBLY__\n'; cat; printf '#endif\n'; }

# A helper that is used above its generic version; of others, nothing.
above='s/(?=^#ifndef wrprotect_ptes$)/static inline void respin_commit(struct vm_area_struct *vma, pte_t *ptep, pte_t pte)\n{\n\tptep_modify_prot_commit(vma, 0, ptep, pte, pte);\n}\n\n/m'
begin
edit include/linux/pgtable.h 's/(?=^#if !defined\(MAX_POSSIBLE_PHYSMEM_BITS\))/static inline int respin_end(pte_t *ptep)\n{\n\treturn pte_none(ptep_get(ptep));\n}\n\n/m'
patch 'mm: where it belongs'
edit include/linux/pgtable.h "$above"
patch 'mm: too early'
judge 'order' 1 --check header-order <<-'END'
	finding 2/2 error include/linux/pgtable.h respin_commit -Wimplicit-function-declaration fails:x86_64
	END
says 'order: what has no compiler' 'sparc, um, xtensa: would fail; '
says 'order: who hides it' 's390: hidden by __HAVE_ARCH_PTEP_MODIFY_PROT_TRANSACTION'

# Right: a function and its #define, a macro, one of each branch.
begin
in_c <<'END' | x86
static inline void wrprotect_ptes(struct mm_struct *mm, unsigned long addr,
				  pte_t *ptep, unsigned int nr)
{
	while (nr--)
		ptep_set_wrprotect(mm, addr, ptep++);
}
#define wrprotect_ptes wrprotect_ptes
#define clear_young_dirty_ptes(vma, addr, ptep, nr, flags) do { } while (0)
END
patch 'x86: right'
in_c <<'END' | s390
#ifdef CONFIG_SMP
extern void wrprotect_ptes(struct mm_struct *mm, unsigned long addr,
			   pte_t *ptep, unsigned int nr);
#define wrprotect_ptes wrprotect_ptes
#else
static inline void wrprotect_ptes(struct mm_struct *m, unsigned long a,
				  pte_t *p, unsigned n)
{
}
#define wrprotect_ptes wrprotect_ptes
#endif
END
patch 's390: right'
judge 'right' 0 --check helper-override </dev/null

# Wrong ones.
begin
in_c <<'END' | x86
static inline void clear_young_dirty_ptes(struct vm_area_struct *vma,
					  unsigned long addr, pte_t *ptep,
					  unsigned long nr, cydp_t flags)
{
}
#define clear_young_dirty_ptes clear_young_dirty_ptes
END
patch 'x86: a number of another type'
in_c <<'END' | before $tlb '#endif /* _ASM_X86_TLB_H */'
static inline pte_t respin_full(struct mm_struct *mm, unsigned long addr,
				pte_t *ptep, unsigned int nr, int full)
{
	return ptep_get(ptep);
}
#define get_and_clear_full_ptes(mm, addr, ptep, nr, full) \
	respin_full(mm, addr, ptep, nr, full)
END
patch 'x86: too late'
in_c <<'END' | x86
#define clear_full_ptes clear_full_ptes
END
patch 'x86: no function'
in_c <<'END' | s390
extern void clear_full_ptes(struct mm_struct *mm, unsigned long addr,
			    pte_t *ptep, unsigned int nr, int full);
END
patch 's390: no define'
in_c <<'END' | s390
#ifdef CONFIG_SMP
static inline void wrprotect_ptes(struct mm_struct *mm, unsigned long addr,
				  pte_t *ptep, unsigned int nr)
{
}
#else
static inline void wrprotect_ptes(struct mm_struct *mm, unsigned long addr,
				  pte_t *ptep, unsigned int nr)
{
}
#define wrprotect_ptes wrprotect_ptes
#endif
END
patch 's390: a define in one branch'
in_c <<'END' | x86
static inline void wrprotect_ptes(struct mm_struct *mm, unsigned long addr,
				  pte_t *ptep, unsigned int nr)
{
}
#define wrprotect_pte wrprotect_pte
END
patch 'x86: a misspelt define'
judge 'wrong' 1 --check helper-override <<-'END'
	finding 1/6 warning include/linux/pgtable.h clear_young_dirty_ptes type fails:x86_64
	finding 2/6 warning include/linux/pgtable.h get_and_clear_full_ptes late fails:x86_64
	finding 3/6 error include/linux/pgtable.h clear_full_ptes no-function fails:x86_64
	finding 4/6 error include/linux/pgtable.h clear_full_ptes no-define fails:host
	finding 5/6 error include/linux/pgtable.h wrprotect_ptes no-define fails:host
	finding 6/6 error include/linux/pgtable.h wrprotect_ptes no-define fails:host
	END
finish
