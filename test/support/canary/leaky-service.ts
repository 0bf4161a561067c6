import { randomBytes, randomInt } from "node:crypto";
import { createTool, type Client } from "../client.ts";
import { leakingCode, turningCode } from "./leaking-tool.ts";

const hex = (bytes: number): string => randomBytes(bytes).toString("hex");
const FIELDS = ["api_key", "pem", "digits"] as const;
/** A run may take its roads to the end of its limits, and those are near. */
const LIMITS = { cpuMs: 500, wallMs: 15_000, memoryMib: 32 };

/** Values that each encoding writes in its own way: with quotes and signs, of several lines, of digits. */
export const newSecrets = () => ({
  api_key: `cnry-${hex(12)}"/+?&<${hex(2)}>'\\~${hex(6)}`,
  pem: Array.from({ length: 4 }, () => `é+${hex(18)}/=`).join("\n"),
  digits: `9${String(randomInt(10 ** 13, 10 ** 14))}`,
});

/** What a tool says of itself that uses the service. */
export const toolOf = (service: string) => ({
  permissions: ["network"],
  requiredConfigServices: [{ name: service }],
  limits: LIMITS,
});

/** Makes a service with these secrets, which may go to `host`, and the tools `leak_…` and `turn_…` that use it. */
export async function createLeakyService(
  owner: Client,
  name: string,
  data: ReturnType<typeof newSecrets>,
  { host, delivery }: { host: string; delivery: "placeholder" | "reveal" },
): Promise<void> {
  const made = await owner.post("/api/v1/config-services", {
    name,
    configSchema: FIELDS.map((field) => ({ name: field, type: "secret", required: true })),
    allowedHosts: [host],
    delivery,
    exchangeInBody: true,
  });
  if (made.status !== 201) throw new Error(`no service: ${JSON.stringify(made.body)}`);
  const filled = await owner.post(`/api/v1/config-services/${name}/entries`, { label: "main", data });
  if (filled.status !== 201) throw new Error(`no entry: ${JSON.stringify(filled.body)}`);
  await createTool(owner, `leak_${name}`, leakingCode(name), toolOf(name));
  await createTool(owner, `turn_${name}`, turningCode(name), toolOf(name));
}
