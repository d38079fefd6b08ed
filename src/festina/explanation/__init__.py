"""What a trained network of one's own consists of: modules, what each is for, and how well they imitate it."""

from festina.explanation._explain import explain as explain
from festina.explanation._explanation import Explanation as Explanation
from festina.explanation._files import read_data as read_data
from festina.explanation._module import Direction as Direction
from festina.explanation._module import ExplainedLayer as ExplainedLayer
from festina.explanation._module import ExplainedModule as ExplainedModule
from festina.explanation._sentence import module_sentence as module_sentence
from festina.explanation._theory import Match as Match
from festina.explanation._training import Event as Event
