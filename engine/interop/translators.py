"""The titles that 18xx.games has too; a further one is a folder here and an entry."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.interop.g1860 import reader as reader_1860
from engine.interop.g1860 import trace as trace_1860
from engine.interop.g1860 import writer as writer_1860
from engine.interop.g1862 import reader as reader_1862
from engine.interop.g1862 import trace as trace_1862
from engine.interop.g1862 import writer as writer_1862
from engine.interop.g1862.waiting import WAITING
from engine.interop.translator import Tracer, Translator

TRANSLATORS: Mapping[str, Translator] = MappingProxyType(
    {
        "1860": Translator(
            reader_1860.options,
            writer_1860.optional_rules,
            reader_1860.Reader,
            writer_1860.Writer,
            Tracer(trace_1860.state, trace_1860.options, trace_1860.best),
        ),
        "1862": Translator(
            reader_1862.options,
            writer_1862.optional_rules,
            reader_1862.Reader,
            writer_1862.Writer,
            Tracer(trace_1862.state, trace_1862.options, trace_1862.best),
            WAITING,
        ),
    }
)
