import { API_ROWS } from "./support/matrix/api-rows.ts";
import { playRows } from "./support/matrix/play.ts";

playRows(API_ROWS);
