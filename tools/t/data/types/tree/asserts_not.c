int f(void *x) { return CB(x)->h6; }
