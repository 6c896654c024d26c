"""The running bot under a simulated clock, network and disk, where a seed settles what a machine would."""
