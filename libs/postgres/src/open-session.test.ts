import { expect, test } from "vitest";
import { openSession } from "./open-session.ts";

test("a URL that no client can be made of is told as what it is, without its password", async () => {
  await expect(openSession("postgres://me:p%E4ss@127.0.0.1:1/mine", "test")).rejects.toMatchObject({
    code: "service.unavailable",
    message: expect.stringMatching(/^The database at 127\.0\.0\.1:1\/mine can't be reached: (?!.*p%E4ss)/u),
  });
});
