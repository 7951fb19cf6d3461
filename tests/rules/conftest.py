"""Settings of the property tests: no deadlines (machines are shared), and a longer run on demand.

``pytest --hypothesis-profile=thorough`` tries thirty times as many examples.
"""

from hypothesis import settings

settings.register_profile("usual", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=3000)
settings.load_profile("usual")
