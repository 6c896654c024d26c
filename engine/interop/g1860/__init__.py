"""Games of 1860 to and from 18xx.games."""

from engine.interop.g1860 import trace
from engine.interop.g1860.reader import Reader, options
from engine.interop.g1860.writer import Writer, optional_rules
from engine.interop.translator import Tracer, Translator

TRANSLATOR = Translator(options, optional_rules, Reader, Writer, Tracer(trace.state, trace.options, trace.best))
