// Runs at every install: makes the Prisma client from prisma/schema.prisma. Generation needs no engine, but the
// command line looks for one and would download it; naming any existing program as the engine keeps it offline.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const prisma = join(root, "node_modules", "prisma", "build", "index.js");
const { status, stdout, stderr } = spawnSync("node", [prisma, "generate"], {
  cwd: root,
  encoding: "utf8",
  shell: process.platform === "win32",
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  },
});
if (status !== 0) {
  process.stderr.write(`Making the database client failed:\n${stdout}${stderr}\n`);
  process.exit(1);
}
