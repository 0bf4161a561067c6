import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TooManyProcessesError, type McpProcess } from "@bulkhead/core";
import { isNightly, leakCheck } from "@bulkhead/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  openServerLauncher,
  SERVERS_MAX,
  TENANT_SERVERS_MAX,
  type ServerLauncher,
} from "./server-launcher.ts";
import { launchNode, linesOf, pidsWith, toolsThatRefuse } from "./testing/servers.ts";

leakCheck();
const EVERYTHING = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);
const LASTS = "setInterval(() => {}, 1e6)";
let launcher: ServerLauncher;
let folder: string;
let word: string;
beforeEach(() => {
  launcher = openServerLauncher();
  folder = mkdtempSync(join(tmpdir(), "servers-"));
  word = randomUUID();
});
afterEach(async () => {
  await launcher.close();
  rmSync(folder, { recursive: true });
});

describe.skipIf(process.platform !== "linux")("a launcher of servers", () => {
  it("starts a real server, which answers by lines", async () => {
    const args = [EVERYTHING, "stdio"];
    const server = await launcher.launch({ tenantId: "ten_a", command: process.execPath, args, env: {} });
    const next = linesOf(server);
    const ask = async (id: number, method: string, params: object): Promise<unknown> => {
      server.input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      for (;;) {
        const message = JSON.parse(await next()) as { id?: number; result?: unknown };
        if (message.id === id) return message.result;
      }
    };
    const clientInfo = { name: "test", version: "1" };
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    expect(await ask(1, "initialize", hello)).toMatchObject({
      serverInfo: { name: "mcp-servers/everything" },
    });
    server.input.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    expect(await ask(2, "tools/list", {})).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: "echo" })]) as unknown,
    });
    expect(server.lastWords).toContain("Starting default (STDIO) server");
    server.kill();
    await server.ended;
  });

  it("gives a server the variables that it is told, and few of its own", async () => {
    const code = "console.log(JSON.stringify({ ...process.env, cwd: process.cwd() }))";
    const env = { TOKEN: "a=b\nü", EMPTY: "", LANG: "C" };
    const server = await launchNode(launcher, code, [], { env });
    const { PATH, ...others } = JSON.parse(await linesOf(server)()) as Record<string, string>;
    expect(PATH?.split(":")).toEqual(expect.arrayContaining(["/usr/bin"]));
    expect(others).toEqual({ ...env, HOME: "/tmp", TMPDIR: "/tmp", cwd: "/tmp" });
    await server.ended;
  });

  it("keeps a server's variables from what runs before it, and with more rights", async () => {
    const env = { PERL5OPT: "-MNo::Such::Module", LD_PRELOAD: "/no/such/library.so", PERL_UNICODE: "SDA" };
    const code = "console.log(process.env.PERL5OPT, process.env.LD_PRELOAD)";
    const server = await launchNode(launcher, code, [], { env });
    expect(await linesOf(server)()).toBe("-MNo::Such::Module /no/such/library.so");
    await server.ended;
  });

  it.each([
    ["an empty name", { "": "x" }],
    ["a name with =", { "A=B": "x" }],
    ["a zero character", { A: "x\0LD_PRELOAD=y" }],
  ])("refuses a variable with %s", async (_, env: Record<string, string>) => {
    await expect(launchNode(launcher, LASTS, [], { env })).rejects.toThrow(/can't be given to a process/);
  });

  it("loses nothing of what a server says right before its end", async () => {
    const server = await launchNode(launcher, "console.log('said'); console.error('last')");
    const next = linesOf(server);
    await server.ended;
    expect(await next()).toBe("said");
    expect(server.lastWords).toBe("last\n");
  });

  it("says why a command can't be started", async () => {
    const command = join(folder, "server");
    writeFileSync(command, "text", { mode: 0o644 });
    const launch = (): Promise<McpProcess> =>
      launcher.launch({ tenantId: "ten_a", command, args: [], env: {} });
    if (process.getuid?.() === 0) await expect(launch()).rejects.toThrow(/is closed to other users/);
    chmodSync(folder, 0o755);
    const server = await launch();
    await server.ended;
    expect(server.lastWords).toContain(`${command}: Permission denied`);
    await expect(
      launcher.launch({ tenantId: "ten_a", command: "/no/such", args: [], env: {} }),
    ).rejects.toThrow("There is no /no/such on this worker's machine.");
  });

  it("names what the machine lacks, and starts nothing without it", async () => {
    const bare = openServerLauncher({ toolFolders: [folder] });
    await expect(launchNode(bare, LASTS, [word])).rejects.toThrow(/prlimit \(util-linux\) is not installed/);
    const refused = openServerLauncher({ toolFolders: toolsThatRefuse(folder, "true") });
    await expect(launchNode(refused, LASTS, [word])).rejects.toThrow(
      /^This worker starts no servers, since its machine can't keep them in: unshare: not permitted here[.;] /,
    );
    expect(pidsWith(word)).toEqual([]);
  });

  it.runIf(isNightly)(
    "looks again where nothing worked, and starts servers once the machine gives what it takes",
    async () => {
      const later = openServerLauncher({
        toolFolders: toolsThatRefuse(folder, `[ ! -e ${folder}/allowed ]`),
      });
      await expect(launchNode(later, LASTS)).rejects.toThrow(/not permitted here/);
      writeFileSync(join(folder, "allowed"), "");
      const server = await launchNode(later, "console.log('up')");
      expect(await linesOf(server)()).toBe("up");
      await later.close();
    },
  );

  it("has a bound of servers for a tenant and for a worker, and counts those alone that are there", async () => {
    const sleeps = (tenantId: string): Promise<McpProcess> =>
      launcher.launch({ tenantId, command: "/bin/sleep", args: ["1000000"], env: {} });
    const tenants = Array.from({ length: SERVERS_MAX / TENANT_SERVERS_MAX }, (_, index) => `ten_${index}`);
    const first = await sleeps("ten_0");
    const asked = tenants.flatMap((tenantId) =>
      Array.from({ length: TENANT_SERVERS_MAX }, () => sleeps(tenantId)),
    );
    const settled = await Promise.allSettled(asked);
    const refused = settled.flatMap((one) =>
      one.status === "rejected" ? [(one.reason as Error).message] : [],
    );
    expect(refused).toEqual([expect.stringMatching(/^The tenant has 8 servers' processes on this worker/)]);
    await expect(sleeps("ten_other")).rejects.toThrow(/^This worker has 32 servers' processes/);
    await expect(sleeps("ten_other")).rejects.toBeInstanceOf(TooManyProcessesError);
    first.kill();
    first.kill();
    await first.ended;
    await sleeps("ten_other");
  });

  it("ends all servers when it closes, those that start too, and starts none after", async () => {
    const server = await launchNode(launcher, LASTS, [word]);
    const starting = launchNode(launcher, LASTS, [word]).then(
      ({ ended }) => ended,
      (error: unknown) => expect(String(error)).toContain("could not be started"),
    );
    await launcher.close();
    await Promise.all([server.ended, starting]);
    expect(pidsWith(word)).toEqual([]);
    await expect(launchNode(launcher, LASTS)).rejects.toThrow("This worker is stopping.");
  });
});
