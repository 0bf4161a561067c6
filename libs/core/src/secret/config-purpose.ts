/**
 * The purpose under which a field of an entry is sealed. A list in JSON: whatever the names are, no two places share one,
 * and none is that of anything else.
 */
export const configPurpose = (service: string, entryLabel: string, field: string): string =>
  JSON.stringify(["config", service, entryLabel, field]);
