import type { Scrubber, Scrubbers } from "@bulkhead/core";

const COVERS_NOTHING: Scrubber = {
  add: () => undefined,
  text: (text) => text,
  json: (json) => json,
  document: (_tenantId, json) => Promise.resolve({ json, counts: new Map() }),
  lines: () => {
    let index = 0;
    return {
      push: (...texts) => texts.map((text) => ({ index: index++, text })),
      settle: () => [],
      end: () => [],
    };
  },
  bytes: () => ({ push: (chunk) => chunk, end: () => new Uint8Array() }),
  counts: new Map(),
};

/** No tool of the simulation has a secret. */
export const NO_SECRETS = {
  configs: { open: () => Promise.resolve([]) },
  scrubbers: { open: () => COVERS_NOTHING } satisfies Scrubbers,
  scrubRules: { open: () => Promise.resolve({ needles: [], patterns: [] }) },
  tally: () => undefined,
};
