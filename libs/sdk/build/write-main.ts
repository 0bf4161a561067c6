import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeApi } from "./api-document.ts";
import { writeClient } from "./write-client.ts";

const folder = join(import.meta.dirname, "..", "client", "src", "generated");
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(writeClient(await describeApi())))
  await writeFile(join(folder, `${name}.ts`), text);
