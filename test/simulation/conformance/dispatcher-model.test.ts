import { test } from "vitest";
import { PROMISES } from "./promises.ts";
import { openModel } from "./queue-under-test.ts";

test.each(PROMISES)("the model: $name", async ({ slots, check }) => check(openModel(slots)));
