// Rule: batch-step
// Confidence: likely
// Summary: an entry pointer advances and its address does not, or the reverse
// Explain: in a loop over page table entries the two belong together: one entry
// Explain: is PAGE_SIZE bytes (PMD_SIZE for a pmd). The next call gets an entry
// Explain: with the address of another one.

@initialize:python@ @@
# Does a neighbouring line, part of the same statement, move `name`?
def batch_moves(q, name):
    return re.search(r'\b%s\s*(\+=|\+\+|=[^=])|\+\+%s\b'
                     % ((re.escape(c(name)),) * 2), around(q, 1, 1))

def batch_step(p, q, moves, stays):
    if re.match(r'\w+$', moves + stays) and not batch_moves(q, stays):
        hit('batch-step', q, "'%s' advances and '%s' does not, before both are"
            " passed on again" % (moves, stays), p)

@batch_step_entry_addr_first exists@
typedef pte_t;
identifier f;
identifier ad =~ "^(addr|address|haddr|uaddr|vaddr|start)$";
pte_t *pt;
expression E, E1, E2;
position p, q;
@@
 f@p(...,ad,...,pt,...)
 ... when != ad += E1
     when != ad++
     when != ad = E2
 \( pt@q++ \| ++pt@q \| pt@q += E \)
 ... when != ad += E1
     when != ad++
     when != ad = E2
 f(...,ad,...,pt,...)

@script:python@
ad << batch_step_entry_addr_first.ad;
pt << batch_step_entry_addr_first.pt;
p << batch_step_entry_addr_first.p;
q << batch_step_entry_addr_first.q;
@@
batch_step(p, q, pt, ad)

@batch_step_addr_addr_first exists@
typedef pte_t;
identifier f;
identifier ad =~ "^(addr|address|haddr|uaddr|vaddr|start)$";
pte_t *pt;
expression E, E1, E2;
position p, q;
@@
 f@p(...,ad,...,pt,...)
 ... when != pt += E1
     when != pt++
     when != pt = E2
 ad@q += E
 ... when != pt += E1
     when != pt++
     when != pt = E2
 f(...,ad,...,pt,...)

@script:python@
ad << batch_step_addr_addr_first.ad;
E << batch_step_addr_addr_first.E;
pt << batch_step_addr_addr_first.pt;
p << batch_step_addr_addr_first.p;
q << batch_step_addr_addr_first.q;
@@
if not re.search('PMD|PUD|P4D|PGD', E):
    batch_step(p, q, ad, pt)

@batch_step_entry_entry_first exists@
typedef pte_t;
identifier f;
identifier ad =~ "^(addr|address|haddr|uaddr|vaddr|start)$";
pte_t *pt;
expression E, E1, E2;
position p, q;
@@
 f@p(...,pt,...,ad,...)
 ... when != ad += E1
     when != ad++
     when != ad = E2
 \( pt@q++ \| ++pt@q \| pt@q += E \)
 ... when != ad += E1
     when != ad++
     when != ad = E2
 f(...,pt,...,ad,...)

@script:python@
ad << batch_step_entry_entry_first.ad;
pt << batch_step_entry_entry_first.pt;
p << batch_step_entry_entry_first.p;
q << batch_step_entry_entry_first.q;
@@
batch_step(p, q, pt, ad)

@batch_step_addr_entry_first exists@
typedef pte_t;
identifier f;
identifier ad =~ "^(addr|address|haddr|uaddr|vaddr|start)$";
pte_t *pt;
expression E, E1, E2;
position p, q;
@@
 f@p(...,pt,...,ad,...)
 ... when != pt += E1
     when != pt++
     when != pt = E2
 ad@q += E
 ... when != pt += E1
     when != pt++
     when != pt = E2
 f(...,pt,...,ad,...)

@script:python@
ad << batch_step_addr_entry_first.ad;
E << batch_step_addr_entry_first.E;
pt << batch_step_addr_entry_first.pt;
p << batch_step_addr_entry_first.p;
q << batch_step_addr_entry_first.q;
@@
if not re.search('PMD|PUD|P4D|PGD', E):
    batch_step(p, q, ad, pt)

// The entry is read and the address is passed on in different calls.
@batch_step_stuck exists@
typedef pte_t;
identifier ad =~ "^(addr|address|haddr|uaddr|vaddr)$";
pte_t *pt;
expression E, E1, E2;
position p, q;
@@
 ptep_get@p(pt)
 ... when != pt += E1
     when != pt++
     when != ++pt
     when != pt -= E1
     when != pt = E2
 ad@q += E
 ... when != pt += E1
     when != pt++
     when != ++pt
     when != pt -= E1
     when != pt = E2
 ptep_get@p(pt)

@script:python@
ad << batch_step_stuck.ad;
pt << batch_step_stuck.pt;
E << batch_step_stuck.E;
p << batch_step_stuck.p;
q << batch_step_stuck.q;
@@
if not re.search('PMD|PUD|P4D|PGD', E):
    batch_step(p, q, ad, pt)

@batch_step_address exists@
typedef pte_t;
identifier f =~ "^vm_normal_|^folio_pte_batch$|^update_mmu_|^flush_cache_page$";
identifier ad =~ "^(addr|address|haddr|uaddr|vaddr)$";
pte_t *pt;
expression E, E1, E2;
position p, q;
@@
 f@p(...,ad,...)
 ... when != ad += E1
     when != ad++
     when != ad = E2
 \( pt@q++ \| ++pt@q \| pt@q += E \)
 ... when != ad += E1
     when != ad++
     when != ad = E2
 f@p(...,ad,...)

@script:python@
ad << batch_step_address.ad;
pt << batch_step_address.pt;
p << batch_step_address.p;
q << batch_step_address.q;
@@
batch_step(p, q, pt, ad)

