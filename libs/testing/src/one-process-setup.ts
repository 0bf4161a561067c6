import type { TestProject } from "vitest/node";
import { startProduct } from "./product.ts";
import { SHARED_ENV, serveSharedProduct, sharedKeys } from "./serve-shared-product.ts";

let close: () => Promise<void>;

/** Test files of the project share an API, a worker and a Redis. */
export async function setup(project: TestProject): Promise<void> {
  close = await serveSharedProduct(project, async (databaseUrl) => {
    const env = { ...SHARED_ENV, ...sharedKeys() };
    const product = await startProduct({ databaseUrl, env });
    return { ...product, env, close: () => product.stop() };
  });
}

export const teardown = (): Promise<void> => close();
