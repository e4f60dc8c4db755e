int names[NEXT_SECOND];
