import { expect, it } from "vitest";
import { connectBridge } from "./bridge.ts";
import { runFacts } from "./run-facts.ts";
import { authHeader, type Auth } from "./service-auth.ts";

connectBridge(
  () => undefined,
  () => "",
  null,
);
runFacts.configJson = JSON.stringify({
  services: {
    mail: {
      entries: [
        { label: "main", isDefault: true, data: { api_key: "bhs_main", secret: "bhs_other" } },
        { label: "work", isDefault: false, data: { api_key: "bhs_work", username: "jörg" } },
      ],
    },
    empty: { entries: [] },
  },
});

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;

it.each<[string | Auth, [string, string]]>([
  ["mail", ["authorization", "Bearer bhs_main"]],
  [{ service: "mail" }, ["authorization", "Bearer bhs_main"]],
  [{ service: "mail", field: "secret" }, ["authorization", "Bearer bhs_other"]],
  [{ service: "mail", scheme: "header" }, ["x-api-key", "bhs_main"]],
  [{ service: "mail", scheme: "header", header: "X-Token", entry: "work" }, ["X-Token", "bhs_work"]],
  [{ service: "mail", scheme: "basic", user: "me" }, ["authorization", basic("me:bhs_main")]],
  [{ service: "mail", scheme: "basic", entry: "work" }, ["authorization", basic("jörg:bhs_work")]],
  [{ service: "mail", scheme: "basic" }, ["authorization", basic("bhs_main:")]],
])("auth %j is one header", (auth, header) => {
  expect(authHeader(auth)).toEqual(header);
});

it.each<[unknown, string]>([
  ["unknown", 'no value for "api_key": this run knows no service "unknown": the tool does not declare it'],
  ["empty", "a person fills it in with POST /api/v1/config-services/empty/entries"],
  [{ service: "mail", field: "x" }, "set it with PATCH /api/v1/config-services/mail/entries/<label>"],
  [{ service: "mail", field: "x", entry: "work" }, 'no value for "x" in its entry "work"'],
  [{ service: "mail", scheme: "digest" }, "auth.scheme must be one of bearer, basic, header"],
  [null, "auth must be a service's name or have a service"],
  [{ service: "mail", tokn: "x" }, 'api: auth has no option "tokn"; its options are service, scheme, header'],
  [{ servce: "mail" }, 'auth has no option "servce"'],
  [["mail"], 'auth has no option "0"'],
  [{ scheme: "basic" }, "auth must be a service's name or have a service"],
])("auth %j says what is wrong with it", (auth, message) => {
  expect(() => authHeader(auth as Auth)).toThrow(message);
});
