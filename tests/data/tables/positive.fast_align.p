haus	house	-0.7
haus	home	0.7
