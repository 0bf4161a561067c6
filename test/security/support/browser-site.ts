import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { openEgressBroker, parseEgressAllow } from "@bulkhead/egress";
import { makeSelfSigned } from "@bulkhead/process/self-signed";
import { openServerLauncher } from "@bulkhead/sandbox";
import { leakCheck } from "@bulkhead/testing";
import { startBrowser, type BrowserProcess } from "@bulkhead/tools/built-in";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { findChromium } from "../../support/browser.ts";

const LIMITS = { networkRequests: 100, bytesIn: 4 * 2 ** 20, bytesOut: 2 ** 20 };

const { key, cert } = makeSelfSigned(["localhost"]);
type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

const listeners: Listener[] = [];
/** What holds up the loading of a page whose script is not done. */
let held: ServerResponse[] = [];
let isReleased = false;
const answer: RequestListener = (request, response) => {
  if (request.url === "/hold") held.push(response);
  else if (request.url === "/release") {
    isReleased = true;
    held.push(response);
  } else {
    // A page begins anew.
    if (request.headers.accept?.startsWith("text/html") === true) isReleased = false;
    listeners.at(-1)?.(request, response);
  }
  if (!isReleased) return;
  for (const one of held) one.writeHead(204).end();
  held = [];
};
const site = createServer(answer);
const secure = createSecureServer({ key, cert }, answer);
const upgrades: string[] = [];
site.on(
  "upgrade",
  (request: IncomingMessage, socket) => (upgrades.push(request.url ?? ""), socket.destroy()),
);

const launcher = openServerLauncher();
let egress: ReturnType<typeof openEgressBroker>;
let chromium = "";
/** Why this machine keeps no browser in; null where it does. */
export let missing: string | null = null;
/** Where the site is met: by two hosts, and by TLS. */
export let home = "";
export let other = "";
export let tls = "";

/** What the site answers from now on. */
export const serve = (listener: Listener): void => void listeners.push(listener);
/** Requests for a web socket that have come to it. */
export const upgraded = (): readonly string[] => upgrades;

/** Opens all of it for the test file that calls it; each of its tests is skipped where no browser can be kept in. */
export function useSite(): void {
  leakCheck();
  beforeAll(async () => {
    const ports = await Promise.all([listen(site), listen(secure)]);
    [home, other, tls] = [
      `http://127.0.0.1:${ports[0]}`,
      `http://localhost:${ports[0]}`,
      `https://localhost:${ports[1]}`,
    ];
    const places = ports.flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`]);
    const allow = parseEgressAllow(places.join(","));
    egress = openEgressBroker({
      allow: allow.ok ? allow.rules : [],
      scrubbers: { open: () => Promise.reject(new Error("there is no secret here")) } as never,
      ca: cert,
    });
    chromium = await findChromium();
    const program = { tenantId: "ten_a", command: process.execPath, args: ["--version"], env: {} };
    missing = await launcher.launch({ ...program, size: "browser" }).then(
      async (one) => (await one.ended, null),
      (error: Error) => error.message,
    );
  });
  beforeEach(({ skip }) => skip(missing !== null, `this machine keeps no browser in: ${missing}`));
  afterAll(async () => {
    await launcher.close();
    await egress.close();
    for (const server of [site, secure]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

export const newBrowser = (tenantId = "ten_a"): Promise<BrowserProcess> =>
  startBrowser({ launcher, chromium }, tenantId, new AbortController().signal);

type Action = Parameters<BrowserProcess["act"]>[0];

/** Does one action by a session of its own. */
export async function act(
  browser: BrowserProcess,
  action: Action,
  { timeoutMs = 10_000, allowedHosts = null as readonly string[] | null, limits = LIMITS } = {},
) {
  const session = egress.open({ tenantId: "ten_a", limits, allowedHosts, secrets: [] });
  let bodies = 0;
  const way = { egress: session, nextBodyId: () => ++bodies, timeoutMs };
  const outcome = await browser.act(action, way, new AbortController().signal);
  session.close();
  return { ...outcome, bytesIn: session.bytesIn, requests: session.requests };
}

export const open = (browser: BrowserProcess, url: string, more: Parameters<typeof act>[2] = {}) =>
  act(browser, { action: "open", url }, more);

/** The text of the page, once it has this in it. */
export async function textWith(browser: BrowserProcess, part: string): Promise<string> {
  let text = "";
  await expect
    .poll(async () => {
      const outcome = await act(browser, { action: "text" });
      text = outcome.ok && outcome.result.action === "text" ? outcome.result.text : JSON.stringify(outcome);
      return text;
    })
    .toContain(part);
  return text;
}

/** A page that is loaded when it has run this, and shows what it came to as JSON, ended by a word. */
export const pageOf = (script: string): string =>
  `<!doctype html><title>A page</title><body><img src="/hold"><script type="module">
  const shown = await (async () => { ${script} })().catch((error) => ({ error: String(error) }));
  document.body.append(JSON.stringify(shown) + " end");
  await fetch("/release");
  </script>`;

/** What such a page shows. */
export async function shown(browser: BrowserProcess): Promise<unknown> {
  const text = await textWith(browser, " end");
  return JSON.parse(text.slice(0, text.lastIndexOf(" end")));
}
