int f(struct q *q) { return parm_checked(q->p); }
