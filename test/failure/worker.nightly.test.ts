import { playRows } from "./support/matrix/play.ts";
import { WORKER_ROWS } from "./support/matrix/worker-rows.ts";

playRows(WORKER_ROWS);
