import { sharedProduct } from "@bulkhead/testing";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { newAgentTenant, type AgentTenant } from "./agents.ts";
import type { Client } from "./client.ts";

export const MEDIA_KEY = "media-key-4711-abcdef";
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const MP3 = Buffer.from(`fffb90640000${"00".repeat(40)}`, "hex");

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}
type Answer = (response: ServerResponse, url: string) => void;
type Called = Client["post"] extends (...given: never[]) => Promise<infer Answered> ? Answered : never;

interface MediaWorld {
  product: Awaited<ReturnType<typeof sharedProduct>>;
  /** What was asked since the test began. */
  seen: Seen[];
  base: string;
  tenant: AgentTenant | null;
  readonly owner: Client;
  answer: Answer;
  gives(body: Buffer | object, status?: number, headers?: Record<string, string>): void;
  /** Makes a service of the tenant's anew, with one entry. */
  setUp(name: string, kind: string, data: object): Promise<void>;
  call(tool: string, args: object, by?: Client, more?: object): Promise<Called["body"]>;
  /** The words of the error with which such a call ended. */
  failure(tool: string, args: object, by?: Client): Promise<string>;
  read(path: string, by: Client, query?: string): Promise<{ status: number; bytes: Buffer }>;
}

const SERVICES = "/api/v1/config-services";

/** An endpoint on the loopback that answers as it is told, and a tenant of the shared product that may ask it; for one test file. */
export async function useMediaWorld(): Promise<MediaWorld> {
  const product = await sharedProduct();
  const world: MediaWorld = {
    product,
    seen: [],
    base: "",
    tenant: null,
    answer: (response) => void response.end(),
    get owner(): Client {
      if (world.tenant === null) throw new Error("no test runs yet");
      return world.tenant.owner;
    },
    gives(body: Buffer | object, status = 200, headers: Record<string, string> = {}): void {
      world.answer = (response) => {
        response.writeHead(status, headers);
        response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
      };
    },
    async setUp(name: string, kind: string, data: object): Promise<void> {
      await world.owner.delete(`${SERVICES}/${name}`);
      expect((await world.owner.post(SERVICES, { name, kind })).status).toBe(201);
      const made = await world.owner.post(`${SERVICES}/${name}/entries`, { data });
      expect([made.status, made.body.errors]).toEqual([201, undefined]);
    },
    call: async (tool: string, args: object, by = world.owner, more: object = {}) =>
      (await by.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args, ...more })).body,
    async failure(...asked: [tool: string, args: object, by?: Client]): Promise<string> {
      return (await world.call(...asked)).data.error.message;
    },
    async read(path: string, by: Client, query = "") {
      const response = await fetch(`${product.url}/api/v1/files/${path}${query}`, {
        headers: { authorization: `Bearer ${by.key}` },
      });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    },
  };
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method, url = "", headers } = request;
        world.seen.push({ method, url, headers, body });
        world.answer(response, url);
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    world.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    world.tenant = await newAgentTenant(product);
  });
  beforeEach(() => void (world.seen = []));
  afterAll(() => {
    server?.close();
    server?.closeAllConnections();
  });
  return world;
}
