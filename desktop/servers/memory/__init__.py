"""The bundled short-term memory server: values and a timeline for each session, which are forgotten after a time."""
