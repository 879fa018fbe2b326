from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

from memarena.errors import UsageError
from memarena.floors import Verbatim
from memarena.records import Record
from memarena.testing import AdapterContract, CheckFailed, DatasetContract, checks_of, run_checks
from memarena.testing.checks import Stage
from memarena.testing.output import captured

pytest_plugins = ["pytester"]

KINDS = ["adapter", "instrument", "scorer", "dataset", "judge", "answerer", "executor"]

HEADER = """
    import pytest
    from memarena.floors import Verbatim
    from memarena.testing import AdapterContract
"""


def outcomes(pytester: pytest.Pytester, source: str) -> tuple[dict[str, int], str]:
    pytester.makepyfile(dedent(HEADER) + dedent(source))
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-n0", "-rs")
    return result.parseoutcomes(), result.stdout.str()


@pytest.mark.parametrize("kind", KINDS)
def test_every_check_says_what_holds_and_how_to_repair(kind):
    for check in checks_of(kind):
        assert check.about.endswith("."), check.name
        assert check.repair.endswith("."), check.name


@pytest.mark.parametrize("kind", KINDS)
def test_the_checks_of_a_kind_have_names_of_their_own(kind):
    names = [check.name for check in checks_of(kind)]
    assert len(set(names)) == len(names) > 3


def test_a_kind_without_a_contract_is_a_usage_error_that_names_those_that_have_one():
    with pytest.raises(UsageError, match="no contract for the kind 'adaptor'; there is one for: adapter, instrument"):
        list(run_checks(Verbatim, "adaptor"))


def test_a_contract_class_has_one_test_a_check():
    tests = {name for name in dir(AdapterContract) if name.startswith("test_")}
    assert tests == {f"test_{check.name}" for check in checks_of("adapter")} | {"test_no_check_is_overridden"}


def test_a_test_shows_the_repair_of_its_check_in_its_docstring():
    assert "If this fails: cut the list" in AdapterContract.test_k_obeyed.__doc__


def test_six_lines_are_a_whole_test_file(pytester):
    counts, _ = outcomes(
        pytester, "class TestMine(AdapterContract):\n        make = Verbatim\n".replace("        ", "    ")
    )
    assert counts == {"passed": 27, "skipped": 3}


def test_what_is_not_claimed_is_skipped_with_the_reason(pytester):
    _, text = outcomes(pytester, "class TestMine(AdapterContract):\n    make = Verbatim\n")
    assert "it does not claim to be found again (persistent)" in text


def test_a_failure_ends_with_the_repair(pytester):
    source = """
    class Greedy(Verbatim):
        def retrieve(self, query):
            return super().retrieve(query, 1000)

    class TestMine(AdapterContract):
        make = Greedy
    """
    counts, text = outcomes(pytester, source)
    assert counts["failed"] == 1
    assert "If this fails: cut the list, e.g. `items[:top_k]`." in text


def test_an_overridden_check_is_found(pytester):
    source = """
    class TestMine(AdapterContract):
        make = Verbatim

        def test_k_obeyed(self):
            pass
    """
    counts, text = outcomes(pytester, source)
    assert counts["failed"] == 1
    assert "TestMine.test_k_obeyed does not run the check of the contract" in text


def test_a_removed_check_is_found(pytester):
    source = """
    class TestMine(AdapterContract):
        make = Verbatim
        test_k_obeyed = None
    """
    assert outcomes(pytester, source)[0]["failed"] == 1


def test_an_expected_failure_with_a_reason_is_allowed(pytester):
    source = """
    class Greedy(Verbatim):
        def retrieve(self, query):
            return super().retrieve(query, 1000)

    class TestMine(AdapterContract):
        make = Greedy

        @pytest.mark.xfail(reason="the backend has no limit", strict=True)
        def test_k_obeyed(self, tmp_path):
            super().test_k_obeyed(tmp_path)
    """
    counts, _ = outcomes(pytester, source)
    assert counts.get("failed", 0) == 0
    assert counts["xfailed"] == 1


def test_an_expected_failure_without_a_reason_is_found(pytester):
    source = """
    class TestMine(AdapterContract):
        make = Verbatim

        @pytest.mark.xfail
        def test_k_obeyed(self, tmp_path):
            raise AssertionError
    """
    assert outcomes(pytester, source)[0]["failed"] == 1


class WithOptions(Verbatim):
    class Options(Record, frozen=True, kw_only=True):
        size: int = 7

    def __init__(self, options):
        super().__init__()
        self.size = options.size


def make_sized() -> Verbatim:
    return Verbatim()


class ByClass(AdapterContract):
    make = WithOptions


class ByFunction(AdapterContract):
    make = make_sized


class ByStaticMethod(AdapterContract):
    make = staticmethod(make_sized)


class ByMethod(AdapterContract):
    size = 9

    def make(self):
        return WithOptions(WithOptions.Options(size=self.size))


class ByLambda(AdapterContract):
    make = lambda: Verbatim()  # noqa: E731, PLW0108


@pytest.mark.parametrize("contract", [ByClass, ByFunction, ByStaticMethod, ByMethod, ByLambda])
def test_a_plugin_is_made_by_a_class_a_function_or_a_method(contract, tmp_path):
    assert isinstance(contract().stage(tmp_path).plugin(), Verbatim)


def test_a_class_with_options_is_made_with_their_defaults(tmp_path):
    assert ByClass().stage(tmp_path).plugin().size == 7


def test_a_method_may_use_the_test_class(tmp_path):
    assert ByMethod().stage(tmp_path).plugin().size == 9


def test_a_contract_without_make_says_so(tmp_path):
    class Empty(DatasetContract):
        pass

    with pytest.raises(CheckFailed, match=r"Empty\.make is not set"):
        Empty().stage(tmp_path)


def test_an_error_of_the_plugin_is_a_failed_check_and_the_others_go_on():
    def broken() -> Verbatim:
        raise OSError("no libfoo")

    results = list(run_checks(broken))
    assert len(results) == len(checks_of("adapter"))
    assert results[0].outcome == "failed"
    assert results[0].message == "OSError: no libfoo"


def test_output_is_captured_from_python_and_from_child_processes(tmp_path):
    with captured(tmp_path) as output:
        print("from print")
        print("from stderr", file=sys.stderr)
        subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)
    assert sorted(output.text.split("\n")) == ["", "from a child", "from print", "from stderr"]


def test_the_kit_is_imported_and_works_without_pytest():
    code = """
    import sys
    sys.modules["pytest"] = None
    from memarena.floors import Verbatim
    from memarena.testing import AdapterContract, run_checks
    print({result.outcome for result in run_checks(Verbatim)} <= {"passed", "skipped"})
    """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout == "True\n"


def test_a_stage_makes_a_new_plugin_each_time(tmp_path):
    stage = Stage(make=Verbatim, folder=tmp_path)
    assert stage.plugin() is not stage.plugin()
