import { CreateApiKey, CreateTenant } from "@bulkhead/contracts";
import { expect, test } from "vitest";
import { read } from "./support/files.ts";

/** The commands that a new installation begins with: what is asked, and with which body. */
const section = read("deploy/README.md").split("\n## The first tenant\n")[1]?.split("\n## ")[0] ?? "";
const commands = [...section.matchAll(/^curl -s \$BULKHEAD(\S+) [^]*?-d '([^']+)'/gm)].map(
  ([, path, body = ""]) => ({ path, body: JSON.parse(body) as unknown }),
);

test("the first tenant and its owner's key are made by two commands, with bodies that the API takes", () => {
  expect(commands.map(({ path }) => path)).toEqual(["/tenants", "/tenants/ten_…/api-keys"]);
  expect(CreateTenant.parse(commands[0]?.body)).toEqual({ name: "Acme", slug: "acme" });
  expect(CreateApiKey.parse(commands[1]?.body)).toEqual({ name: "owner", role: "owner" });
});
