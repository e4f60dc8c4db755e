int f(cb_t *c) { return c->h6; }
