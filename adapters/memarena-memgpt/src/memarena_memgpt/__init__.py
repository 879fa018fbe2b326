"""MemGPT as its paper describes it, and the variant that WorldMemArena ran as MGMemory."""
