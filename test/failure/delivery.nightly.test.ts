import { DELIVERY_ROWS } from "./support/matrix/delivery-rows.ts";
import { playRows } from "./support/matrix/play.ts";

playRows(DELIVERY_ROWS);
