/** All that may make a bundle another one, by how it is looked at: what is in files, what is in folders, when folders changed. */
export interface DependsOn {
  files: string[];
  folders: string[];
  times: string[];
}

export const NOTHING: DependsOn = { files: [], folders: [], times: [] };

/** Each path once, in the order of names. */
export function allOf(all: readonly DependsOn[]): DependsOn {
  const union = (kind: keyof DependsOn): string[] => [...new Set(all.flatMap((one) => one[kind]))].toSorted();
  return { files: union("files"), folders: union("folders"), times: union("times") };
}
