"""Fair turns: the queue behind the solver, without any process."""

from __future__ import annotations

import random
from collections import Counter

from crenel.web.analysis_queue import FairQueue


def everything(task: str) -> bool:
    return True


def test_one_owner_is_served_in_order_and_once_at_a_time() -> None:
    queue: FairQueue[str] = FairQueue()
    for task in "abc":
        queue.add("me", task, 0.25)
    assert list(queue) == ["a", "b", "c"]
    assert queue.take(everything) == "a"
    assert queue.take(everything) is None, "the owner is being served"
    queue.done("me", 1.0)
    assert queue.take(lambda task: task != "b") == "c", "what cannot be served now is passed over"
    queue.done("me", 1.0)
    queue.remove("me", "b")
    assert queue.take(everything) is None


def test_a_newcomer_comes_before_those_who_have_used_much() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(100):
        queue.add(f"hard {number}", f"hard {number}", 0.25)
    for _ in range(150):
        task = queue.take(everything)
        assert task is not None
        queue.done(task, 0.25)
        queue.add(task, task, 0.25)
    queue.add("easy", "easy", 0.25)
    served = []
    while "easy" not in served:
        task = queue.take(everything)
        assert task is not None
        served.append(task)
        queue.done(task, 0.25)
        if task != "easy":
            queue.add(task, task, 0.25)
    # Half of the crowd has had its second turn: the newcomer is on a level with the other half.
    assert len(served) <= 51


def test_short_turns_do_not_wait_for_long_ones() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(100):
        queue.add(f"hard {number}", f"hard {number}", 0.03)
    for turn in range(120):
        task = queue.take(everything)
        assert task is not None
        queue.done(task, 0.03 if turn < 100 else 0.25)
        queue.add(task, task, 0.25)
    # Each of a hundred has had a short turn, and twenty a long one. Now somebody asks easy questions one by one.
    for _ in range(8):
        queue.add("easy", "easy", 0.03)
        assert queue.take(everything) == "easy"
        queue.done("easy", 0.01)


def test_a_stream_of_newcomers_does_not_starve_a_hard_question() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.add("hard", "hard", 0.25)
    had = 0
    for number in range(1000):
        queue.add(f"new {number}", f"new {number}", 0.03)
        task = queue.take(everything)
        assert task is not None
        queue.done(task, 0.25 if task == "hard" else 0.03)
        if task == "hard":
            had += 1
            queue.add("hard", "hard", 0.25)
    assert had > 5


def test_shares_are_equal_whatever_the_turns_cost() -> None:
    rng = random.Random(4)
    queue: FairQueue[str] = FairQueue()
    used: Counter[str] = Counter()
    cost = {"a": 0.03, "b": 0.25, "c": 2.0}
    for owner in cost:
        for _ in range(3):
            queue.add(owner, owner, 0.25)
    for _ in range(3000):
        task = queue.take(everything)
        assert task is not None
        seconds = int(1000 * cost[task] * rng.random())
        used[task] += seconds
        queue.done(task, seconds)
        queue.add(task, task, 0.25)
    assert max(used.values()) - min(used.values()) <= 2 * 2000


def test_nobody_saves_up_time_by_being_away() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.add("here", "here", 0.25)
    for _ in range(100):
        assert queue.take(everything) == "here"
        queue.done("here", 1.0)
        queue.add("here", "here", 0.25)
    queue.add("back", "back", 0.25)
    turns = []
    for _ in range(10):
        task = queue.take(everything)
        assert task is not None
        turns.append(task)
        queue.done(task, 1.0)
        queue.add(task, task, 0.25)
    assert turns.count("back") in (5, 6)


def test_who_leaves_and_comes_back_is_still_charged() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.add("greedy", "greedy", 0.25)
    queue.add("patient", "patient", 0.25)
    turns = []
    for _ in range(40):
        task = queue.take(everything)
        assert task is not None
        turns.append(task)
        queue.done(task, 1.0 if task == "greedy" else 0.1)
        queue.add(task, task, 0.25)  # greedy ends each question and asks a new one at once
    assert turns.count("greedy") <= 5


def test_idle_owners_leave_nothing_behind() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(1000):
        queue.add(f"{number}", "task", 0.25)
        assert queue.take(everything) == "task"
        queue.done(f"{number}", 0.01)
    assert queue.take(everything) is None
    assert not queue._lines
