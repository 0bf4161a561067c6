import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCommandLine, type CommandLine } from "../support/cli.ts";
import { newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let cli: CommandLine;
let owner: Client;
let folder: string;

const SAYS = `process.stdin.on("data", (text) => console.log(JSON.stringify([process.argv.slice(1), JSON.parse(text)])))`;
const COMMANDS = {
  echo: {
    description: "Says what it was given.",
    run: [process.execPath, "-e", SAYS, "--", "{{text}}"],
    output: "json",
  },
  fail: { description: "Fails.", run: [process.execPath, "-e", "console.error('why'); process.exit(3)"] },
  wait: { description: "Never ends.", run: [process.execPath, "-e", "setInterval(() => {}, 1e6)"] },
};

beforeAll(async () => {
  cli = await openCommandLine();
  ({ owner } = await newTenant(product));
  folder = await mkdtemp(join(tmpdir(), "device-program-"));
  await writeFile(join(folder, "devices.json"), JSON.stringify({ commands: COMMANDS }));
  await cli.say(["login", product.url, "--key-stdin"], { stdin: owner.key ?? "" });
});
afterAll(async () => {
  await cli.close();
  await rm(folder, { recursive: true });
});

const devices = async () => (await owner.get("/api/v1/devices")).body.data.devices;
const nodes = async (args: object) =>
  (await owner.post("/api/v1/custom-tools/nodes/execute", { arguments: args })).body.data;

test("a machine is paired by a code, offers its commands, runs what is asked for, and is removed", async () => {
  product.showLogsIfTestFails();
  const made = await cli.say(["devices", "code", "--name", "the one"]);
  const code = made.stdout.trim();
  expect([made.code, code]).toEqual([0, expect.stringMatching(/^\S{4}-\S{4}$/)]);
  expect(made.stderr).toContain(`bulkhead device pair ${code} --server ${product.url}`);
  const [wrong, unpaired] = await Promise.all([
    cli.say(["device", "pair", "AAAA-AAAA", "--json"]),
    cli.say(["device", "run"]),
  ]);
  expect([wrong.code, JSON.parse(wrong.stderr).error.code, unpaired.code]).toEqual([
    3,
    "device.code_invalid",
    3,
  ]);

  const paired = await cli.say(["device", "pair", code, "--server", product.url, "--json"]);
  const { device, path } = JSON.parse(paired.stdout);
  expect([device.name, path]).toEqual(["the one", join(dirname(cli.configPath), "device.json")]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { token } = JSON.parse(await readFile(path, "utf8"));
  expect(paired.stdout + paired.stderr).not.toContain(token);

  let stop = (): void => undefined;
  const running = cli.run(["device", "run", "--allow", join(folder, "devices.json")], {
    onStderr: (_said, kill) => (stop = () => kill("SIGHUP")),
  });
  await expect
    .poll(devices, { timeout: 15_000 })
    .toMatchObject([{ online: true, commandNames: ["echo", "fail", "wait"] }]);
  const text = `it's "$(id)"; & | *`;
  const echoed = await nodes({ action: "invoke", device: "the one", command: "echo", arguments: { text } });
  expect(JSON.stringify(echoed.result)).toContain(JSON.stringify([[text], { text }]));
  const failed = await nodes({ action: "invoke", device: device.id, command: "fail" });
  expect(failed.error.message).toContain("The command ended with exit code 3: why");
  const late = await nodes({ action: "invoke", device: device.id, command: "wait", timeoutMs: 300 });
  expect(late.status).not.toBe("succeeded");

  const [again, renamed, table] = await Promise.all([
    cli.say(["device", "pair", code]),
    cli.say(["devices", "rename", device.id, "another"]),
    cli.say(["devices"]),
  ]);
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("paired already, as the one")]);
  expect([renamed.code, (await devices())[0].name]).toEqual([0, "another"]);
  expect(table.stdout).toMatch(new RegExp(`${device.id}.*online.*echo, fail, wait`));
  stop();
  const ended = await running;
  expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining("Connected as the one")]);
  expect(ended.stdout).toMatch(/echo \{"text":.*✓ \S+ echo .*✗ \S+ fail .*exit code 3/s);
  await expect.poll(devices).toMatchObject([{ online: false }]);

  const [asked, removed] = [
    await cli.say(["devices", "remove", "another"]),
    await cli.say(["devices", "rm", "another", "--yes"]),
  ];
  expect([asked.code, asked.stderr, removed.code]).toEqual([2, expect.stringContaining("--yes"), 0]);
  expect(await devices()).toEqual([]);
  const refused = await cli.say(["device", "run", "--allow", join(folder, "devices.json")]);
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining("device pair <code> --replace"),
  ]);
});
