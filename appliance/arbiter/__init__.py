"""Facts in, rulings out: the referee's judgement as one state machine."""
