enum kind {
	KIND_A,
	KIND_B,
	NR_KINDS,
};
#define KIND_ALIAS KIND_B
#define KIND_BITS (NR_KINDS + 1)
struct kinds {
	int count[NR_KINDS], more;
	enum kind kind:KIND_BITS;
	DECLARE_BITMAP(bits, NR_KINDS);
};
struct kinds_plain {
	int of_kind[NR_KINDS];
};
enum next {
	NEXT_FIRST = NR_KINDS,
	NEXT_SECOND,
	NEXT_OTHER = 9,
};
typedef enum kind kind_t;
