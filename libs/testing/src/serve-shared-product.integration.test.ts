import { expect, inject, test } from "vitest";
import { leakCheck } from "./leak-check.ts";
import { queryRows } from "./query-rows.ts";
import { type OpenedProduct, serveSharedProduct } from "./serve-shared-product.ts";

leakCheck();

/** Serves what `open` opens to a project of this name, and tells where. */
async function serve(name: string, open: (databaseUrl: string) => Promise<OpenedProduct>) {
  let at = "";
  const close = await serveSharedProduct(
    {
      name,
      provide: (_key, url) => (at = url as string),
      getProvidedContext: () => ({ testPostgres: inject("testPostgres"), sharedProduct: at }),
    },
    open,
  );
  const ask = async (path: string) => {
    const answer = await fetch(at + path);
    return { status: answer.status, text: await answer.text() };
  };
  return { ask, close };
}

test("the first who asks starts it, all get the same one, and it is closed once", async () => {
  const calls: string[] = [];
  const open = (databaseUrl: string): Promise<OpenedProduct> => {
    calls.push(`opened ${new URL(databaseUrl).pathname}`);
    const close = () => Promise.resolve(void calls.push("closed"));
    const shared = { url: "http://here", adminKey: "key", redisUrl: "redis://here", env: { A: "1" } };
    const beside = () => Promise.resolve("http://beside");
    return Promise.resolve({ ...shared, beside, logs: () => "said", close });
  };
  const { ask, close } = await serve("first", open);
  expect([(await ask("/logs")).text, calls]).toEqual(["", []]);
  const answers = await Promise.all([ask("/product"), ask("/product"), ask("/product")]);
  const [facts] = answers.map(({ text }) => JSON.parse(text));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(facts).toMatchObject({ url: "http://here", adminKey: "key", env: { A: "1" } });
  expect(await queryRows(facts.databaseUrl, "SELECT count(*)::int AS tools FROM tools")).toEqual([
    { tools: 0 },
  ]);
  expect((await ask("/logs")).text).toBe("said");
  expect((await ask("/beside")).text).toBe("http://beside");
  await close();
  expect(calls).toEqual(["opened /shared_first", "closed"]);
});

test("one that nobody asks for is never started", async () => {
  const { close } = await serve("nobody", () => Promise.reject(new Error("was started")));
  await close();
});

test("why it can't be started is told to each who asks", async () => {
  let tries = 0;
  const { ask, close } = await serve("broken", () => Promise.reject(new Error(`no luck ${(tries += 1)}`)));
  for (const { status, text } of [await ask("/product"), await ask("/product")])
    expect([status, text]).toEqual([500, "Error: no luck 1"]);
  await close();
});
