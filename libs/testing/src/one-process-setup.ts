import type { TestProject } from "vitest/node";
import { startProduct, type Product } from "./product.ts";
import { serveSharedProduct, sharedEnv, sharedKeys, type OpenedProduct } from "./serve-shared-product.ts";

let close: () => Promise<void>;

/** Test files of the project share an API, a worker and a Redis, and a second API where one asks for it. */
export async function setup(project: TestProject): Promise<void> {
  close = await serveSharedProduct(project, openOne);
}

export const teardown = (): Promise<void> => close();

async function openOne(databaseUrl: string): Promise<OpenedProduct> {
  const env = { ...(await sharedEnv()), ...sharedKeys() };
  const product = await startProduct({ databaseUrl, env });
  const { redisUrl } = product;
  let beside: Product | undefined;
  const startBeside = async (): Promise<string> => {
    beside = await startProduct({ databaseUrl, redisUrl, env, workers: 0 });
    return beside.url;
  };
  let started: Promise<string> | null = null;
  return {
    ...product,
    env,
    beside: () => (started ??= startBeside()),
    logs: () => `${product.logs()}\n${beside?.logs() ?? ""}`,
    close: async () => {
      await beside?.stop();
      await product.stop();
    },
  };
}
