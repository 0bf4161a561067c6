import { API_ROWS } from "./support/matrix/api-rows.ts";
import { NETWORK_ROWS } from "./support/matrix/network-rows.ts";
import { playRows } from "./support/matrix/play.ts";

playRows([...API_ROWS, ...NETWORK_ROWS].filter(({ isShort }) => isShort));
