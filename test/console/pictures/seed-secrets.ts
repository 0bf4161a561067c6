import type { Bulkhead } from "@bulkhead/client";

/** Services in each of their states, and rules for what else is covered. */
export async function seedSecrets(owner: Bulkhead): Promise<void> {
  await owner.configServices.create({
    name: "stripe",
    displayName: "Stripe",
    description: "Takes payments, and tells which invoices are paid.",
    category: "payments",
    docsUrl: "https://docs.stripe.com/api",
    multiEntry: true,
  });
  const stripe = (label: string, api_key: string) =>
    owner.configEntries.create("stripe", { label, data: { api_key, base_url: "https://api.stripe.com" } });
  await stripe("live", "sk_live_7f3b9c1e5d2a8f60");
  await stripe("test", "sk_test_0a1b2c3d4e5f6071");
  await owner.configServices.create({
    name: "partner_api",
    displayName: "Freight partner",
    category: "logistics",
    configSchema: [
      { name: "signing_key", type: "secret", required: true, description: "Signs each request." },
      { name: "region", type: "select", options: ["eu", "us"], default: "eu" },
      { name: "account", type: "number" },
    ],
    allowedHosts: ["api.freight.example", "*.eu.freight.example"],
    delivery: "reveal",
  });
  await owner.configEntries.create("partner_api", {
    data: { signing_key: "whsec_d41d8cd98f00b204", account: 20_417 },
  });
  await owner.configServices.create({ name: "maps", displayName: "Maps", category: "logistics" });
  await owner.scrubRules.create({ name: "customer-number", pattern: "CUST-[0-9]{6}" });
  await owner.scrubRules.create({ name: "office-door", value: "correct-horse-battery" });
}

/** One that goes well, one that fails, one that is paused. */
export async function seedSchedules(owner: Bulkhead): Promise<void> {
  const long = "daily_report_with_a_name_that_is_as_long_as_names_of_tools_may";
  const made = await owner.schedules.create({
    name: "Morning report",
    tool: long,
    cron: "0 9 * * 1-5",
    timeZone: "Europe/Berlin",
  });
  const failing = await owner.schedules.create({
    name: "Invoices that came in",
    tool: "parse_invoice",
    arguments: { text: "no number" },
    everyMs: 900_000,
  });
  const paused = await owner.schedules.create({
    tool: "route_planner",
    arguments: { stops: ["Kiel", "Bremen"], truck: { weightKg: 7_500, electric: true } },
    cron: "*/7 6-20 1,15 * 1",
  });
  for (const { id } of [made, made, failing, failing, made]) await owner.schedules.run(id);
  await owner.schedules.pause(paused.id);
}
