import { createServer } from "node:net";
import { StartRefusal } from "./start-refusal.ts";

/** Throws a StartRefusal that says what to do when `port` of `host` can't be listened on; 0 always can. */
export function requirePort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (cause: NodeJS.ErrnoException) => {
      reject(new StartRefusal(refusalOf(cause.code ?? cause.message, host, port), { cause }));
    });
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

function refusalOf(code: string, host: string, port: number): string {
  if (code === "EADDRINUSE") {
    const other = port < 65_535 ? port + 1 : port - 1;
    return `Port ${port} of ${host} is taken. End what listens there, or choose another: PORT=${other} npm start`;
  }
  if (code === "EACCES")
    return `Port ${port} needs more rights than this user has; choose one above 1023 with PORT.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `HOST ${host} is no address of this machine.`;
  return `HOST ${host}, PORT ${port} can't be listened on: ${code}.`;
}
