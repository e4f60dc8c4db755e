static inline int local_read(bar_t *v)
{
	return v->counter;
}
