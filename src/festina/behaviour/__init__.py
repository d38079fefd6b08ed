"""Learning to decide: the tutor-executor network, its task, its agents, and animals on the same axes."""

from festina.behaviour._average import average as average
from festina.behaviour._network import Decider as Decider
from festina.behaviour._network import Shallow as Shallow
from festina.behaviour._network import TutorExecutor as TutorExecutor
from festina.behaviour._place import Placement as Placement
from festina.behaviour._place import place as place
from festina.behaviour._psychometric import Psychometric as Psychometric
from festina.behaviour._psychometric import fit_psychometric as fit_psychometric
from festina.behaviour._simulate import simulate as simulate
from festina.behaviour._stationary import StationaryPoint as StationaryPoint
from festina.behaviour._stationary import distances as distances
from festina.behaviour._stationary import stationary_points as stationary_points
from festina.behaviour._table import Table as Table
from festina.behaviour._table import read_table as read_table
from festina.behaviour._table import record as record
from festina.behaviour._table import table as table
from festina.behaviour._task import DecisionTask as DecisionTask
from festina.behaviour._task import decision_task as decision_task
