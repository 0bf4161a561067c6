import { expect, it, vi } from "vitest";
import { buildApi } from "./api.ts";

vi.mock("./bridge.ts", () => ({ ask: () => "null", post: () => undefined }));

it("api has its network calls only where it is given them", () => {
  const network = { rest: () => "rest", graphql: () => "graphql" };
  expect(buildApi(network)).toMatchObject(network);
  expect(buildApi(null)).toMatchObject({ rest: undefined, graphql: undefined });
  expect((buildApi(null)["date"] as () => Date)()).toBeInstanceOf(Date);
});
