"""What comes from outside: files, their forms, packages that may be missing."""
