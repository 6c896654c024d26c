"""Workers in this process, where the toy is on the shelf; files and boards in processes have tests of their own."""

from bot.service.workers.pool import Crew, ThreadPipe, Worker, Workers


def in_threads() -> Workers:
    """Return workers that are threads, also for the files that people bring; another process has no toy."""
    return Workers({lane: Crew([Worker(ThreadPipe())]) for lane in ("moves", "looks", "files")})
