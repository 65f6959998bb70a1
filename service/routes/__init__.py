"""Every operation as it is asked over HTTP."""
