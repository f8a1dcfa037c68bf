"""Libraries read, call and set what a name says: where a snippet gave it, by the rules of snippets."""

from __future__ import annotations

import pytest

from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore")


def run(library: str, source: str):
    pytest.importorskip(library)
    return Step(check_first=False, imports=(library, "numpy")).run(source)


STACK = (
    "import json\nfrom sklearn.ensemble import StackingClassifier\nclass S(StackingClassifier):\n"
    "    def _concatenate_predictions(self, X, found): return found\ns = S([])\n"
)
PARAMS = "from sklearn.base import BaseEstimator\n"

#: Each gets at what a snippet may not read, or stores where it may not.
GIVEN = {
    "a function's globals, by a method's name": (
        "sklearn",
        f"{PARAMS}class A:\n    def m(self): pass\nA.m._get_param_names = lambda: ['__globals__']\n"
        "BaseEstimator.get_params(A().m, deep=False)",
    ),
    "by a text that lies": (
        "sklearn",
        f"{PARAMS}class S(str):\n    def __eq__(self, other): return True\n    def __hash__(self): return 1\n"
        "    def __getitem__(self, at): return 'x'\nclass A:\n    def m(self): pass\n"
        "A.m._get_param_names = lambda: [S('__globals__')]\nBaseEstimator.get_params(A().m, deep=False)",
    ),
    "how an object is made": (
        "sklearn",
        f"{PARAMS}class A(BaseEstimator):\n    @classmethod\n    def _get_param_names(cls): return ['__reduce_ex__']\n"
        "A().get_params()",
    ),
    "a library's function's globals, by a list of methods": (
        "sklearn",
        f"{STACK}s.estimators_, s.stack_method_ = [json.dumps], ['__getattribute__']\ns.transform('__globals__')",
    ),
    "a text that names attributes": (
        "sklearn",
        f"{STACK}s.estimators_, s.stack_method_ = ['{{0.__class__}}'], ['format']\ns.transform(1)",
    ),
    "a private part of another library": (
        "sklearn",
        f"{PARAMS}import argparse\nclass A(argparse.ArgumentParser):\n    def _get_param_names(self): return ['_registries']\n"
        "BaseEstimator.get_params(A(), deep=False)",
    ),
    "attributes one after the other": (
        "sklearn",
        f"{PARAMS}from sklearn.feature_selection import SelectFromModel\nclass E(BaseEstimator):\n    def fit(self, *a): return self\n"
        "SelectFromModel(E(), importance_getter='fit.__func__.__globals__').fit([[1]], [1]).threshold_",
    ),
    "what a printer calls": (
        "sympy",
        "import sympy, json\nclass P(sympy.StrPrinter, str):\n    printmethod = '__getattribute__'\n"
        "    def __new__(cls): return str.__new__(cls, '__globals__')\n    def __init__(self): super().__init__()\nP().doprint(json.dumps)",
    ),
    "the class of an object, set": (
        "scipy",
        "from scipy.interpolate import Rbf\nclass A: pass\nRbf([1, 2, 3], [1, 2, 3], **{'__class__': A})",
    ),
}


@pytest.mark.parametrize(("library", "source"), GIVEN.values(), ids=GIVEN)
def test_a_name_given_to_a_library_reads_and_sets_what_a_snippet_may(library, source):
    failure = run(library, source).failure
    assert failure is not None
    assert (failure.kind, failure.type) in {
        ("refused", "AttributeError"),
        ("raised", "TypeError"),
    }


def test_names_given_to_libraries_do_what_they_did():
    source = (
        "import sklearn, numpy as np\nfrom sklearn.base import BaseEstimator\nfrom sklearn.feature_selection import SelectFromModel\n"
        "from sklearn.linear_model import LinearRegression, LogisticRegression\nfrom sklearn.ensemble import StackingClassifier\n"
        "class Own(BaseEstimator):\n    def __init__(self, _hidden=1, depth=2): self._hidden, self.depth = _hidden, depth\n"
        "own = Own().set_params(depth=5)\nX, y = np.array([[0., 1], [1, 0], [0, 2], [2, 0]] * 3), [0, 1, 0, 1] * 3\n"
        "chosen = SelectFromModel(LinearRegression(), importance_getter='coef_', threshold='mean').fit(X, y)\n"
        "stack = StackingClassifier([('a', LogisticRegression())], cv=2).fit(X, y)\n"
        "[own.get_params(), sklearn.clone(own).depth, chosen.threshold_ > 0, stack.predict(X).tolist() == y]"
    )
    outcome = run("sklearn", source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value == [{"_hidden": 1, "depth": 5}, 5, True, True]


def test_no_facade_offers_what_its_module_has_for_its_own_use():
    outcome = run("numpy", "import numpy\n[hasattr(numpy, name) for name in ('getattr', 'setattr', 'delattr')]")
    assert outcome.value == [False, False, False]


#: Library → what writes names or numbers by the text T, a text that it takes, and one that names an attribute.
NAMED_BY_FORMAT = {
    "matplotlib": (
        "import matplotlib.pyplot as plt\naxes = plt.gca()\n"
        "if hasattr(axes, 'pie_label'): axes.pie_label(axes.pie([1, 2]), T)\nelse: T.format(frac=1, absval=1)",
        "{frac:.0%}",
        "{absval.__class__}",
    ),
    "sklearn": (
        "from sklearn.compose import ColumnTransformer\nfrom sklearn.preprocessing import StandardScaler\n"
        "made = ColumnTransformer([('own', StandardScaler(), [0])], verbose_feature_names_out=T)\n"
        "made.fit([[1.], [2.]]).get_feature_names_out()",
        "{transformer_name}/{feature_name}",
        "{transformer_name.__class__}",
    ),
}


@pytest.mark.parametrize(("library", "of"), NAMED_BY_FORMAT.items(), ids=list(NAMED_BY_FORMAT))
def test_a_text_by_which_a_library_writes_names_names_no_attribute_that_is_refused(library, of):
    source, plain, hostile = of
    assert "__class__" in run(library, f"T = {hostile!r}\n{source}").failure.message
    assert run(library, f"T = {plain!r}\n{source}").failure is None
