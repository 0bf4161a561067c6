import { expect, test } from "vitest";
import { DEFAULT_CONFIG_SCHEMA } from "./config-service.ts";
import { secretHosts } from "./secret-hosts.ts";

const SERVICE = {
  allowedHosts: null as string[] | null,
  codeHosts: ["code.example"],
  configSchema: [...DEFAULT_CONFIG_SCHEMA],
};

test("what the service names comes first, also where it names none", () => {
  const values = { base_url: "https://api.example.com" };
  expect(secretHosts({ ...SERVICE, allowedHosts: ["a.example"] }, values)).toEqual({
    hosts: ["a.example"],
    from: "allowedHosts",
  });
  expect(secretHosts({ ...SERVICE, allowedHosts: [] }, values)).toEqual({ hosts: [], from: "allowedHosts" });
});

test("then the host of the entry's base_url, or of its default, with a port that is not the scheme's own", () => {
  const of = (base_url: string) => secretHosts(SERVICE, { base_url });
  expect(of("https://API.example.com:443/v1")).toEqual({ hosts: ["api.example.com"], from: "base_url" });
  expect(of("https://api.example.com:8443")).toEqual({ hosts: ["api.example.com:8443"], from: "base_url" });
  expect(of("http://[::1]:8080/")).toEqual({ hosts: ["[::1]:8080"], from: "base_url" });
  const preset = {
    name: "base_url",
    type: "url" as const,
    required: false,
    default: "https://preset.example",
  };
  const service = { ...SERVICE, configSchema: [preset] };
  expect(secretHosts(service, {})).toEqual({ hosts: ["preset.example"], from: "base_url" });
});

test("then those of the code, and where there are none, nowhere", () => {
  expect(secretHosts(SERVICE, {})).toEqual({ hosts: ["code.example"], from: "code" });
  expect(secretHosts({ ...SERVICE, codeHosts: [] }, {})).toEqual({ hosts: [], from: "nothing" });
});
