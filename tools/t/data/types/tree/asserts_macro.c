int f(void *x) { BUILD_BUG_ON(sizeof(*CB(x)) > 48); return 0; }
