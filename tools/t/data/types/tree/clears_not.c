int f(struct q *q) { parm_clear(q->p); return 0; }
