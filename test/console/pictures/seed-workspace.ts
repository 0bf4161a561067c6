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

/** Files and documents as tools and people leave them: of the tenant, of an agent and of a user. */
export async function seedWorkspace(owner: Bulkhead): Promise<void> {
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
}
