/* struct outer o; */
int outer;
int f(struct points p) { return 0; }
