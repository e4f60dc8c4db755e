// Rule: start-commit
// Confidence: likely
// Summary: a protection change is started and not committed, or by another pair
// Explain: ptep_modify_prot_start() may leave the entry empty or locked until the
// Explain: commit. Every path commits, and with the function of the same pair:
// Explain: single with single, batched with batched, huge with huge.

@start_commit_path exists@
expression x;
identifier fn !~ "modify_prot_start";
identifier st =~ "modify_prot_start(_ptes)?$";
identifier cm =~ "modify_prot_commit(_ptes)?$";
position p;
@@
 fn(...) { ... when any
 \( x = st@p(...) \| st@p(...) \)
 ... when != cm(...)
 }

@script:python@
p << start_commit_path.p;
st << start_commit_path.st;
@@
hit('start-commit', p, "%s() has no commit on some path" % st)

@start_commit_pair exists@
expression x;
identifier st =~ "modify_prot_start(_ptes)?$";
identifier cm =~ "modify_prot_commit(_ptes)?$";
position p, q;
@@
 x = st@q(...)
 ... when != st(...)
     when != cm(...)
 cm@p(...)

@script:python@
p << start_commit_pair.p;
q << start_commit_pair.q;
st << start_commit_pair.st;
cm << start_commit_pair.cm;
@@
if st.replace('start', 'commit') != cm:
    hit('start-commit', p, "%s() closes what %s() started" % (cm, st), q)

