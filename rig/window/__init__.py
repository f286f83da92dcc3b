"""Show sessions in a window: a process of its own, which reads their journals and asks at their sockets.

No session waits for it. It may import views, live, records, supervisor, system and core. Begin with
`session_feed.SessionFeed`, which knows nothing of pictures, and `main_window.MainWindow`.
"""
