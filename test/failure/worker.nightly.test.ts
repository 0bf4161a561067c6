import { playWorkerRows } from "./support/matrix/play.ts";
import { WORKER_ROWS } from "./support/matrix/worker-rows.ts";

playWorkerRows(WORKER_ROWS);
