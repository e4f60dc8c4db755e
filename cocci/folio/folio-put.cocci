// Rule: folio-put
// Confidence: likely
// Summary: a folio that was looked up is not put on a way out
// Explain: the lookup took a reference. A return or continue in the branch leaves
// Explain: without folio_put(), so the folio is never freed.

@folio_put@
expression f, E;
identifier h !~ "^IS_ERR|^PTR_ERR|^(un)?likely$";
identifier get =~ "^(damon_get_folio|folio_get_nontail_page|filemap_(get|lock)_folio|__filemap_get_folio|swap_cache_get_folio|alloc_[a-z_]*folio|folio_alloc[a-z_]*|vma_alloc_folio[a-z_]*|vma_alloc_zeroed[a-z_]*)$";
identifier put =~ "put|free|release|batch_add|isolate|add_to|list_add|unlock|fail|_list|recycle|splice";
position p, q;
@@
 f = get@p(...)
 ... when != put(...,f,...)
     when != f = E
 if (<+... h(...,f,...) ...+>) {
 ... when != put(...,f,...)
     when != put(...,&f->lru,...)
 \( continue@q; \| return@q ...; \)
 }

@script:python@
f << folio_put.f;
h << folio_put.h;
get << folio_put.get;
p << folio_put.p;
q << folio_put.q;
@@
if not named(c(f), around(q, 0, 0)):
    hit('folio-put', q, "'%s' of %s() is not put where %s() leads out"
        % (c(f), get, h), p)

