int c = by_condition();
