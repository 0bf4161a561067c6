import { expect, test } from "vitest";
import { readConfig } from "../../apps/worker/src/config.ts";
import { SECRETS } from "./support/settings.ts";
import { isValid } from "./support/values.ts";

const stores = { DATABASE_URL: "postgres://a:b@c/d", REDIS_URL: "redis://c:6379" };

const doesStart = (setting: string, text: string): boolean => {
  try {
    readConfig({ ...SECRETS, ...stores, [setting]: text });
    return true;
  } catch {
    return false;
  }
};

const LABEL = "a".repeat(63);

/** Texts for a setting, good and bad ones: the chart judges each as the product does when it starts. */
test.each([
  {
    value: "logLevel",
    setting: "LOG_LEVEL",
    good: [
      "",
      "info",
      "warn,queue=debug",
      " queue = trace , error,",
      "http=silent,sandbox=info,telemetry=warn",
    ],
    bad: [
      ["loud", "info,queue=verbose", "info,database=debug", "queue=", "INFO", "info debug"],
      ["info,debug", "queue=info,http=warn,queue=debug", "debug,queue=info,debug"],
    ].flat(),
  },
  {
    value: "egressAllow",
    setting: "EGRESS_ALLOW",
    good: [
      ["", "intranet", "Intranet.Example:8080", "a_b.test", "1a.2b", "00x1", "5-g.7-h", `${LABEL}.test`],
      ["10.0.0.1", "10.0.0.1:80", "10.0.0.0/8:443", "0.0.0.0/0", " a.test , , 10.0.0.0/8 "],
      ["::1", "[::1]", "[::1]:80", "[fd00::]/8:80", "fd00::/8", "1:2:3:4:5:6:7:8", "1::", "::/0"],
    ].flat(),
    bad: [
      ["http://a.test", "a.test/path", "a.test:", "a.test:0", "a.test:65536", "a.test:x", "*.a.test"],
      ["a..test", "-a.test", "a-.test", "a b", "user@a.test", `${LABEL}a.test`, `${LABEL}.`.repeat(4)],
      ["10.0.0.0/33", "10.0.0", "127.1", "0x7f.1", "a.0X7F", "a.5", "[10.0.0.1]", "fine,10.0.0.256"],
      ["[::1", "::1:80:x", "[::1]x", "1::2::3", "1:2:3", ":::", "[a.test]", "fd00::/129", "fe80::1%eth0"],
    ].flat(),
  },
  {
    value: "otlpEndpoint",
    setting: "OTEL_EXPORTER_OTLP_ENDPOINT",
    good: [
      ["", "http://collector:4318", "https://Collector.telemetry.svc.cluster.local/otlp?a=b", "http://c."],
      ["http://10.0.0.1:4318", "http://[fd00::1]:4318/", "https://user:p%40ss%C3%A9@collector:4318"],
    ].flat(),
    bad: [
      ["collector:4318", "grpc://collector:4317", "http://", "http:// ", "http://a b:4318", "http://:4318"],
      ["http://c:65536", "http://c:x", "http://[fd00::1", "http://[10.0.0.1]", "http://10.0.0.256"],
      ["http://a.5", "http://a%", "https://100%@collector:4318", "https://u:%FF@c", "http://<c>"],
    ].flat(),
  },
])("settings.$value takes what $setting takes, and nothing that no process would start with", (its) => {
  const judged = (texts: string[]) =>
    texts.map((text) => [text, doesStart(its.setting, text), isValid({ settings: { [its.value]: text } })]);
  expect(judged(its.good)).toEqual(its.good.map((text) => [text, true, true]));
  expect(judged(its.bad)).toEqual(its.bad.map((text) => [text, false, false]));
});
