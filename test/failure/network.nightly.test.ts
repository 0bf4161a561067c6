import { NETWORK_ROWS } from "./support/matrix/network-rows.ts";
import { playRows } from "./support/matrix/play.ts";

playRows(NETWORK_ROWS);
