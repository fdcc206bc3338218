"""The last minute's frames."""

from __future__ import annotations

from appliance.live.recent import ALL_NS, LONGEST_NS, SPARSE_NS, Kept, Recent

MS, S = 1_000_000, 1_000_000_000


def filled(*instants_ns: int) -> Recent:
    recent = Recent()
    for index, t_ns in enumerate(instants_ns):
        recent.add(Kept(index=index, t_ns=t_ns, data=b""))
    return recent


def test_before_and_after() -> None:
    recent = filled(1 * S, 2 * S, 3 * S)
    before, after = recent.before(2 * S), recent.after(2 * S)
    assert before is not None
    assert before == after
    assert before.index == 1
    between = recent.before(2 * S + 1), recent.after(2 * S + 1)
    assert [one.index for one in between if one is not None] == [1, 2]
    assert recent.before(1 * S - 1) is None
    assert recent.after(3 * S + 1) is None


def test_all_of_the_newest_and_a_few_a_second_of_the_older_are_kept() -> None:
    recent = filled(*(n * 40 * MS for n in range(25 * 90)))  # 90 s at 25 a second
    newest = 25 * 90 * 40 * MS - 40 * MS
    assert len(recent) == ALL_NS // (40 * MS) + 1 + (LONGEST_NS - ALL_NS) // SPARSE_NS
    oldest = recent.after(0)
    assert oldest is not None
    assert newest - LONGEST_NS <= oldest.t_ns < newest - LONGEST_NS + 2 * SPARSE_NS
    gaps = []
    t_ns = oldest.t_ns
    while (found := recent.after(t_ns + 1)) is not None:
        gaps.append(found.t_ns - t_ns)
        t_ns = found.t_ns
    assert max(gaps) <= 2 * SPARSE_NS
    assert gaps[-100:] == [40 * MS] * 100


def test_after_a_pause_what_became_old_meanwhile_is_thinned_too() -> None:
    recent = filled(*(n * 40 * MS for n in range(100)), 20 * S)
    assert len(recent) == 8 + 1
