/** Whether this run tries everything: whole tables, twenty times as many random cases. `npm run test:nightly` sets it. */
export const isNightly = process.env["BULKHEAD_NIGHTLY"] === "1";

/** The seed of random tests: the same in each run of `npm test`, another one each night, which that run prints. */
export const SEED = Number(process.env["BULKHEAD_SEED"] ?? 20_261_125);

/** Every nth of these, the first among them; all of them at night. */
export const everyNth = <T>(rows: readonly T[], n: number): T[] =>
  isNightly ? [...rows] : rows.filter((_, index) => index % n === 0);
