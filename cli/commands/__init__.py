"""What commands do that do more than pass on; a module per subject, imported when called."""
