"""Expressions of the pseudo-code as functions of a Context; see pcode.py."""

import builtins_table
import floats
from values import Value, as_type, boolean, concat, constant, cut, float_value


def expression(e):
    return globals()["_get_" + e[0]](*e[1:])


def _get_num(value):
    return lambda c: value


def _get_name(name):
    if name in builtins_table.CONSTANTS:
        value = builtins_table.CONSTANTS[name]
        return lambda c: value
    return lambda c: c.variables[name]


def _get_field(e, name):
    key = f"{e[1]}.{name}"
    if key == "WAVE_MODE.IEEE":
        return lambda c: boolean(c.mode.ieee)
    return lambda c: c.variables[key]


def _get_type(e, kind, width):
    if e[0] == "name" and e[1] in ("INF", "NAN"):
        value = constant(e[1], width)
        return lambda c: value
    if e[0] == "index" and e[1] in (("name", "MEM"), ("name", "LDS")):
        address = expression(e[2])
        return lambda c: as_type(
            Value(c.machine.load(address(c).v, width // 8), width, "u"), kind, width
        )
    inner = expression(e)
    mask = (1 << width) - 1
    if kind == "i":
        return lambda c: as_type(inner(c), kind, width)

    def get(c):
        value = inner(c)
        return Value(value.v & mask, width, kind, value.tolerances)

    return get


def _get_cast(kind, width, e):
    inner = expression(e)

    def get(c):
        value = inner(c)
        if kind in ("f", "bf") and value.is_float:
            # A cast for a comparison or test, no arithmetic: NaNs stay signalling.
            target = floats.FORMATS[kind, width]
            bits = floats.convert(value.v, value.format, target)
            return Value(bits, width, kind, value.tolerances)
        return as_type(value, kind, width)

    return get


def _get_index(e, i):
    i = expression(i)
    if e[0] == "index" and e[1] == ("name", "VGPR"):
        lane = expression(e[2])
        return lambda c: c.machine.vgpr(lane(c).v, i(c).v)
    if e == ("name", "SGPR"):
        return lambda c: c.machine.sgpr(i(c).v)
    inner = expression(e)

    def get(c):
        whole = inner(c)
        n = i(c).v
        if isinstance(whole, list):
            return whole[n]
        return Value(whole.v >> n & 1, 1, "u")

    return get


def _get_slice(e, high, low):
    inner, high, low = expression(e), expression(high), expression(low)
    return lambda c: cut(inner(c), high(c).v, low(c).v)


def _get_upto(e, base, count):
    inner, base, count = expression(e), expression(base), expression(count)

    def get(c):
        low = base(c).v
        return cut(inner(c), low + count(c).v - 1, low)

    return get


def _get_concat(parts):
    parts = [expression(p) for p in parts]
    return lambda c: concat([p(c) for p in parts])


def _get_choose(condition, yes, no):
    condition, yes, no = expression(condition), expression(yes), expression(no)
    return lambda c: yes(c) if condition(c).v else no(c)


def _get_call(name, arguments):
    arguments = [expression(a) for a in arguments]
    function = builtins_table.FUNCTIONS.get(name)
    if function:
        return lambda c: function(c, *[a(c) for a in arguments])
    return lambda c: c.variables[name](c, [a(c) for a in arguments])


def _get_unary(op, e):
    inner = expression(e)
    if op == "!":
        return lambda c: boolean(not inner(c).v)
    if op == "+":
        return inner

    def get(c):
        value = inner(c)
        if value.is_float:
            return Value(value.v ^ value.format.sign_bit, value.width, value.kind, value.tolerances)
        return Value(-value.v if op == "-" else ~value.v, value.width, value.kind)

    return get


def _get_binary(op, a, b):
    a, b = expression(a), expression(b)
    if op == "&&":
        return lambda c: boolean(a(c).v and b(c).v)
    if op == "||":
        return lambda c: boolean(a(c).v or b(c).v)
    on_integers = INTEGER_OPERATORS.get(op) or COMPARISONS[op]
    gives_boolean = op in COMPARISONS

    def get(c):
        x, y = a(c), b(c)
        if x.is_float or y.is_float:
            return _float_operator(c, op, x, y)
        if gives_boolean:
            return boolean(on_integers(x.v, y.v))
        kind = "i" if "i" in (x.kind, y.kind) else "u"
        return Value(on_integers(x.v, y.v), max(x.width, y.width), kind)

    return get


INTEGER_OPERATORS = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x // y,
    "%": lambda x, y: x % y,
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "^": lambda x, y: x ^ y,
    "<<": lambda x, y: x << y,
    ">>": lambda x, y: x >> y,
    "**": lambda x, y: x**y,
}
COMPARISONS = {
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<>": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    ">": lambda x, y: x > y,
    "<=": lambda x, y: x <= y,
    ">=": lambda x, y: x >= y,
}


def _float_operator(c, op, x, y):
    if op in COMPARISONS:
        order = floats.compare(x.v, x.format, y.v, y.format)
        if order is None:
            return boolean(op == "!=")
        return boolean(COMPARISONS[op](order, 0))
    if x.format is not y.format:
        raise ValueError(f"{x!r} {op} {y!r}: formats differ")
    fmt = x.format
    if op == "-":
        y, op = Value(y.v ^ fmt.sign_bit, y.width, y.kind), "+"
    if op == "+":
        bits = floats.add(x.v, y.v, fmt, c.mode)
    elif op == "*":
        bits = floats.mul(x.v, y.v, fmt, c.mode)
    else:
        raise ValueError(f"{op} on floats")
    return float_value(bits, x.width, x.kind)
