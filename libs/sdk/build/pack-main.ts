import { packAll } from "./pack.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: npm run pack:sdk -- <folder>");
  process.exit(2);
}
for (const tarball of await packAll(folder)) console.log(tarball);
