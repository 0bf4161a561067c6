import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** The first executable of that name; relative entries of PATH are passed over, as they mean another file in each folder. */
export async function findOnPath(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    const executable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return file;
  }
  return null;
}
