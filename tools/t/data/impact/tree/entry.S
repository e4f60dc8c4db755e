	call start
