import { request as httpRequest, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { until } from "@bulkhead/testing";
import type { Client } from "./client.ts";

export const DEVICES = "/api/v1/devices";

interface Invoked {
  type: string;
  id: string;
  command: string;
  arguments: Record<string, unknown>;
  timeoutMs: number;
}

/** What a scripted device does with a command; `null` for never: it says nothing. */
type Does = (args: Record<string, unknown>, say: (progress: string) => void) => unknown;

const NEVER = Symbol("it never answers");

/** A command of a device, as it offers it and as it does it. */
export type Commands = Record<string, { does: Does; parameters?: object; description?: string }>;

/** One that adds, echoes, says how far it is, fails, and never answers. */
export const COMMANDS: Commands = {
  add: {
    does: ({ a, b }) => Number(a) + Number(b),
    parameters: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
      additionalProperties: false,
    },
  },
  echo: { does: (args) => args },
  steps: {
    does: (_args, say) => {
      say("half way");
      return "done";
    },
  },
  fails: {
    does: () => {
      throw new Error("the disk is\u001b[31m full");
    },
  },
  hangs: { does: () => NEVER },
};

export const offered = (commands: Commands) =>
  Object.entries(commands).map(([name, { parameters, description = `Does ${name}.` }]) => ({
    name,
    description,
    ...(parameters && { parameters }),
  }));

/** A device over a real web socket. */
export class ScriptedDevice {
  readonly #socket: WebSocket;
  readonly heard: Invoked[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(url: string, token: string, commands: Commands = {}) {
    const headers = { authorization: `Bearer ${token}` };
    this.#socket = new WebSocket(`${url.replace("http", "ws")}${DEVICES}/connect`, { headers });
    this.closed = new Promise((resolve) => {
      this.#socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
    });
    this.#socket.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(String(data)) as Invoked;
      this.heard.push(frame);
      if (frame.type === "invoke") void this.#do(frame, commands);
    });
  }

  /** Once the API says that it is online. */
  static async connected(
    owner: Client,
    { id, token }: { id: string; token: string },
    commands: Commands = {},
    url = owner.url,
  ): Promise<ScriptedDevice> {
    const device = new ScriptedDevice(url, token, commands);
    await device.opened();
    await until(async () => (await owner.get(`${DEVICES}/${id}`)).body.data.online, {
      what: "the device is online",
    });
    return device;
  }

  async opened(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CONNECTING)
      await Promise.race([once(this.#socket, "open"), this.closed]);
  }

  say(frame: unknown): void {
    this.#socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** Waits for a frame of this type, the nth. */
  async frame(type: string, nth = 0): Promise<Invoked> {
    return until(() => this.heard.filter((one) => one.type === type)[nth], { what: `a frame ${type}` });
  }

  async leave(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }

  async #do({ id, command, arguments: args }: Invoked, commands: Commands): Promise<void> {
    try {
      const value = await commands[command]?.does(args, (message) =>
        this.say({ type: "progress", id, message }),
      );
      if (value !== NEVER) this.say({ type: "result", id, ok: true, value });
    } catch (error) {
      this.say({ type: "result", id, ok: false, error: (error as Error).message });
    }
  }
}

/** A code of the owner's and a device that it pairs. */
export async function pairDevice(
  owner: Client,
  {
    commands = {},
    name = "laptop",
    ...code
  }: { commands?: Commands; name?: string; agentId?: string; userId?: string } = {},
): Promise<{ id: string; token: string }> {
  const made = await owner.post(`${DEVICES}/pairing-codes`, code);
  if (made.status !== 201) throw new Error(`no code: ${JSON.stringify(made.body)}`);
  const asked = { code: made.body.data.code, name, platform: "linux", commands: offered(commands) };
  const paired = await pairBy(owner.url, asked);
  if (paired.status !== 201) throw new Error(`not paired: ${JSON.stringify(paired.body)}`);
  const { device, token } = paired.body.data;
  return { id: device.id, token };
}

/** Pairs without a key. */
export async function pairBy(url: string, body: object) {
  const response = await fetch(`${url}${DEVICES}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

/** What a refused upgrade is answered with. */
export async function upgrade(url: string, headers: Record<string, string>) {
  const sent = httpRequest(`${url}${DEVICES}/connect`, {
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    },
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(await text(response)) };
}
