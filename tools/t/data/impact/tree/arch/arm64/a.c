int q = arm_inline();
