/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Written for the tests: a header in the manner of those that give generic
 * helpers which an architecture may replace.  Nothing of it exists; it says
 * how a lock on an imaginary canal lets boats through.  An
 * #ifdef IN_A_COMMENT opens nothing.
 */
#ifndef _CANAL_HELPERS_H
#define _CANAL_HELPERS_H

#include <canal/types.h>
#include <asm/canal.h>

#define CHAMBER_LEN	(CHAMBER_END - CHAMBER_START)
# define   CHAMBER_MID	(CHAMBER_START + CHAMBER_LEN / 2)

#ifndef NO_BOATS
#ifdef CONFIG_CANAL /* else there is only the river */

#include <canal/water.h>

#if defined(CANAL_ONE_GATE) + defined(CANAL_TWO_GATES) /* choose */ + \
	defined(CANAL_THREE_GATES) != 1 // exactly one
#error "which is it: one gate, two or three?"
#endif

#if CANAL_WIDTH > 20 && \
    !defined(CANAL_SMALL)
#define BOATS_ABREAST	2
#elif CANAL_WIDTH > 8 /* metres,
			 not feet */
#define BOATS_ABREAST	1
#elif defined(CANAL_FOOTPATH)
#define BOATS_ABREAST	0
#else
#error nobody's boat fits
#endif

/* The level at which nobody closes the upper gate any more. */
#ifndef LEVEL_FLOOD
#define LEVEL_FLOOD	0x7fUL
#endif

enum gate_state {
	GATE_OPEN,
	GATE_SHUT = 4,	/* 1 to 3 were GATE_MOVING once */
	GATE_MOVING,
};

typedef unsigned int canal_mask_t;
typedef int (*whistle_fn)(int tone, void *data);

struct boat {
	const char *name;
	int draught, beam;
#ifdef CONFIG_CANAL_TOLL
	struct toll {
		int paid;
	} toll;
#endif
	void (*sink)(struct boat *boat);
};

extern struct boat *first_boat;
void boat_sink(struct boat *);

#ifndef CANAL_NO_UPPER
void upper_gate_reset(struct boat *boat, int tries);
#else
#define upper_gate_reset(boat, tries)	do { } while (0)
#endif

/* Opens and shuts in one go; the caller looks out for boats. */
#define gate_cycle(gate)			\
({						\
	int __was = gate_level(gate);		\
						\
	if (__was < LEVEL_FLOOD)		\
		gate_move(gate, GATE_OPEN);	\
	__was;					\
})

static inline int __gate_take_level(struct boat *boat,
				    unsigned long gate,
				    int *level)
{
	/* From here on the keeper waits: no level is lost. */
	return gate_swap(boat->draught,
			 gate, level);
}

#ifndef __HAVE_ARCH_GATE_LEVEL
/*
 * First half of the passage: the water that flows in meanwhile is counted
 * by gate_give_level(), which must follow.
 */
static inline int gate_take_level(struct boat *boat, unsigned long gate,
				  int *level)
{
	return __gate_take_level(boat, gate, level);
}

static inline void
gate_give_level(struct boat *boat, unsigned long gate, int level)
{
#ifdef CONFIG_CANAL_TOLL
	if (boat->toll.paid)
#endif
		gate_set(gate, level);
}
#endif /* __HAVE_ARCH_GATE_LEVEL */

#ifndef gate_colour
#define gate_colour gate_colour
static inline canal_mask_t gate_colour(canal_mask_t old, canal_mask_t mask)
{
	if (old == gate_red(old))
		mask = gate_red(mask);
	return mask;
}
#endif
#endif /* CONFIG_CANAL */

CANAL_EVENT(passed,
	CANAL_ARGS(struct boat *boat),
	CANAL_SAYS("a boat is through")
);
DECLARE_GATE(lower);
static DEFINE_WHISTLE(upper, 440);

#if 0
int never_built(void);
#endif
#define		__GATE_LOWER		0
#define		GATE_LOWER		BIT(__GATE_LOWER)

/* Which gates have moved. */
union gate_word { canal_mask_t all; unsigned char one[4]; };
#endif /* !NO_BOATS */
#endif /* _CANAL_HELPERS_H */
