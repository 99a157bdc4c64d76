"""What was sent to the model, looked at: piece by piece, with what was left out, and saved as JSON."""
