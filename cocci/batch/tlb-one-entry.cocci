// Rule: tlb-one-entry
// Confidence: likely
// Summary: entries are cleared as a batch, the TLB is told of one
// Explain: tlb_remove_tlb_entry() covers one entry; the others keep their stale
// Explain: translation. Use tlb_remove_tlb_entries() with the same number.

@tlb_one_entry exists@
identifier b =~ "_ptes$";
identifier nr =~ "^(nr|nr_[a-z]*|batch)$";
expression pt, tlb, E;
position p, q;
@@
 b@p(...,pt,...,nr,...)
 ... when != nr = E
     when != pt = E
     when != pt++
     when != pt += E
     when != tlb_remove_tlb_entries(...)
 tlb_remove_tlb_entry@q(tlb, pt, ...)

@script:python@
b << tlb_one_entry.b;
pt << tlb_one_entry.pt;
nr << tlb_one_entry.nr;
p << tlb_one_entry.p;
q << tlb_one_entry.q;
@@
hit('tlb-one-entry', q, "%s() changes '%s' entries at '%s', tlb_remove_tlb_entry()"
    " covers one" % (b, nr, c(pt)), p)

