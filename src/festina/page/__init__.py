"""The page: how networks learn, topic by topic, in one HTML file that needs no network and no installation."""

from festina.page._page import Server as Server
from festina.page._page import page_path as page_path
from festina.page._page import topic_settings as topic_settings
from festina.page._page import widget_path as widget_path
