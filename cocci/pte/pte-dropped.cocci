// Rule: pte-dropped
// Confidence: likely
// Summary: the result of pte_mkdirty() or the like is dropped
// Explain: these helpers return the changed value and leave their argument as it
// Explain: is. Assign the result.

@pte_dropped@
identifier mk =~ "^(huge_)?p(te|md|ud)_(mk[a-z_]*|wrprotect|modify|clear_(soft_dirty|uffd_wp|flags)|swp_(mk|clear)[a-z_]*|next_pfn|advance_pfn)$|^maybe_p?m?d?_?mkwrite$";
position p;
@@
mk@p(...);

@script:python@
mk << pte_dropped.mk;
p << pte_dropped.p;
@@
hit('pte-dropped', p, "the result of %s() is dropped" % mk)

