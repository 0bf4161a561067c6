import type { Bulkhead } from "@bulkhead/client";

const README = `# Routes of the week

Each day has a **plan** and what came of it.

| day | parcels |
| --- | --- |
| Monday | 412 |
| Tuesday | 398 |

- [x] Kiel
- [ ] Bremen
`;

const ORDERS = JSON.stringify({ month: "2026-11", orders: [{ id: "o_1", total: 12.5 }] }, null, 2);

/** Files and documents as tools and people leave them: of the tenant, of an agent and of a user; and devices, one's id. */
export async function seedWorkspace(owner: Bulkhead): Promise<string> {
  await owner.files.write("README.md", README.replace("412", "400"));
  await owner.files.write("README.md", README);
  await owner.files.write("orders/2026-11.json", ORDERS);
  for (let day = 1; day <= 14; day += 1)
    await owner.files.write(`logs/day-${String(day).padStart(2, "0")}.txt`, `planned ${day * 7} stops\n`);
  await owner.files.write("scripts/tidy.js", "export const tidy = (rows) => rows.filter(Boolean);\n");
  await owner.files.write("memory/team.md", "# Team\n\nAnn plans, Bo drives.\n", {
    agentId: "dispatcher",
    userId: "ann",
  });
  const statuses = ["open", "paid", "late"];
  for (let n = 1; n <= 24; n += 1)
    await owner.data.put("invoices", `INV-${2_000 + n}`, {
      value: { status: statuses[n % 3], total: n * 12.5, customer: { city: n % 2 ? "Kiel" : "Bremen" } },
      ttlSeconds: n % 5 === 0 ? 86_400 : undefined,
    });
  await owner.data.put("seen", "kiel", { value: { times: 3 } }, { agentId: "dispatcher", userId: "ann" });
  return await seedDevices(owner);
}

/** A server for all agents, whose id it is, and a laptop of one user's that may not connect. */
async function seedDevices(owner: Bulkhead): Promise<string> {
  const path = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const { code } = await owner.devices.code({});
  const server = await owner.devices.pair({
    code,
    name: "build-server",
    platform: "linux",
    commands: [
      { name: "disk-usage", description: "Tells how full the disks are." },
      { name: "read-log", description: "The last lines of a log of the build.", parameters: path },
    ],
  });
  const made = await owner.devices.code({ agentId: "dispatcher", userId: "ann" });
  const laptop = await owner.devices.pair({
    code: made.code,
    name: "Ann's laptop",
    platform: "darwin",
    commands: [],
  });
  await owner.devices.update(laptop.device.id, { enabled: false });
  return server.device.id;
}
