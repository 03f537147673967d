"""What the worker answers about cards and budgets: this machine as a report, and what each budget would buy for a model.

Owns the gathering of what `engine.placement` computes with: figures kept on this machine, a model's sizes, and what its
neurons are known to do. Plain functions; the worker makes events of what they return.
"""
