"""The nouns: tasks, networks, theories, methods and what they observe."""

from festina.core.assumption import Assumption as Assumption
from festina.core.assumption import AssumptionError as AssumptionError
from festina.core.curriculum import Curriculum as Curriculum
from festina.core.curriculum import sequence as sequence
from festina.core.embedded_points import EmbeddedPassage as EmbeddedPassage
from festina.core.embedded_points import EmbeddedPoint as EmbeddedPoint
from festina.core.layered import Layered as Layered
from festina.core.layered import LayeredForward as LayeredForward
from festina.core.loss import Binary as Binary
from festina.core.loss import CrossEntropy as CrossEntropy
from festina.core.loss import Huber as Huber
from festina.core.loss import Loss as Loss
from festina.core.loss import OwnLoss as OwnLoss
from festina.core.loss import SquaredError as SquaredError
from festina.core.method import Method as Method
from festina.core.method import Run as Run
from festina.core.network import Context as Context
from festina.core.network import Data as Data
from festina.core.network import Network as Network
from festina.core.network import mean_loss as mean_loss
from festina.core.observations import Observations as Observations
from festina.core.statistics import Statistics as Statistics
from festina.core.task import Task as Task
from festina.core.theory import Solution as Solution
from festina.core.theory import Start as Start
from festina.core.theory import Theory as Theory
