import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.plots.labels import Page, boxes_at, overlaps, place

ROOM = (300.0, 200.0)


def brute_overlap(a, b):
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def arrange(spots, sizes, others=None, **options):
    page = Page(ROOM, np.vstack([spots] if others is None else [spots, others]))
    offsets, kept = place(page, spots, sizes, np.full(len(spots), 3.0), **options)
    boxes = np.array([boxes_at(s + o, z) for s, o, z in zip(spots, offsets, sizes, strict=True)])
    return boxes.reshape(-1, 4), kept


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.sampled_from([0.0, 30.0, 1000.0]))
def test_texts_never_overlap_and_stay_on_the_panel(seed, k, spread):
    rng = np.random.default_rng(seed)
    spots = np.clip(rng.normal([150, 100], spread, (k, 2)), 1, [299, 199])
    sizes = np.column_stack([rng.uniform(10, 90, k), np.full(k, 9.6)])
    boxes, kept = arrange(spots, sizes)
    shown = boxes[kept]
    assert kept.any()
    assert (shown[:, :2] >= 0).all() and (shown[:, 2:] <= ROOM).all()
    for i in range(len(shown)):
        for j in range(i):
            assert not brute_overlap(shown[i], shown[j])


def test_everything_has_a_place_where_there_is_room():
    grid = np.stack(np.meshgrid([60.0, 150.0, 240.0], [40.0, 100.0, 160.0]), -1).reshape(-1, 2)
    boxes, kept = arrange(grid, np.tile([50.0, 9.6], (9, 1)))
    assert kept.all()
    reach = np.abs((boxes[:, :2] + boxes[:, 2:]) / 2 - grid)
    assert (reach <= [25 + 5, 4.8 + 5]).all()  # each text touches its own point


@pytest.mark.slow
def test_the_same_points_give_the_same_places():
    rng = np.random.default_rng(1)
    spots, sizes = rng.uniform(20, 180, (25, 2)), np.tile([45.0, 9.6], (25, 1))
    first, again = arrange(spots, sizes), arrange(spots, sizes)
    assert np.array_equal(first[0], again[0]) and np.array_equal(first[1], again[1])


def test_texts_avoid_points():
    spot = np.array([[150.0, 100.0]])
    right = np.column_stack([np.linspace(156, 200, 12), np.full(12, 100.0)])
    boxes, _ = arrange(spot, np.array([[40.0, 9.6]]), right)
    inside = (right > boxes[0, :2]) & (right < boxes[0, 2:])
    assert not inside.all(axis=1).any()


def test_a_direction_is_followed():
    spot, size = np.array([[150.0, 100.0]]), np.array([[40.0, 9.6]])
    for direction in ([1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]):
        boxes, _ = arrange(spot, size, directions=np.array([direction]))
        centre = (boxes[0, :2] + boxes[0, 2:]) / 2 - spot[0]
        assert centre @ direction > 0.9 * np.linalg.norm(centre)


@pytest.mark.slow
def test_reach_and_patience_leave_texts_out():
    spots = np.full((12, 2), [150.0, 100.0]) + np.arange(12)[:, None] * 0.1
    sizes = np.tile([80.0, 9.6], (12, 1))
    far, _ = arrange(spots, sizes)
    _, near = arrange(spots, sizes, reach=5.0)
    _, picky = arrange(spots, sizes, patience=0.0)
    assert near.sum() < 12 and picky.sum() < 12 and len(far) == 12


def test_the_most_important_text_is_kept():
    """Where two texts cannot both be placed, the one that comes first is."""
    page = Page((70.0, 14.0), np.array([[35.0, 7.0], [36.0, 7.0]]))
    sizes = np.tile([32.0, 9.6], (2, 1))
    spots = np.array([[33.0, 7.0], [66.0, 7.0]])
    _, kept = place(page, spots, sizes, np.full(2, 1.0))
    assert kept[0]


def test_boxes_that_are_taken_stay_free():
    page = Page(ROOM, np.empty((0, 2)))
    page.taken = np.array([[100.0, 50.0, 250.0, 150.0]])
    spots = np.array([[99.0, 100.0], [251.0, 100.0], [175.0, 155.0]])
    sizes = np.tile([40.0, 9.6], (3, 1))
    offsets, kept = place(page, spots, sizes, np.full(3, 3.0))
    for i in np.flatnonzero(kept):
        assert not brute_overlap(boxes_at(spots[i] + offsets[i], sizes[i]), page.taken[0])
    assert kept.all()


def test_sums_under_boxes_count_the_spots():
    rng = np.random.default_rng(0)
    spots = rng.permutation(np.stack(np.meshgrid(np.arange(90), np.arange(70)), -1).reshape(-1, 2))
    spots = spots[:800] + 0.5  # one spot per cell at most
    page = Page((90.0, 70.0), spots)
    corner = rng.integers(0, 60, (50, 2)).astype(float)
    boxes = np.hstack([corner, corner + rng.integers(1, 25, (50, 2))])
    inside = (spots[None] > boxes[:, None, :2]) & (spots[None] < boxes[:, None, 2:])
    assert np.array_equal(page.under(boxes), inside.all(axis=2).sum(axis=1))


@pytest.mark.parametrize("gap", [0.0, 2.0])
def test_overlaps_is_symmetric_and_right(gap):
    rng = np.random.default_rng(2)
    corner = rng.uniform(0, 50, (60, 2))
    boxes = np.hstack([corner, corner + rng.uniform(1, 20, (60, 2))])
    found = overlaps(boxes[:, None], boxes[None], gap)
    wide = boxes + gap * np.array([-1, -1, 1, 1])
    expected = [[brute_overlap(a, b) for b in boxes] for a in wide]
    assert np.array_equal(found, found.T) and np.array_equal(found, expected)
