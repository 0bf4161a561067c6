/**
 * The purpose under which a field of an entry is sealed. As a JSON list it is unambiguous: no two places share one,
 * whatever their names, and it equals no other purpose.
 */
export const configPurpose = (service: string, entryLabel: string, field: string): string =>
  JSON.stringify(["config", service, entryLabel, field]);
