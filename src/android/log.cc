// The one sink of the logging macros.
