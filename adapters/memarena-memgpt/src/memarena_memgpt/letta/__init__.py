"""`letta`: an agent of a running Letta server, the MemGPT of today."""
