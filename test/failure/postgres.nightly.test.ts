import { POSTGRES_ROWS } from "./support/matrix/postgres-rows.ts";
import { playRows } from "./support/matrix/play.ts";

playRows(POSTGRES_ROWS);
