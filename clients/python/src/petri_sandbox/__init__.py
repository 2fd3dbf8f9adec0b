"""Test code that uses the Lab Testing and Health Data Service against Petri, its offline sandbox."""

from ._intercept import Interception
from ._petri import Petri, World, connect, start
from ._receiver import Receiver, Received
from ._refusal import PetriProblem, PetriRefusal
from ._signature import verify

__all__ = [
    "Interception",
    "Petri",
    "PetriProblem",
    "PetriRefusal",
    "Received",
    "Receiver",
    "World",
    "connect",
    "start",
    "verify",
]
