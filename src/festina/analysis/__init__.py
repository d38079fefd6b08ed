"""Trajectories and their analysis: learning times, semantic development, distances, agreement."""

from festina.analysis.compare import Agreement as Agreement
from festina.analysis.compare import StageAgreement as StageAgreement
from festina.analysis.compare import compare as compare
from festina.analysis.distance import final_distance as final_distance
from festina.analysis.distance import squared_distances as squared_distances
from festina.analysis.embedding import Embedding as Embedding
from festina.analysis.embedding import scale as scale
from festina.analysis.learned import LearningTimes as LearningTimes
from festina.analysis.passage import first_passage as first_passage
from festina.analysis.rdm import RDMs as RDMs
from festina.analysis.regime import LayerRegime as LayerRegime
from festina.analysis.regime import LearningRegime as LearningRegime
from festina.analysis.semantic import Differentiation as Differentiation
from festina.analysis.semantic import Illusions as Illusions
from festina.analysis.stages import Plateau as Plateau
from festina.analysis.stages import Stage as Stage
from festina.analysis.stages import Stages as Stages
from festina.analysis.trajectory import Trajectory as Trajectory
from festina.analysis.trajectory import load as load
