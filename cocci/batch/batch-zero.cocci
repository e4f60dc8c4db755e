// Rule: batch-zero
// Confidence: likely
// Summary: a number that is still 0 reaches a helper for a batch of entries
// Explain: these helpers do the first entry before they look at the number, which
// Explain: then wraps around. Start from 1, or leave early when there is nothing.

@batch_zero exists@
identifier nr =~ "^(nr|nr_ptes|nr_pages|max_nr|batch)$";
identifier f;
expression list[n] before;
expression E;
position p, q;
@@
 nr =@q 0
 ... when != nr = E
     when != nr += E
     when != nr++
     when != ++nr
     when != &nr
     when != !nr
     when != nr == E
     when != nr != E
     when != nr > E
     when != nr >= E
     when != nr < E
     when != nr <= E
 f@p(before, nr, ...)

@script:python@
nr << batch_zero.nr;
f << batch_zero.f;
n << batch_zero.n;
p << batch_zero.p;
q << batch_zero.q;
@@
if takes_pages(f, n) and re.search(r'_ptes$|_entries$|^folio_(add|remove|dup|try_dup)_', f):
    hit('batch-zero', p, "'%s' can still be 0 where it is passed to %s()" % (nr, f), q)

