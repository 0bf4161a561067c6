import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { findChromium } from "./find-chromium.ts";
import { copyDatabase, databaseUrl } from "./admin-statement.ts";
import type { SharedProductFacts } from "./shared-product.ts";

/** Tools of a shared product may reach the tests' own servers besides the internet, and pages of those may call it. */
export const sharedEnv = async () => ({
  EGRESS_ALLOW: "127.0.0.0/8",
  CORS_ORIGINS: "*",
  CHROMIUM: await findChromium(),
});

const makeKey = (): string => `bh_${randomBytes(24).toString("hex")}`;

/** What all processes of a shared product have in common. */
export const sharedKeys = () => ({
  BULKHEAD_MASTER_KEY: randomBytes(32).toString("base64"),
  BULKHEAD_ADMIN_KEY: makeKey(),
  BULKHEAD_DEMO_KEY: makeKey(),
});

export interface OpenedProduct extends Omit<SharedProductFacts, "databaseUrl"> {
  /** The URL of another API than the one that `url` reaches first; the first call may start it. */
  beside(): Promise<string>;
  logs(): string;
  close(): Promise<void>;
}

/**
 * Tells this project's test files which product they share, and starts it when the first one asks: a run of files that
 * start their own needs none. Returns a function that closes all of it. Call it after `global-setup.ts`.
 */
export async function serveSharedProduct(
  project: Pick<TestProject, "name" | "provide" | "getProvidedContext">,
  open: (databaseUrl: string) => Promise<OpenedProduct>,
): Promise<() => Promise<void>> {
  const { adminUrl, template } = project.getProvidedContext().testPostgres;
  const database = `shared_${project.name}`;
  const url = databaseUrl(adminUrl, database);
  const start = async (): Promise<OpenedProduct> => {
    await copyDatabase(adminUrl, database, template);
    return open(url);
  };
  let product: Promise<OpenedProduct> | null = null;
  const answer = async (path: string): Promise<string> => {
    if (path === "/logs") return (await product)?.logs() ?? "";
    const opened = await (product ??= start());
    if (path === "/beside") return opened.beside();
    const { url: at, adminKey, redisUrl, env } = opened;
    const facts = { url: at, adminKey, databaseUrl: url, redisUrl, env } satisfies SharedProductFacts;
    return JSON.stringify(facts);
  };
  const server = createServer((request, response) => {
    answer(request.url ?? "").then(
      (text) => response.end(text),
      (cause: unknown) => response.writeHead(500).end(String(cause)),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  project.provide("sharedProduct", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    await (await product?.catch(() => null))?.close();
  };
}
