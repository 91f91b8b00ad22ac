"""Executes the pseudo-code: the tree of pcode_parser becomes nested Python closures.

A Context holds the variables by name (S0, D0, SCC, laneId, temporaries) and whatever the text can
reach: memory, register files, MODE. What the text assigns is found in `variables` afterwards.
"""

import floats
from pcode_expressions import expression
from pcode_parser import parse
from values import Value, as_type, cut, float_value, put

# Names that stand for storage of a fixed width; others are temporaries that take any value.
REGISTERS = {"D0", "D1", "S0", "VCC", "EXEC", "SCC", "PC", "RETURN_DATA", "VDATA", "SDATA", "M0"}


class Context:
    def __init__(self, variables, mode, machine=None):
        self.variables = variables
        self.mode = mode
        self.machine = machine  # load, store, vgpr, set_vgpr, sgpr, set_sgpr
        self.saturate = False  # CLAMP on integers: what does not fit is limited, not cut


class _Break(Exception):
    pass


class _Return(Exception):
    def __init__(self, value):
        self.value = value


def compile_text(text):
    """A function of a Context that executes the text."""
    return _body(parse(text))


def _body(statements):
    steps = [_statement(s) for s in statements]

    def run(c):
        for step in steps:
            step(c)

    return run


def _statement(s):
    return globals()["_do_" + s[0]](*s[1:])


def _do_assign(target, op, e):
    value = expression(("binary", op, target, e) if op else e)
    store = _target(target)
    return lambda c: store(c, value(c))


def _do_if(arms, otherwise):
    compiled = [(expression(condition), _body(body)) for condition, body in arms]
    last = _body(otherwise)

    def run(c):
        for condition, body in compiled:
            if condition(c).v:
                return body(c)
        return last(c)

    return run


def _do_for(name, first, last, body):
    first, last, body = expression(first), expression(last), _body(body)

    def run(c):
        try:
            for i in range(first(c).v, last(c).v + 1):
                c.variables[name] = Value(i, 32, "i")
                body(c)
        except _Break:
            pass

    return run


def _do_break():
    def run(c):
        raise _Break

    return run


def _do_return(e):
    value = expression(e)

    def run(c):
        raise _Return(value(c))

    return run


def _do_declare(name, kind, width, count):
    def run(c):
        if count is not None:
            # FMA_MIX declares S, which is there already: the sources.
            if not isinstance(c.variables.get(name), list):
                c.variables[name] = [Value(0, width, kind) for _ in range(count)]
        elif name not in c.variables:
            c.variables[name] = Value(0, width, kind)

    return run


def _do_lambda(name, parameters, body):
    run = _body(body)

    def call(c, arguments):
        scope = Context(dict(c.variables), c.mode, c.machine)
        scope.variables.update(zip(parameters, arguments))
        try:
            run(scope)
        except _Return as r:
            return r.value
        raise ValueError(f"{name} returns nothing")

    def define(c):
        c.variables[name] = call

    return define


def _do_do(e):
    return expression(e)


# Targets of assignments: functions of the context and a value.


def _target(e):
    return globals()["_to_" + e[0]](*e[1:])


def _to_name(name):
    if name in REGISTERS:

        def store(c, value):
            old = c.variables[name]
            c.variables[name] = put(old, 0, old.width, value)

    else:

        def store(c, value):
            c.variables[name] = value

    return store


def _convert(c, value, kind, width):
    """What `x.f32 = value` stores."""
    if value.is_float and kind in ("f", "bf") and (value.kind, value.width) != (kind, width):
        target = floats.FORMATS[kind, width]
        bits = floats.convert(value.v, value.format, target, c.mode)
        return float_value(bits, width, kind)
    if c.saturate and kind in "iu" and not value.is_float:
        low, high = (-(1 << (width - 1)), 1 << (width - 1)) if kind == "i" else (0, 1 << width)
        return Value(min(max(value.v, low), high - 1), width, kind)
    return as_type(value, kind, width)


def _to_type(e, kind, width):
    if e[0] == "index" and e[1] in (("name", "MEM"), ("name", "LDS")):
        address = expression(e[2])

        def store(c, value):
            c.machine.store(address(c).v, width // 8, _convert(c, value, kind, width).bits())

        return store
    if e[0] == "name" and e[1] in REGISTERS:
        name = e[1]

        def store(c, value):
            part = _convert(c, value, kind, width)
            c.variables[name] = put(c.variables[name], 0, width, part)

        return store
    inner = _target(e)
    return lambda c, value: inner(c, _convert(c, value, kind, width))


def _part_store(e):
    """Reads and writes the whole of which an index or slice is assigned."""
    while e[0] == "type":  # D0.u64[i]: the bits of D0
        e = e[1]
    name = e[1]

    def load(c):
        return c.variables.get(name) or Value(0, 0, "u")

    def store(c, value):
        c.variables[name] = value

    return load, store


def _to_index(e, i):
    i = expression(i)
    if e[0] == "index" and e[1] == ("name", "VGPR"):
        lane = expression(e[2])
        return lambda c, value: c.machine.set_vgpr(lane(c).v, i(c).v, value)
    if e == ("name", "SGPR"):
        return lambda c, value: c.machine.set_sgpr(i(c).v, value)
    if e == ("name", "LDS"):
        return lambda c, value: c.machine.store(i(c).v, 4, value.bits(32))
    load, store = _part_store(e)

    def assign(c, value):
        whole = load(c)
        if isinstance(whole, list):
            whole[i(c).v] = value
        else:
            store(c, put(whole, i(c).v, 1, value))

    return assign


def _to_slice(e, high, low):
    high, low = expression(high), expression(low)
    load, store = _part_store(e)

    def assign(c, value):
        h, l = high(c).v, low(c).v
        if h >= l:
            store(c, put(load(c), l, h - l + 1, value))
        else:
            raise ValueError("assignment to reversed bits")

    return assign


def _to_concat(parts):
    def width(e):
        return e[3] if e[0] == "type" else 32

    targets = [(_target(e), width(e)) for e in parts]

    def assign(c, value):
        at = 0
        for store, w in reversed(targets):
            store(c, cut(value, at + w - 1, at))
            at += w

    return assign
