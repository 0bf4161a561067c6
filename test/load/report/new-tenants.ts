import { percentile } from "../load.ts";
import { createTool, openTenant, startProduct, type RunningProduct } from "../product.ts";
import { timeOf } from "./cold-tools.ts";
import { START_SECONDS, type Figure, type Part } from "./part.ts";
import { inTurns, using } from "./rounds.ts";

const TENANTS_PER_SECOND = 10;
const AT_ONCE = 4;
const TENANT_MS_EXPECTED = 150;

/** Tenants that come for the first time, each with a sandbox process that nobody had before. */
export const newTenants: Part = {
  name: "new-tenants",
  title: "New tenants",
  how:
    `${AT_ONCE} at a time: a tenant, its key and its tool are made, and the tool runs for the first time, in a process that is ` +
    "bound to that tenant alone. Past 16 tenants each takes the place of one that idles.",
  expectSeconds: ({ rounds, seconds }) =>
    START_SECONDS + ((rounds + 1) * seconds * TENANTS_PER_SECOND * TENANT_MS_EXPECTED) / 1_000,
  measure: (settings) =>
    using(startProduct(), async (product) => {
      const run = () => comeAll(product, settings.seconds * TENANTS_PER_SECOND);
      await run();
      const [rounds = []] = await inTurns(settings, [{ name: "new tenants", run }]);
      const first = (share: number): Figure => ({
        what: `a tenant's first call, p${share * 100}`,
        unit: "ms",
        rounds: rounds.map(({ firstMs }) => percentile(firstMs, share)),
      });
      const perSecond = rounds.map(({ firstMs, seconds }) => firstMs.length / seconds);
      return [
        { what: "new tenants, with tool and first result", unit: "/s", rounds: perSecond },
        first(0.5),
        first(0.95),
      ];
    }),
};

/** `firstMs`: of each tenant's first call, in rising order. */
async function comeAll(
  product: RunningProduct,
  tenants: number,
): Promise<{ firstMs: number[]; seconds: number }> {
  const firstMs: number[] = [];
  const startedAt = performance.now();
  let left = tenants;
  const comeInTurn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const key = await openTenant(product, {});
      await createTool(product.url, key, { name: "first", code: "return args.n + 1;" });
      firstMs.push(await timeOf(product, key, "first"));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, comeInTurn));
  return { firstMs: firstMs.toSorted((a, b) => a - b), seconds: (performance.now() - startedAt) / 1_000 };
}
