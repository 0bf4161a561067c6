import { REDIS_ROWS } from "./support/matrix/redis-rows.ts";
import { playRows } from "./support/matrix/play.ts";

playRows(REDIS_ROWS);
