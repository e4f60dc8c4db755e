#define X86 1
