import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { StartRefusal } from "./start-refusal.ts";

/** A place that something will listen on, and the settings it was given by. */
export interface ListenPlace {
  host: string;
  port: number;
  hostName: string;
  /** The setting to change. */
  portName: string;
  /** The setting behind the port, if `portName` alone would mislead. */
  portIs?: string;
}

/**
 * Throws a StartRefusal with the remedy if one of the addresses can't be listened on while the others are; port 0 always
 * can.
 */
export async function requirePorts(places: ListenPlace[]): Promise<void> {
  for (const place of places) {
    await listenOn(place).then(close, (cause: NodeJS.ErrnoException) => {
      throw new StartRefusal(refusalOf(cause.code ?? cause.message, place), { cause });
    });
  }
  await requireNoneTwice(places);
}

/** Each is free by itself; held together, those that are one place meet, also under two names (`0.0.0.0` is all). */
async function requireNoneTwice(places: ListenPlace[]): Promise<void> {
  const held: { server: Server; place: ListenPlace }[] = [];
  try {
    for (const place of places) {
      const server = await listenOn(place).catch((cause: unknown) => {
        const other = held.find((one) => one.place.port === place.port)?.place;
        throw other ? new StartRefusal(sameAs(other, place), { cause }) : cause;
      });
      held.push({ server, place });
    }
  } finally {
    await Promise.all(held.map(({ server }) => close(server)));
  }
}

async function listenOn(place: ListenPlace): Promise<Server> {
  const server = createServer();
  server.listen(place.port, place.host);
  await once(server, "listening");
  return server;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  await closed;
}

/** Another port, which leaves a further one above it that differs from this one. */
const otherThan = (port: number): number => (port < 65_534 ? port + 1 : port - 2);

function sameAs(other: ListenPlace, { port, portName, portIs = portName }: ListenPlace): string {
  const whose = `${portIs} is the same as ${other.portIs ?? other.portName}: ${port}`;
  return `${whose}. Choose another: ${portName}=${otherThan(port)} npm start`;
}

function refusalOf(code: string, { host, port, hostName, portName }: ListenPlace): string {
  if (code === "EADDRINUSE")
    return `Port ${port} of ${host} is taken. End the program that listens there, or choose another: ${portName}=${otherThan(port)} npm start`;
  if (code === "EACCES")
    return `Port ${port} needs more rights than this user has; choose one above 1023 with ${portName}.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${hostName} ${host} is no address of this machine.`;
  return `${hostName} ${host}, ${portName} ${port} can't be listened on: ${code}.`;
}
