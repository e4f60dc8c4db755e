static inline int kind_name(enum kind k)
{
	switch (k) {
	case KIND_A:
		return 1;
	}
	return 0;
}
