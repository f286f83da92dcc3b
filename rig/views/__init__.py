"""Turn the lines of a session's journal into charts, which the live window and the reports draw.

It may import records and core, and draws nothing itself. Begin with `chart.Chart`.
"""
