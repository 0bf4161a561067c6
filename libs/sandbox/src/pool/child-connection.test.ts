import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { connectionTo } from "./child-connection.ts";

test("a child that got no descriptors has a connection that takes nothing and on which nothing arrives", async () => {
  const connection = connectionTo({});
  const heard: unknown[] = [];
  connection.on("data", (chunk) => heard.push(chunk));
  const refused = await new Promise((resolve) => connection.write("hello", resolve));
  expect(refused).toMatchObject({ code: "ERR_STREAM_DESTROYED" });
  await setImmediate();
  expect(heard).toEqual([]);
});
