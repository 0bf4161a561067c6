import { expect, test } from "vitest";
import { ConfigSchema } from "./required-services.ts";

test("the default of a required field is no blank", () => {
  const field = { name: "user", type: "text", required: true };
  const { error } = ConfigSchema.safeParse([{ ...field, default: "  " }]);
  expect(error?.issues).toMatchObject([{ path: [0, "default"] }]);
  expect(ConfigSchema.safeParse([{ ...field, default: "me" }]).success).toBe(true);
  expect(ConfigSchema.safeParse([{ ...field, required: false, default: "" }]).success).toBe(true);
});
