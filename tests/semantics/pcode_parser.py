"""Reads AMD's pseudo-code into a tree of tuples.

Expressions: ("num", Value) ("name", n) ("type", e, kind, width) ("cast", kind, width, e)
("index", e, i) ("slice", e, hi, lo) ("upto", e, base, count) ("call", name, args) ("unary", op, e)
("binary", op, a, b) ("choose", c, a, b) ("concat", parts) ("field", e, name)
Statements: ("assign", target, op, e) ("if", [(condition, body)...], otherwise)
("for", name, first, last, body) ("declare", name, kind, width, count) ("break",) ("return", e)
("lambda", name, parameters, body) ("do", e)
"""

import re

from values import Value, float_literal

TOKENS = re.compile(
    r"""\s+|//[^\n]*
    |(?P<cast>\d+'(?:bf|[UIFB])\b)
    |(?P<num>(?:\d+')?(?:0x[0-9a-fA-F]+|\d+\.\d+|\d+)(?:ULL|LL|U|F|L)?)
    |(?P<type>\.(?:bf|[uifb])\d+\b)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<op>\*\*|\+:|<<|>>|<=|>=|==|!=|<>|&&|\|\||\+=|-=|[-+*/%&|^~!<>=?:;,.(){}\[\]])""",
    re.VERBOSE,
)
TYPE = re.compile(r"(bf|[uifb])(\d+)$")
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!=", "<>"], ["<", ">", "<=", ">="],
          ["<<", ">>"], ["+", "-"], ["*", "/", "%"], ["**"]]
WORDS = {"if", "then", "elsif", "else", "endif", "for", "do", "endfor", "declare", "break",
         "return", "lambda"}


class ParseError(Exception):
    pass


def tokens(text):
    at = 0
    while at < len(text):
        m = TOKENS.match(text, at)
        if not m:
            raise ParseError(f"unexpected {text[at:at + 20]!r}")
        at = m.end()
        if m.lastgroup:
            yield m.lastgroup, m.group()
    yield "end", ""


class Parser:
    def __init__(self, text):
        self.tokens = list(tokens(text))
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def take(self):
        token = self.tokens[self.at]
        self.at += 1
        return token

    def accept(self, text):
        if self.peek() == text and self.tokens[self.at][0] in ("op", "name"):
            self.at += 1
            return True
        return False

    def expect(self, text):
        if not self.accept(text):
            raise ParseError(f"expected {text!r}, found {self.peek()!r}")

    def program(self):
        body = self.block(("",))
        if self.tokens[self.at][0] != "end":
            raise ParseError(f"left over: {self.peek()!r}")
        return body

    def block(self, ends):
        body = []
        while True:
            while self.accept(";"):
                pass
            if self.peek() in ends:
                return body
            body.append(self.statement())

    def statement(self):
        if self.accept("if"):
            return self.if_statement()
        if self.accept("for"):
            _, name = self.take()
            self.expect("in")
            first = self.binary(0)
            self.expect(":")
            last = self.expression()
            self.expect("do")
            body = self.block(("endfor",))
            self.expect("endfor")
            return "for", name, first, last, body
        if self.accept("declare"):
            return self.declaration()
        if self.accept("break"):
            return ("break",)
        if self.accept("return"):
            return "return", self.expression()
        target = self.binary(0)
        if self.accept("="):
            if self.peek() == "lambda":
                return self.lambda_definition(target[1])
            return "assign", target, "", self.expression()
        for op in ("+=", "-="):
            if self.accept(op):
                return "assign", target, op[0], self.expression()
        return "do", target

    def if_statement(self):
        arms, otherwise = [], []
        while True:
            condition = self.expression()
            self.expect("then")
            arms.append((condition, self.block(("elsif", "else", "endif"))))
            if self.accept("elsif"):
                continue
            if self.accept("else"):
                otherwise = self.block(("endif",))
            self.expect("endif")
            return "if", arms, otherwise

    def declaration(self):
        _, name = self.take()
        self.expect(":")
        width, kind = self.take_declared_type()
        count = None
        if self.accept("["):
            count = int(self.take()[1])
            self.expect("]")
        return "declare", name, kind, width, count

    def take_declared_type(self):
        width, kind = self.take()[1].split("'")
        return int(width), kind.lower()

    def lambda_definition(self, name):
        self.expect("lambda")
        self.expect("(")
        parameters = []
        while not self.accept(")"):
            parameters.append(self.take()[1])
            self.accept(",")
        self.expect("(")
        if self.peek() in ("if", "declare", "for"):
            body = self.block((")",))
        else:
            body = [("return", self.expression())]
        self.expect(")")
        return "lambda", name, parameters, body

    def expression(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        yes = self.expression()
        self.expect(":")
        return "choose", condition, yes, self.expression()

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in LEVELS[level] and self.tokens[self.at][0] == "op":
            op = self.take()[1]
            left = "binary", op, left, self.binary(level + 1)
        return left

    def unary(self):
        for op in "-+!~":
            if self.accept(op):
                return "unary", op, self.unary()
        return self.postfix(self.primary())

    def primary(self):
        kind, text = self.take()
        if kind == "num":
            return "num", number(text)
        if kind == "cast":
            width, to = text.split("'")
            self.expect("(")
            e = self.expression()
            self.expect(")")
            return "cast", to.lower(), int(width), e
        if text == "(":
            e = self.expression()
            self.expect(")")
            return e
        if text == "{":
            parts = [self.expression()]
            while self.accept(","):
                parts.append(self.expression())
            self.expect("}")
            return "concat", parts
        if kind != "name" or text in WORDS:
            raise ParseError(f"unexpected {text!r}")
        if self.peek() == "(":
            self.take()
            args = []
            while not self.accept(")"):
                args.append(self.expression())
                self.accept(",")
            return "call", text, args
        return "name", text

    def postfix(self, e):
        while True:
            kind, text = self.tokens[self.at]
            if kind == "type":
                self.take()
                k, width = TYPE.match(text[1:]).groups()
                e = "type", e, k, int(width)
            elif text == "." and kind == "op":
                self.take()
                e = "field", e, self.take()[1]
            elif text == "[" and kind == "op":
                self.take()
                first = self.expression()
                if self.accept(":"):
                    e = "slice", e, first, self.expression()
                elif self.accept("+:"):
                    e = "upto", e, first, self.expression()
                else:
                    e = "index", e, first
                self.expect("]")
            else:
                return e


def number(text):
    width = None
    if "'" in text:
        width, text = text.split("'")
        width = int(width)
    if "." in text:
        single = text.endswith("F")
        return float_literal(text.rstrip("F"), width or (32 if single else 64))
    hexadecimal = text.startswith("0x")
    digits = text.rstrip("UL") if hexadecimal else text.rstrip("ULF")
    kind = "u" if "U" in text or hexadecimal else "i"
    if width is None:
        width = 64 if text.endswith("LL") else 32
    return Value(int(digits, 0), width, kind)


def parse(text):
    return Parser(text).program()
