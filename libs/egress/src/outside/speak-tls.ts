import { connect, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** Answers the question for TLS as PostgreSQL does, and hands on what comes by it. */
export function speakTls(socket: Socket, secure: { key: string; cert: string }, port: number): void {
  socket.once("data", () => {
    socket.write("S");
    const plain = new TLSSocket(socket, { isServer: true, ...secure });
    const there = connect(port, "127.0.0.1");
    for (const end of [plain, there]) end.on("error", () => undefined);
    plain.pipe(there).pipe(plain);
    plain.on("close", () => there.destroy());
  });
}
