"""The page: how networks learn, topic by topic, in one HTML file that needs no network and no installation."""

from festina.page._serve import Server as Server
