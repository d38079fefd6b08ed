"""A task: what is to be learned."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np

from festina.checks import check
from festina.checks.check import MAX_MAGNITUDE
from festina.checks.shapes import ArrayLike
from festina.core.labels import check_rows, column_names, one_hot_labels, row_names
from festina.core.loss import Loss, as_loss
from festina.core.naming import name_distinction
from festina.core.statistics import RANK_TOLERANCE, Statistics, points_from_statistics
from festina.runtime.device import in_double
from festina.storage.description import Storable

IDLE = 1e-10
"""Output directions whose targets are below this share of the largest singular value carry no target."""

AnyTask = TypeVar("AnyTask", bound="Task")


@dataclass(frozen=True, eq=False, repr=False)
class Task(Storable):
    """Inputs and targets, one data point per row; validated, immutable, with names.

    Args:
        x: inputs, shape ``(N, inputs)``; the columns of a DataFrame give their names. Rows of x and y are paired by
            position; tables of the same rows in another order are refused.
        y: targets, shape ``(N, outputs)``, or ``(N,)`` for one output.
        labels: instead of ``y``, one class label per data point, whole numbers or text: each class becomes one output,
            which is 1 for the data points of the class and 0 for others. Outputs are in the order of the sorted labels:
            of numbers by size, of text by the alphabet.
        loss: what outputs cost: ``"squared"`` error, ``"cross_entropy"`` of a softmax of the outputs, ``"binary"``
            cross-entropy of each output, ``"huber"``; a loss with settings, such as
            ``fs.core.CrossEntropy(smoothing=0.1)``; or a function ``(outputs, targets) -> one number per data point``.
            Every loss is a mean over data points.
        inputs, outputs, items: names of the columns of ``x``, of the columns of ``y`` and of the rows; optional.
        contexts: the context that each data point belongs to, one name per row; optional.
        categories: names of sets of items, such as ``{"birds": ["canary", "robin"]}``, which answers use; optional.
        test: data points that are not learned, ``(x, y)``, or ``(x, labels)`` where the task has labels, or a task with
            the same inputs and outputs, which may have ``contexts``. ``fs.evolve(..., observe=("test_loss",
            "test_accuracy"))`` then follows them.
        name: what to call the task in tables and figures.
        whitening: the matrix that made its inputs white, where ``whitened`` did; set by that method.
        draw: ``(key, count) -> (x, y)``, fresh data points with a JAX key, hashable; ``fs.Train(batch=...)`` then takes
            each batch from it. None: the data points are all there is.
        given: ``"data"``, or ``"statistics"`` where x and y only have the correlations of the task, which is all that
            linear networks depend on; see ``from_statistics``.

    Raises:
        ValueError: data that are not finite, not matrices, empty, masked, too large or too small to be squared, of
            different length, or misnamed; class labels given as ``y``; targets that do not suit the loss.

    Example:
        >>> import festina as fs
        >>> task = fs.Task(x=[[1.0, 0.0], [0.0, 1.0]], y=[[1.0], [-1.0]], outputs=["sign"])
        >>> task
        Task('task': 2 items, 2 inputs, 1 outputs)
        >>> task.statistics.rank
        1
        >>> fs.Task([[0.1], [0.7], [0.9]], labels=["cat", "dog", "cat"]).y.tolist()
        [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
        >>> fs.Task([[0.1], [0.7], [0.9]], labels=["cat", "dog", "cat"], loss="cross_entropy")
        Task('task': 3 items, 1 inputs, 2 outputs, cross_entropy)
    """

    x: Any
    y: Any = None
    labels: InitVar[Any] = field(default=None, kw_only=True)
    loss: Loss | Any = field(default="squared", kw_only=True)
    inputs: Sequence[str] = field(default=(), kw_only=True)
    outputs: Sequence[str] = field(default=(), kw_only=True)
    items: Sequence[str] = field(default=(), kw_only=True)
    contexts: Sequence[str] = field(default=(), kw_only=True)
    categories: Mapping[str, Sequence[str]] = field(default_factory=dict, kw_only=True)
    test: Any = field(default=None, kw_only=True)
    name: str = field(default="task", kw_only=True)
    whitening: np.ndarray | None = field(default=None, kw_only=True)
    draw: Callable[[Any, int], tuple[Any, Any]] | None = field(default=None, kw_only=True)
    given: Literal["data", "statistics"] = field(default="data", kw_only=True)

    def __post_init__(self, labels: object) -> None:
        check.text("name", self.name)
        columns = {"inputs": column_names("x", self.x), "items": row_names(self.x) or row_names(self.y)}
        for name, given in (("y", self.y), ("labels", labels), ("contexts", self.contexts)):
            check_rows(self.x, name, given)
        x = check.matrix("x", self.x)
        if labels is None:
            columns["outputs"] = column_names("y", self.y)
            y = _targets(self.y)
        elif self.y is None:
            y, columns["outputs"] = one_hot_labels(labels)
        else:
            raise ValueError("y and labels are both given; give y (numbers) or labels (one class per data point).")
        object.__setattr__(self, "loss", as_loss(self.loss))
        if len(x) != len(y):
            named = "y" if labels is None else "labels"
            raise ValueError(f"x has {len(x)} rows and {named} has {len(y)}; both need one row per data point.")
        for name, array in (("x", x), ("y", y)):
            if 0 in array.shape:
                raise ValueError(f"{name} has shape {array.shape}: no data; give at least one row and one column.")
            largest = float(np.max(np.abs(array)))
            if largest and not 1 / MAX_MAGNITUDE <= largest <= MAX_MAGNITUDE:
                raise ValueError(
                    f"{name} has a largest absolute value of {largest:.3g}, whose powers double precision cannot "
                    f"represent; choose units in which it lies between {1 / MAX_MAGNITUDE:g} and {MAX_MAGNITUDE:g}: "
                    f"divide {name} by a constant."
                )
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        self.loss.check_targets(y)
        if check.known("given", self.given, ("data", "statistics")) == "statistics":
            self.require_squared("a task that is given by its correlations")
        for name, count in (("inputs", x.shape[1]), ("outputs", y.shape[1]), ("items", len(x))):
            object.__setattr__(self, name, self._names(name, count, columns[name]))
        contexts = self._listed("contexts", len(x), "rows")
        if len(contexts) not in (0, len(x)):
            raise ValueError(f"contexts has {len(contexts)} names for {len(x)} rows; give one per data point, or none.")
        object.__setattr__(self, "contexts", contexts)
        object.__setattr__(self, "categories", self._checked_categories())
        if self.test is not None:
            object.__setattr__(self, "test", self._checked_test(() if labels is None else columns["outputs"]))

    def _checked_test(self, classes: tuple[str, ...]) -> "Task":
        test = self.test
        if not isinstance(test, Task):
            needed = f"a pair (x, {'labels' if classes else 'y'}) or a task"
            pair = check.listing("test", test, needed)
            if len(pair) != 2:
                raise ValueError(f"test holds {len(pair)} things; {needed} is needed.")
            check_rows(pair[0], "test", pair[1])
            columns = column_names("test", pair[0])
            if columns != self.inputs and set(columns) == set(self.inputs):
                raise ValueError(
                    f"test has the columns {', '.join(columns)}, and x {', '.join(self.inputs)}; they are paired by "
                    "position: give test x in the order of x, such as test_x[x.columns]."
                )
            y = one_hot_labels(pair[1], classes, "test labels")[0] if classes else pair[1]
            test = Task(pair[0], y, loss=self.loss, name=f"test of {self.name}")
        own, shape = (self.x.shape[1], self.y.shape[1]), (test.x.shape[1], test.y.shape[1])
        if shape != own or test.loss != self.loss:
            raise ValueError(
                f"test has {shape[0]} inputs, {shape[1]} outputs and the loss {test.loss.name!r}; those of the task, "
                f"{own[0]}, {own[1]} and {self.loss.name!r}, are needed."
            )
        return replace(test, inputs=self.inputs, outputs=self.outputs)

    @property
    def groups(self) -> tuple[str, ...]:
        """The contexts of the task, each once, in order of first appearance.

        Example:
            >>> import festina as fs
            >>> fs.Task([[1.0], [2.0], [3.0]], [[1.0], [0.0], [1.0]], contexts=["b", "a", "b"]).groups
            ('b', 'a')
        """
        return tuple(dict.fromkeys(self.contexts))

    def _listed(self, name: str, count: int, what: str) -> tuple[str, ...]:
        """Names that were given; a range, which takes no memory, is not listed where it is far too long."""
        given = getattr(self, name)
        if isinstance(given, range) and given[count:]:
            raise ValueError(f"{name} is {given} for {count} {what}; give one name each, or none.")
        return tuple(map(str, check.listing(name, given, "names")))

    def _checked_categories(self) -> dict[str, tuple[str, ...]]:
        check.instance("categories", self.categories, Mapping, "a dictionary from names to lists of items")
        found = {}
        for name, given in self.categories.items():
            members = tuple(map(str, check.listing(f"categories[{name!r}]", given, "names of items")))
            for member in members:
                check.known(f"categories[{name!r}]", member, self.items)
            found[str(name)] = members
        return found

    def named(self, names: str) -> bool:
        """Whether ``"inputs"``, ``"outputs"`` or ``"items"`` have names of their own, not numbers.

        Example:
            >>> import festina as fs
            >>> task = fs.Task([[1.0]], [[2.0]], outputs=["height"])
            >>> task.named("outputs"), task.named("inputs")
            (True, False)
        """
        given = getattr(self, check.known("names", names, ("inputs", "outputs", "items")))
        return given != _default_names(names, len(given))

    @cached_property
    def classes(self) -> np.ndarray | None:
        """The class of each data point, as the number of its output, where targets are one-hot; None elsewhere.

        Example:
            >>> import festina as fs
            >>> fs.Task([[0.1], [0.7], [0.9]], labels=["cat", "dog", "cat"]).classes
            array([0, 1, 0])
        """
        one_hot_rows = np.all((self.y == 0) | (self.y == 1)) and np.all(self.y.sum(axis=1) == 1)
        return self.y.argmax(axis=1) if one_hot_rows and 1 < self.y.shape[1] < len(self.y) else None

    @cached_property
    def mode_names(self) -> tuple[str, ...]:
        """Distinction that each mode of ``statistics`` makes, in the words of the task.

        Example:
            >>> import festina as fs
            >>> fs.tasks.living_things(8).mode_names[1:3]
            ('animals | plants: move ↔ roots', 'birds | fish: fly ↔ swim')
            >>> fs.Task([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1], [0, 1], [2, 0]]).mode_names
            ('item 3: output 1', 'items 1, 2: output 2')
        """
        along = self.x @ self.statistics.right
        return tuple(name_distinction(self, p, u) for p, u in zip(along.T, self.statistics.left.T, strict=True))

    def require_squared(self, what: str) -> None:
        """Raise an error that says that ``what`` needs squared error, if the loss is another.

        Example:
            >>> import festina as fs
            >>> fs.Task([[0.1], [0.7]], [[0.0], [1.0]]).require_squared("this")
        """
        if not self.loss.squared:
            raise ValueError(
                f"task {self.name!r} has the loss {self.loss.name!r}; {what} needs loss='squared': only then do "
                "correlations of inputs and targets determine what is learned."
            )

    def _names(self, name: str, count: int, columns: tuple[str, ...]) -> tuple[str, ...]:
        names = self._listed(name, count, name) or columns or _default_names(name, count)
        if len(names) != count:
            raise ValueError(f"{name} has {len(names)} names for {count} {name}; give one each, or none.")
        if len(set(names)) != count:
            raise ValueError(f"{name} holds a name twice; names must differ, so that they can label axes.")
        return names

    @classmethod
    def from_statistics(
        cls: "type[AnyTask]",
        input_correlation: ArrayLike,
        cross_correlation: ArrayLike,
        *,
        power: float | None = None,
        **fields: Any,
    ) -> "AnyTask":
        """A task that is known by its correlations Σx = ⟨x xᵀ⟩, Σyx = ⟨y xᵀ⟩ and Tr Σy = ⟨‖y‖²⟩ instead of data points.

        Its ``x`` and ``y`` are inputs + 1 points with exactly these correlations: linear networks, their theories and
        ``fs.Flow`` depend on nothing else. Networks that are not linear need ``draw``.

        Args:
            input_correlation: Σx, symmetric without negative eigenvalues, shape (inputs, inputs).
            cross_correlation: Σyx, shape (outputs, inputs), zero for inputs that do not vary.
            power: Tr Σy; None takes the least possible, Tr Σyx Σx⁺ Σyxᵀ, so that a linear map can reach loss 0.
            fields: further arguments of ``fs.Task``: names, ``draw``, and the fields of a subclass.

        Raises:
            ValueError: correlations that no data points have.

        Example:
            >>> import festina as fs
            >>> task = fs.Task.from_statistics([[2.0, 0.0], [0.0, 1.0]], [[1.0, 0.5]], power=1.0)
            >>> task.statistics.input_correlation.round(6).tolist(), round(task.statistics.power, 6)
            ([[2.0, 0.0], [0.0, 1.0]], 1.0)
            >>> task
            Task('task': given by statistics, 2 inputs, 1 outputs)
        """
        x, y = points_from_statistics(input_correlation, cross_correlation, power)
        return cls(x, y, given="statistics", **fields)

    def sampled(self, count: int, seed: int = 0) -> "Task":
        """``count`` data points from the generator, as a task of data points; equal seeds give equal points.

        Raises:
            ValueError: the task has no generator (``draw``).

        Example:
            >>> import festina as fs
            >>> fs.tasks.integration(inputs=2, length=3).sampled(100)
            Task('integration': 100 items, 6 inputs, 1 outputs)
        """
        import jax

        count, seed = check.whole("count", count), check.whole("seed", seed, least=0)
        draw = self.draw
        if draw is None:
            raise ValueError(f"task is {self!r} without a generator; make it with draw=..., or use its data points.")
        with in_double():
            one = jax.eval_shape(lambda key: draw(key, 1), jax.random.PRNGKey(seed))
            check.size("count", count, sum(part.size for part in jax.tree.leaves(one)))
            x, y = (np.asarray(part) for part in draw(jax.random.PRNGKey(seed), count))
        return Task(x, y, inputs=self.inputs, outputs=self.outputs, name=self.name, loss=self.loss)

    def reversed(self: "AnyTask") -> "AnyTask":
        """The task with the sign of every target reversed: a network at λ = 0 that has learned the task is then on a
        saddle.

        Example:
            >>> import festina as fs
            >>> fs.Task([[1.0]], [[2.0]]).reversed().y
            array([[-2.]])
        """
        test = None if self.test is None else self.test.reversed()
        return replace(self, y=-self.y, name=f"{self.name}, reversed", test=test)

    def revised(self: "AnyTask", items: Mapping[str, ArrayLike]) -> "AnyTask":
        """The task with new targets for some items: what was learned about them turns out to be wrong.

        Args:
            items: new target row, by the item's name.

        Raises:
            ValueError: an item that the task does not have, or a row that is not of its length.

        Example:
            >>> import festina as fs
            >>> task = fs.Task([[1.0, 0.0], [0.0, 1.0]], [[1.0], [1.0]], items=["robin", "whale"], outputs=["fish"])
            >>> task.revised({"whale": [0.0]}).y.tolist()
            [[1.0], [0.0]]
        """
        check.instance("items", items, Mapping, "a dictionary from names of items to target rows")
        y = self.y.copy()
        for name, given in items.items():
            at = list(self.items).index(check.known("items", name, self.items))
            row = check.numbers(f"items[{name!r}]", given)
            if row.shape != y[at].shape:
                raise ValueError(
                    f"items[{name!r}] has shape {row.shape}; one value per output, {y[at].shape}, is needed."
                )
            y[at] = row
        return replace(self, y=y, name=f"{self.name}, revised")

    def whitened(self, *, reduce: bool = False) -> "Task":
        """The task with inputs x' = Σx^{−1/2} x, so that Σx' = 1: what the λ-balanced solution needs.

        This whitening changes the inputs least, so that they keep their names. Targets stay as they are; a linear map
        W' of the new inputs is the map W'Σx^{−1/2} of the old ones.

        Args:
            reduce: where inputs do not vary in every direction (fewer data points than inputs, or inputs that are sums
                of others), replace them by as many white coordinates as there are directions.

        Raises:
            ValueError: inputs that are all zero, or, without ``reduce``, do not vary in every direction.

        Example:
            >>> import festina as fs
            >>> task = fs.Task([[2.0, 0.0], [0.0, 1.0]], [[1.0], [2.0]]).whitened()
            >>> task.statistics.input_correlation
            array([[1., 0.],
                   [0., 1.]])
        """
        return whiten((self,), f"task {self.name!r}", reduce)[0]

    def spanned(self: "AnyTask") -> tuple["AnyTask", np.ndarray]:
        """The task in the span of its targets, and the rotation that leads back: y = y' rotationᵀ.

        Small random weights into output directions that have no target stay where they are and change the loss by their
        square; Gaussian weights look the same in any rotated basis. So a network learns both tasks in the same way, and
        fewer outputs cost less.

        Example:
            >>> import festina as fs
            >>> task, rotation = fs.Task([[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [2.0, 2.0]]).spanned()
            >>> task.y.shape, (task.y @ rotation.T).round(6).tolist()
            ((2, 1), [[1.0, 1.0], [2.0, 2.0]])
        """
        self.require_squared("spanned()")
        _, s, vt = np.linalg.svd(self.y, full_matrices=False)
        rotation = vt[s > IDLE * s[0]].T
        test = None if self.test is None else replace(self.test, y=self.test.y @ rotation, outputs=())
        return replace(self, y=self.y @ rotation, outputs=(), test=test), rotation

    def typicality(self) -> np.ndarray:
        """How typical each item is of the category that each mode stands for, (items, modes).

        ``trajectory.typicality()`` gives the same for what a network has learned.
        """
        return self.y @ self.statistics.left / self.statistics.targets

    def prototypes(self) -> np.ndarray:
        """The properties that the category of each mode has, (modes, outputs): the prototype.

        ``trajectory.prototypes()`` gives the same for what a network has learned.
        """
        return self.statistics.targets[:, None] * self.statistics.left.T

    @cached_property
    def statistics(self) -> Statistics:
        """Correlations of the task and their modes: what the learning of a linear network depends on."""
        return Statistics(self.x, self.y)

    def __repr__(self) -> str:
        inputs, outputs = self.x.shape[1], self.y.shape[1]
        size = f"{len(self.x)} items" if self.given == "data" else "given by statistics"
        loss = "" if self.loss.squared else f", {self.loss.name}"
        return f"Task({self.name!r}: {size}, {inputs} inputs, {outputs} outputs{loss})"


def _default_names(name: str, count: int) -> tuple[str, ...]:
    return tuple(f"x{i + 1}" if name == "inputs" else f"{name[:-1]} {i + 1}" for i in range(count))


def _targets(value: object) -> np.ndarray:
    """y as a matrix: a vector of numbers is one output; labels are not taken for numbers."""
    if value is None:
        raise ValueError("y is missing; give y (one row of target values per data point) or labels (one class each).")
    array = check.plain("y", value)
    whole, text = array.dtype.kind in "iu", array.dtype.kind in "USO"
    if array.ndim == 1 and array.size and (whole or (text and all(isinstance(v, str | bytes | int) for v in array))):
        raise ValueError(
            f"y holds one {'whole number' if whole else 'label'} per data point, as class labels do; use "
            "fs.Task(x, labels=y), which makes one output per class (one-hot), or, where it is one numerical output, "
            "give floats: np.asarray(y, float)."
        )
    array = check.numbers("y", array)
    return check.matrix("y", array[:, None] if array.ndim == 1 else array)


def one_hot(y: np.ndarray, **names: Any) -> Task:
    """The task of naming the properties ``y`` (one row per item) of one-hot items: Σx = 1/P."""
    return Task(np.eye(len(y)), y, **names)


def whiten(tasks: tuple[Task, ...], name: str, reduce: bool) -> tuple[Task, ...]:
    """The tasks on inputs x' = Σx^{−1/2} x, with Σx of all their inputs together; ``name`` is what errors say."""
    turn = _whitening(np.vstack([task.x for task in tasks]), name, check.flag("reduce", reduce))
    return tuple(_apply(task, turn) for task in tasks)


def _whitening(x: np.ndarray, name: str, reduce: bool) -> np.ndarray:
    """The matrix that x is multiplied with: symmetric where the inputs vary in every direction."""
    _, sigma, bt = np.linalg.svd(x, full_matrices=False)
    rank = int(np.sum(sigma > RANK_TOLERANCE * sigma[0])) if sigma[0] > 0 else 0
    if rank == 0:
        raise ValueError(f"{name} has inputs that are all zero; there is nothing to whiten.")
    turn = bt[:rank].T * (np.sqrt(len(x)) / sigma[:rank])
    if rank == x.shape[1]:
        return turn @ bt[:rank]
    if not reduce:
        raise ValueError(
            f"{name} varies in {rank} directions of its {x.shape[1]} inputs, so Σx = 1 is out of reach; "
            f"use whitened(reduce=True), which replaces the inputs by {rank} white coordinates."
        )
    return turn


def _apply(task: Task, turn: np.ndarray) -> Task:
    names = task.inputs if turn.shape[0] == turn.shape[1] else [f"white {i + 1}" for i in range(turn.shape[1])]
    whole = turn if task.whitening is None else task.whitening @ turn
    test = None if task.test is None else _apply(task.test, turn)
    return replace(task, x=task.x @ turn, inputs=names, test=test, name=f"{task.name}, whitened", whitening=whole)


def check_task(value: object, name: str = "task") -> None:
    """Raise where ``value`` is not a task."""
    check.instance(name, value, Task, "fs.Task(x, y) or fs.tasks.<name>(...)")
