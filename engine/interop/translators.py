"""The titles that 18xx.games has too; a further one is a folder here and a line."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.interop.g1860 import TRANSLATOR as G1860
from engine.interop.g1862 import TRANSLATOR as G1862
from engine.interop.translator import Translator

TRANSLATORS: Mapping[str, Translator] = MappingProxyType({"1860": G1860, "1862": G1862})
