import { expect, test } from "vitest";
import { childEnv } from "./child-env.ts";

const parent = {
  PATH: "/bin",
  EGRESS_ALLOW: "127.0.0.1",
  LOG_LEVEL: "debug",
  AWS_SECRET_ACCESS_KEY: "theirs",
  NODE_OPTIONS: "--require /somewhere",
};

test("children get the system's basics, the product's settings, and nobody's credentials", () => {
  expect(childEnv(parent, { LOG_LEVEL: "info" })).toEqual({
    PATH: "/bin",
    EGRESS_ALLOW: "127.0.0.1",
    LOG_LEVEL: "info",
    BULKHEAD_WATCH_PARENT: "1",
  });
});
