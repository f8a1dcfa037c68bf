"""What is raised reaches other processes: a pool of them hands errors on as pickles."""

import pickle

import pytest

from codeact import errors

_RAISED = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]


@pytest.mark.parametrize("kind", _RAISED)
def test_an_error_is_the_same_behind_a_pickle(kind):
    error = kind("network", "the kernel refuses", "Do this") if kind is errors.CageError else kind("so it went")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (kind, str(error), vars(error))


def test_a_wall_that_cannot_be_put_up_is_told_whole():
    told = str(errors.CageError("network", "the kernel refuses", "Do this"))
    assert told == "the network wall cannot be put up: the kernel refuses. Do this"
