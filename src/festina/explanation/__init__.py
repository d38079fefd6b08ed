"""What a trained network of one's own consists of: modules, what each is for, and how well they imitate it."""

from festina.explanation._explain import explain as explain
