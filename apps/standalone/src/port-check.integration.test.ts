import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { freePort, leakCheck } from "@bulkhead/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requirePorts } from "./port-check.ts";

leakCheck();

const HOST = "127.0.0.1";
const api = (port: number) => ({ host: HOST, port, hostName: "HOST", portName: "PORT" });
const metrics = (port: number) => ({ host: HOST, port, hostName: "METRICS_HOST", portName: "METRICS_PORT" });

let taken: Server;
let port: number;
beforeEach(async () => {
  port = await freePort();
  taken = createServer().listen(port, HOST);
  await once(taken, "listening");
});
afterEach(() => close());

async function close(): Promise<void> {
  if (!taken.listening) return;
  const closed = once(taken, "close");
  taken.close();
  await closed;
}

test("a port that is taken is named with the setting that can change it", async () => {
  const refused = requirePorts([api(0), metrics(port)]);
  await expect(refused).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is taken. End the program that listens there, or choose another: METRICS_PORT=${port + 1} npm start`,
  );
});

test("one free port for two settings is refused as that, not as taken, and both are named", async () => {
  await close();
  const another = `: ${port}. Choose another: METRICS_PORT=${port + 1} npm start`;
  const refused = requirePorts([api(port), metrics(port)]);
  await expect(refused).rejects.toThrow(`METRICS_PORT is the same as PORT${another}`);
  const workers = { ...metrics(port), host: "0.0.0.0", portIs: "the worker's, one above METRICS_PORT," };
  await expect(requirePorts([api(port), metrics(0), workers])).rejects.toThrow(
    `the worker's, one above METRICS_PORT, is the same as PORT${another}`,
  );
});

test("a port suggested at the upper end leaves room for the worker's above it", async () => {
  await close();
  const atTheEnd = [api(65_534), { ...metrics(65_534) }];
  await expect(requirePorts(atTheEnd)).rejects.toThrow("METRICS_PORT=65532 npm start");
});

test("free ports are free again after the look, and 0 may be asked for by all", async () => {
  await close();
  for (let look = 0; look < 2; look++) await requirePorts([api(port), metrics(0), metrics(0)]);
});

test("a host that is no address of this machine is named with its setting", async () => {
  const elsewhere = { ...metrics(0), host: "192.0.2.1" };
  await expect(requirePorts([elsewhere])).rejects.toThrow("METRICS_HOST 192.0.2.1 is no address");
});
