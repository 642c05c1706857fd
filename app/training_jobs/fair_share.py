"""Fair share of the training queue: how many places a visit and an address may take, and which job is next."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from regard.app.server.visitor import Visitor, share
from regard.app.training_jobs.job import Job

WAITING = 20  # jobs in the queue
MOST_OF_ONE = 2  # jobs per visit that wait or run

FULL = f"{WAITING} trainings are waiting already. Try again in a few minutes."
FULL_OF_ONE = f"You already have {MOST_OF_ONE} trainings waiting or running. Stop one of them first."
FULL_OF_ADDRESS = (
    f"{share(WAITING)} trainings of visitors from your network are waiting already. Try again in a few minutes."
)


def refusal(jobs: Collection[Job], queue: Sequence[Job], visitor: Visitor) -> str:
    """Return why this visitor can add no more to the queue, or "" if there is room."""
    if len(queue) >= WAITING:
        return FULL
    live = [job.visitor for job in jobs if not job.over]
    if visitor.session and [other.session for other in live].count(visitor.session) >= MOST_OF_ONE:
        return FULL_OF_ONE
    waiting = [job.visitor.address for job in queue]
    return FULL_OF_ADDRESS if visitor.address and waiting.count(visitor.address) >= share(WAITING) else ""


def in_turn(jobs: Collection[Job], queue: Sequence[Job], served: Mapping[str, float]) -> list[Job]:
    """Return the queue in the order of service: addresses take turns, the one `served` longest ago, or never, first;
    otherwise first come, first served."""
    before = Counter(job.visitor.address for job in jobs if job.worker)
    turns = {}
    for job in queue:
        turns[id(job)] = before[job.visitor.address]
        before[job.visitor.address] += 1
    return sorted(queue, key=lambda job: (turns[id(job)], served.get(job.visitor.address, 0.0)))
