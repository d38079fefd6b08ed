"""The page: five demos that show how networks learn, in one HTML file that needs no network and no installation."""

from festina.page._serve import Server as Server
