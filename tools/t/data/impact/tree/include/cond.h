#ifdef start
int by_condition(void);
#endif
#if OTHER
int other(void);
#endif
