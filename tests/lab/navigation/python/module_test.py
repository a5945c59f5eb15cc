# Tests of lab/navigation/python/module.cpp: the world for policies in Python. tests/bindings/python/run runs them.
import numpy as np
import pytest

navigation = pytest.importorskip("elastane_navigation")


def heading_home(observation):
    """Straight to the dock, at full speed."""
    goal = observation[3 + navigation.RAYS:5 + navigation.RAYS]
    return navigation.SPEED * goal / np.linalg.norm(goal)


def test_the_same_seed_is_the_same_episode():
    runs = []
    for _ in range(2):
        world = navigation.World("moving")
        rows = [world.reset(5)[0]]
        for _ in range(20):
            rows.append(world.step(heading_home(rows[-1]))[0])
        runs.append(np.stack(rows))
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0][0], navigation.World("moving").reset(6)[0])


def test_an_episode_ends_by_arriving_or_at_its_limit():
    for seed in range(6):
        world = navigation.World()
        observation, info = world.reset(seed)
        assert observation.shape == (navigation.INPUTS,) and observation.dtype == np.float32
        assert info["steps"] == 0 and not info["arrived"]
        terminated = truncated = False
        steps = 0
        while not (terminated or truncated):
            observation, reward, terminated, truncated, info = world.step(heading_home(observation))
            steps += 1
            assert reward == -1
        assert info["steps"] == steps and info["arrived"] == terminated and terminated != truncated
        with pytest.raises(RuntimeError, match="call reset"):
            world.step([0, 0])


def test_commands_are_shortened_and_nan_stands_still():
    near, far = navigation.World(), navigation.World()
    near.reset(1), far.reset(1)
    assert np.array_equal(near.step([navigation.SPEED, 0])[0], far.step([1e6, 0])[0])
    before = near.step([0, 0])[4]["position"]
    assert near.step([np.nan, 0])[4]["position"] == before


def test_the_label_is_what_is_observed():
    world = navigation.World("blind")
    world.reset(2)
    for _ in range(40):
        observation = world.step([0.004, 0.002])[0]
        values, present = world.label()
        assert values.shape == present.shape == (navigation.OUTPUTS,)
        assert not present[:16].any() and np.isfinite(values).all()
        rays = observation[3:3 + navigation.RAYS]
        assert np.array_equal(present[18:18 + navigation.RAYS], np.isfinite(rays))
        assert np.array_equal(values[18:18 + navigation.RAYS][np.isfinite(rays)], rays[np.isfinite(rays)])


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match='unknown mode "stormy", expected one of still, dragged'):
        navigation.World("stormy")
    with pytest.raises(RuntimeError, match="no episode yet"):
        navigation.World().step([0, 0])
    with pytest.raises(ValueError, match="site: expected 0 to 11, found 12"):
        navigation.World().reset(1, site=12)
    world = navigation.World()
    world.reset(1)
    with pytest.raises(ValueError, match="expected 2 numbers"):
        world.step([1, 2, 3])
    with pytest.raises(ValueError, match="outputs"):
        navigation.command_of([1.0])
