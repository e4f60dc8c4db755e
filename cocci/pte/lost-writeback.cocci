// Rule: lost-writeback
// Confidence: likely
// Summary: an entry is taken out of the page table, changed, and not put back
// Explain: ptep_get_and_clear() and its like leave an empty entry. On some path
// Explain: the changed value is dropped, so the page is no longer mapped. Write
// Explain: it back with set_pte_at(), set_ptes() or the commit of the pair.

@lost_writeback exists@
expression x, y, E;
identifier fn;
position p;
identifier get =~ "^_*(huge_|contpte_)?(ptep|pmdp|pudp)(_huge)?_(get_and_clear(_full)?|clear_flush|modify_prot_start)$|^(contpte_)?get_and_clear_full_ptes$|^modify_prot_start_ptes$";
identifier mk =~ "^(huge_)?p(te|md|ud)_(mk[a-z_]*|wrprotect|modify|clear_[a-z_]*|sw_[a-z_]*|set_[a-z_]*)$|^maybe_mkwrite$|^arch_make_huge_pte$";
identifier sink =~ "^_*(native_|radix__|hash__|contpte_|huge_|xen_)*set_(huge_|pte|pmd|pud)|_modify_prot_commit(_ptes)?$|^modify_prot_commit_ptes$|^(ptep|pmdp|pudp)_(establish|set_access_flags|invalidate)|^huge_ptep_set_access_flags$|_swap_|restore|^pte_update$|xchg";
@@
 fn(...) { ... when any
 x = get@p(...)
 ... when != sink(...,x,...)
 y = mk(<+... x ...+>, ...)
 ... when != sink(..., <+... y ...+>, ...)
     when != return <+... y ...+>;
     when != E = y
 }

@script:python@
p << lost_writeback.p;
x << lost_writeback.x;
get << lost_writeback.get;
mk << lost_writeback.mk;
@@
hit('lost-writeback', p, "'%s' is taken out by %s(), changed by %s(), and not"
    " written back on some path" % (c(x), get, mk))

