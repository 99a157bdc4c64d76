"""Evaluates arithmetic exactly and within bounds: a parsed tree of known operations, never Python's ``eval``."""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

MAX_LENGTH = 1_000
MAX_DEPTH = 300
MAX_BITS = 40_000
"""About 12,000 digits."""
MAX_SHOWN_DIGITS = 2_000

Number = int | Fraction | float


class CalculationError(ValueError):
    """Says in one sentence why an expression has no value here."""


_SPELLINGS = str.maketrans(
    dict(
        zip(
            "×✕·⋅＊÷／∕−－–＋（）【】，．。％＾　\n\t０１２３４５６７８９",
            "*****///---+()(),..%^   0123456789",
            strict=True,
        )
    )
    | {"π": "pi"}
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CONSTANTS: Mapping[str, Number] = {"pi": math.pi, "e": math.e, "tau": math.tau}


def calculate(expression: str) -> str:
    """Return the value of ``expression`` as text. Raises ``CalculationError``."""
    text = expression.translate(_SPELLINGS).replace("^", "**").strip().removesuffix("=").strip()
    if not re.search(r"[A-Za-z]", text):  # in max(1,200) the comma separates arguments
        text = _THOUSANDS.sub("", text)
    if not text:
        raise CalculationError("The expression is empty.")
    if len(text) > MAX_LENGTH:
        raise CalculationError(f"The expression is longer than {MAX_LENGTH} characters.")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise CalculationError(f"“{expression.strip()[:100]}” is not an arithmetic expression.") from None
    try:
        return _shown(_evaluate(tree.body, text, 0))
    except ZeroDivisionError:
        raise CalculationError("Division by zero has no value.") from None
    except OverflowError:
        raise CalculationError("The result is too large.") from None
    except (ValueError, TypeError) as error:
        if isinstance(error, CalculationError):
            raise
        raise CalculationError(f"There is no value: {error}.") from None


def _evaluate(node: ast.expr, text: str, depth: int) -> Number:
    if depth > MAX_DEPTH:
        raise CalculationError("The expression is nested too deeply.")
    match node:
        case ast.Constant():
            return _number(node, text)
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_evaluate(operand, text, depth + 1))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _bounded(_BINARY[type(op)](_evaluate(left, text, depth + 1), _evaluate(right, text, depth + 1)))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return _bounded(_FUNCTIONS[name](*(_evaluate(arg, text, depth + 1) for arg in args)))
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)):
            raise CalculationError(
                f"“{name}” is not known here. Known: {', '.join(sorted([*_FUNCTIONS, *_CONSTANTS]))}."
            )
        case _:
            raise CalculationError("Only numbers, + - * / // % ^, parentheses and a few functions can be used.")


def _number(node: ast.Constant, text: str) -> Number:
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CalculationError("Only numbers can be used.")
    if isinstance(value, int):
        return _bounded(value)
    # 0.1 is meant as one tenth: taken as it is written, decimal fractions stay exact.
    literal = (ast.get_source_segment(text, node) or "").replace("_", "")
    decimal = Decimal(literal)
    if not decimal.is_finite() or abs(decimal.adjusted()) > 400:
        raise CalculationError("The number is too large or too small.")
    return _simplest(Fraction(decimal))


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(exponent, int) and not isinstance(base, float):
        size = max(abs(base.numerator), base.denominator).bit_length()
        if size * abs(exponent) > MAX_BITS:
            raise CalculationError("The power is too large.")
        return _simplest(Fraction(base) ** exponent) if exponent < 0 else base**exponent
    return _float(float(base) ** float(exponent))


def _divide(left: Number, right: Number) -> Number:
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    return _simplest(Fraction(left) / Fraction(right))


def _float(value: Any) -> float:
    if isinstance(value, complex):
        raise CalculationError("The result is not a real number.")
    return float(value)


def _square_root(value: Number) -> Number:
    if value < 0:
        raise CalculationError("A negative number has no real square root.")
    if isinstance(value, int) and (root := math.isqrt(value)) ** 2 == value:
        return root
    return math.sqrt(value)


def _factorial(value: Number) -> Number:
    if not isinstance(value, int) or value < 0:
        raise CalculationError("A factorial needs a whole number that is not negative.")
    if value > 3_000:
        raise CalculationError("The factorial is too large.")
    return math.factorial(value)


def _rounded(value: Number, digits: Number = 0) -> Number:
    if not isinstance(digits, int) or abs(digits) > 100:
        raise CalculationError("round() needs a small whole number of digits.")
    if isinstance(value, float):
        return round(value, digits) if digits else round(value)
    scale = Fraction(10) ** digits
    magnitude = Fraction(math.floor(abs(value) * scale + Fraction(1, 2))) / scale  # a half goes up, as at school
    return _simplest(-magnitude if value < 0 else magnitude)


def _logarithm(value: Number, base: Number | None = None) -> Number:
    return math.log(value) if base is None else math.log(value, base)


def _trigonometric(function: Callable[[float], float]) -> Callable[[Number], Number]:
    # 15 places: sin(pi) is 0 and not what is left of pi's rounding.
    return lambda value: round(function(float(value)), 15)


def _bounded(value: Number) -> Number:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise CalculationError("The result is too large.")
        return value
    if max(abs(value.numerator), value.denominator).bit_length() > MAX_BITS:
        raise CalculationError("The result is too large.")
    return _simplest(value)


def _simplest(value: Number) -> Number:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


_UNARY: Mapping[type[ast.unaryop], Callable[[Number], Number]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divide,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "ceil": math.ceil,
    "cos": _trigonometric(math.cos),
    "exp": math.exp,
    "factorial": _factorial,
    "floor": math.floor,
    "ln": math.log,
    "log": _logarithm,
    "log10": math.log10,
    "log2": math.log2,
    "max": max,
    "min": min,
    "round": _rounded,
    "sin": _trigonometric(math.sin),
    "sqrt": _square_root,
    "tan": _trigonometric(math.tan),
}


def _shown(value: Number) -> str:
    if isinstance(value, int):
        return _shown_integer(value)
    if isinstance(value, Fraction):
        denominator = value.denominator
        for prime in (2, 5):
            while denominator % prime == 0:
                denominator //= prime
        exact = _exact_decimal(value) if denominator == 1 else None
        return exact if exact is not None else _shown_float(float(value))
    return _shown_float(value)


def _shown_integer(value: int) -> str:
    digits = int(value.bit_length() * math.log10(2)) + 1
    if digits > MAX_SHOWN_DIGITS:
        raise CalculationError(f"The result has about {digits} digits, too many to show.")
    return str(value)


def _exact_decimal(value: Fraction) -> str | None:
    """Return a fraction that ends as a decimal in full, or None when that would take more than 30 places."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
        if places > 30:
            return None
    scaled = str(abs(int(value * 10**places))).rjust(places + 1, "0")
    if len(scaled) > MAX_SHOWN_DIGITS:
        return None
    return f"{'-' if value < 0 else ''}{scaled[:-places]}.{scaled[-places:]}"


def _shown_float(value: float) -> str:
    text = f"{value:.15g}"
    return "0" if text == "-0" else text
