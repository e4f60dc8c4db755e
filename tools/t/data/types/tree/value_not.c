int names[NEXT_OTHER];
