import { expect, test } from "vitest";
import { parseEgressAllow } from "./egress-allow.ts";
import { openEgressPolicy } from "./egress-policy.ts";

const policy = (text: string) => {
  const parsed = parseEgressAllow(text);
  return openEgressPolicy(parsed.ok ? parsed.rules : []);
};

test.each([
  ["https://hooks.example.com/a", ""],
  ["https://8.8.8.8/", ""],
  ["http://127.0.0.1:8080/", "127.0.0.0/8"],
  ["http://localhost:8080/", "127.0.0.0/8"],
  ["http://hooks.internal:9000/", "hooks.internal:9000"],
  // Only its address would tell.
  ["http://hooks.example.com/", "10.0.0.0/8"],
])("%s is not refused with EGRESS_ALLOW=%j", (url, allow) => {
  expect(policy(allow).refusalOf(url)).toBeNull();
});

test.each([
  ["http://hooks.example.com/", "", /use https/],
  ["http://8.8.8.8/", "127.0.0.0/8", /use https/],
  ["https://127.0.0.1/", "", /loopback.*EGRESS_ALLOW/],
  ["https://2130706433/", "", /loopback/],
  ["https://[::ffff:10.0.0.1]/", "", /private/],
  ["https://169.254.169.254/", "169.254.0.0/16", /metadata/],
  ["https://localhost/", "", /internal name/],
  ["https://localhost/", "10.0.0.0/8", /this machine/],
  ["https://redis/", "", /internal name/],
  ["https://user:word@example.com/", "", /credentials/],
  ["ftp://example.com/", "", /https/],
  ["https://example.com:25/", "", /port 25/],
  ["not a URL", "", /not valid/],
])("%s is refused with EGRESS_ALLOW=%j", (url, allow, why) => {
  expect(policy(allow).refusalOf(url)).toMatch(why);
});
