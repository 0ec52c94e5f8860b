package makefile
