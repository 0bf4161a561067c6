import { migrate } from "./migrate.ts";

const databaseUrl = process.env["DATABASE_URL"];
if (!databaseUrl) {
  console.error("DATABASE_URL must name the database, as in postgres://user:password@host:5432/bulkhead");
  process.exit(1);
}
try {
  await migrate(databaseUrl, { log: (line) => console.log(line) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
