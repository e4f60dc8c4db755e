struct id a = HAND_ON(AMD);
