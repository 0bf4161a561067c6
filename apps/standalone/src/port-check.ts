import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { StartRefusal } from "./start-refusal.ts";

/** A place that something will listen on, and the settings it was given by. */
export interface ListenPlace {
  host: string;
  port: number;
  hostName: string;
  portName: string;
}

/**
 * Throws a StartRefusal that says what to do when one of the places can't be listened on while the others are; port 0
 * always can.
 */
export async function requirePorts(places: ListenPlace[]): Promise<void> {
  const listening: Server[] = [];
  try {
    // Held until all are known: two settings may name the same place.
    for (const place of places) listening.push(await listenOn(place));
  } finally {
    await Promise.all(
      listening.map((server) => {
        const closed = once(server, "close");
        server.close();
        return closed;
      }),
    );
  }
}

async function listenOn(place: ListenPlace): Promise<Server> {
  const server = createServer();
  try {
    server.listen(place.port, place.host);
    await once(server, "listening");
    return server;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new StartRefusal(refusalOf(code ?? message, place), { cause });
  }
}

function refusalOf(code: string, { host, port, hostName, portName }: ListenPlace): string {
  if (code === "EADDRINUSE") {
    const other = port < 65_534 ? port + 1 : port - 1;
    return `Port ${port} of ${host} is taken. End what listens there, or choose another: ${portName}=${other} npm start`;
  }
  if (code === "EACCES")
    return `Port ${port} needs more rights than this user has; choose one above 1023 with ${portName}.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${hostName} ${host} is no address of this machine.`;
  return `${hostName} ${host}, ${portName} ${port} can't be listened on: ${code}.`;
}
