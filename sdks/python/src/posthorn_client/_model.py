from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, cast

# The `url` of a portal session contains its token.
_HIDDEN = frozenset({"secret", "key", "pull_key", "token", "url", "auth_password", "secret_headers"})


class Model:
    """
    An object of an answer. Its attributes are the fields of the API in snake_case. A field that the server left out is
    None. You can also read a field that is newer than this library. `to_dict()` returns the whole object.
    """

    _data: dict[str, Any]
    _fields: ClassVar[frozenset[str]] = frozenset()
    _shapes: ClassVar[Mapping[str, object]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._fields = frozenset(name for name in cls.__annotations__ if not name.startswith("_"))

    def __init__(self, data: Mapping[str, Any]) -> None:
        if not isinstance(data, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{type(self).__name__} must be an object")
        self.__dict__["_data"] = dict(data)

    def to_dict(self) -> dict[str, Any]:
        """Return the object as it arrived, with the field names of the API."""
        return dict(self._data)

    if not TYPE_CHECKING:  # A type checker finds wrong names.

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            key = json_name(name)
            if key not in self._data and name not in self._fields:
                raise AttributeError(f"{type(self).__name__} has no field {name}")
            value = _shape(self._data.get(key), self._shapes.get(name))
            self.__dict__[name] = value
            return value

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError("an answer cannot be changed: use the method that updates it")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and type(other) is type(self) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._fields]

    def __repr__(self) -> str:
        """Show the fields, but hide secrets, which do not belong in a log."""
        shown = [
            f"{name}={'…' if name in _HIDDEN and value else repr(value)}"
            for name in self.__annotations__
            if not name.startswith("_") and (value := getattr(self, name)) is not None
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def describe(model: type[Model], shapes: Mapping[str, object]) -> None:
    """Set which fields hold models: `Model`, `[Model]` for a list of them, `{"": Model}` for a map."""
    model._shapes = shapes  # pyright: ignore[reportPrivateUsage]


def json_name(name: str) -> str:
    """Return the name of a field in the API: `from` for `from_`, `endpointId` for `endpoint_id`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)


def _shape(value: object, shape: object) -> object:
    """Turn a value into models. A value that does not have the shape stays as it is."""
    if isinstance(shape, type) and isinstance(value, Mapping):
        return shape(value)
    if isinstance(shape, list) and isinstance(value, list):
        (item,) = cast("list[object]", shape)
        return [_shape(one, item) for one in cast("list[object]", value)]
    if isinstance(shape, dict) and isinstance(value, Mapping):
        (item,) = cast("dict[str, object]", shape).values()
        return {key: _shape(one, item) for key, one in cast("Mapping[str, object]", value).items()}
    return value
