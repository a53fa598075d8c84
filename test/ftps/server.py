"""A real FTPS server (pyftpdlib) for a test: CERTIFICATE KEY FOLDER USER PASSWORD KIND; prints its port."""

import sys

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import TLS_DTPHandler, TLS_FTPHandler
from pyftpdlib.servers import FTPServer

certificate, key, folder, user, password, kind = sys.argv[1:]


class Data(TLS_DTPHandler):
    def readable(self):
        # pyftpdlib 1.5.7 takes a handshake that comes before RETR for a disconnect.
        return self._ssl_accepting or super().readable()


class Handler(TLS_FTPHandler):
    dtp_handler = Data
    certfile = certificate
    keyfile = key
    tls_control_required = True
    tls_data_required = True

    def __init__(self, conn, server, ioloop=None):
        super().__init__(conn, server, ioloop)
        # What implicit means: the handshake comes before the greeting.
        if kind == "implicit":
            self.secure_connection(self.ssl_context)


Handler.authorizer = DummyAuthorizer()
Handler.authorizer.add_user(user, password, folder, perm="elr")
server = FTPServer(("127.0.0.1", 0), Handler)
print(server.socket.getsockname()[1], flush=True)
server.serve_forever(handle_exit=False)
