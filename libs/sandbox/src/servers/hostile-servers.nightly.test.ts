import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leakCheck, until } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closedToOthers } from "../layers/closed-folder.ts";
import { ownGroups } from "../layers/launch-ground.ts";
import { openServerLauncher, type ServerLauncher } from "./server-launcher.ts";
import { asksFor, launchNode, linesOf, pidsWith, toolsThatRefuse } from "./testing/servers.ts";

leakCheck();
const LASTS = "setInterval(() => {}, 1e6);";
/** Prints what each of these is answered by: "reached", or the system's code for why not. */
const TRIES = `
const outcome = async (attempt) => { try { await attempt(); return "reached" } catch (error) { return error.code ?? error.message } };
const tell = async (attempts) => {
  const told = {};
  for (const [name, attempt] of Object.entries(attempts)) told[name] = await outcome(attempt);
  process.stdout.write(JSON.stringify(told) + "\\n", () => process.exit());
};`;

/** The roads that a machine may have, by what its `unshare` refuses; without one, all is had. */
const ROADS = [
  { road: "with the rights of root", refuses: null, rootOnly: true, ownRoot: true },
  { road: "in a user namespace", refuses: `! (${asksFor("--user")})`, rootOnly: false, ownRoot: true },
  { road: "where nothing may be mounted", refuses: asksFor("--mount"), rootOnly: true, ownRoot: false },
];

const isRoot = process.getuid?.() === 0;
/** Whether a user of a server's own comes to node by itself. */
const isReachable = closedToOthers([process.execPath]) === null;
describe.skipIf(process.platform !== "linux").each(ROADS)(
  "a hostile server $road",
  ({ refuses, rootOnly, ownRoot }) => {
    let folder: string;
    let launcher: ServerLauncher;
    let word: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "hostile-"));
      launcher = openServerLauncher(
        refuses === null ? {} : { toolFolders: toolsThatRefuse(folder, refuses) },
      );
    });
    afterAll(async () => {
      await launcher.close();
      rmSync(folder, { recursive: true });
    });
    beforeEach(({ skip }) => {
      skip(rootOnly && !isRoot, "the worker is not root");
      skip(isRoot && refuses !== null && !isReachable, "node's folder is closed to other users");
      word = randomUUID();
    });
    afterEach(() => expect(pidsWith(word)).toEqual([]));

    /** What a server prints of its tries. */
    async function told(attempts: string, args: string[] = []): Promise<Record<string, string>> {
      const server = await launchNode(launcher, `${TRIES}tell({${attempts}});`, [...args, word]);
      const line = await linesOf(server)();
      await server.ended;
      return JSON.parse(line) as Record<string, string>;
    }

    it("that never exits is ended with all that it has started, daemons too", async () => {
      const code = `process.on("SIGTERM", () => {}); process.on("SIGINT", () => {});
        const { spawn } = require("node:child_process");
        const daemon = "setInterval(() => {}, 1e6); console.log('up')";
        const again = \`require("node:child_process").spawn(process.execPath, ["-e", \${JSON.stringify(daemon)}, "--", process.argv.at(-1)],
          { detached: true, stdio: ["ignore", 1, "ignore"] }).unref()\`;
        spawn(process.execPath, ["-e", again, "--", process.argv.at(-1)], { detached: true, stdio: ["ignore", 1, "ignore"] });
        ${LASTS}`;
      const server = await launchNode(launcher, code, [word]);
      expect(await linesOf(server)()).toBe("up");
      // The one that made its namespaces, itself and its daemon; the one between may be gone.
      expect(pidsWith(word).length).toBeGreaterThanOrEqual(3);
      server.kill();
      await server.ended;
    });

    it("that ends leaves no daemon behind", async () => {
      const code = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(LASTS)}, "--", process.argv.at(-1)],
          { detached: true, stdio: "ignore" }).unref(); console.log("done"); process.exit()`;
      const server = await launchNode(launcher, code, [word]);
      const next = linesOf(server);
      await server.ended;
      expect(await next()).toBe("done");
    });

    it("that forks without end meets its bound of processes", async () => {
      const code =
        '$| = 1; for (my $made = 0; ; $made++) { my $pid = fork; defined $pid or print("$made\\n"), sleep; $pid or sleep }';
      const args = ["-e", code, word];
      const server = await launcher.launch({ tenantId: "ten_a", command: "/usr/bin/perl", args, env: {} });
      const made = Number(await linesOf(server)());
      expect(made).toBeGreaterThan(16);
      expect(made).toBeLessThan(1_024);
      server.kill();
      await server.ended;
    });

    it("that eats memory is ended by the system, which is said", async ({ skip }) => {
      skip("reason" in (await ownGroups(64)), "no memory cgroup can be made here");
      const code = "const all = []; for (;;) all.push(Buffer.alloc(2 ** 24, 1))";
      const server = await launchNode(launcher, code, [word]);
      await server.ended;
      expect(server.lastWords).toBe("It needed more than the 512 MiB of memory that it may use.");
    });

    it("that floods standard error is heard to its end and no further, and still answers", async () => {
      const code = `const flood = "const text = 'x'.repeat(2 ** 16); for (;;) require('node:fs').writeSync(2, text)";
        require("node:child_process").spawn(process.execPath, ["-e", flood, "--", process.argv.at(-1)], { stdio: ["ignore", "ignore", 2] });
        process.stdin.on("data", (chunk) => process.stdout.write(chunk));`;
      const server = await launchNode(launcher, code, [word]);
      const next = linesOf(server);
      for (let call = 0; call < 3; call++) {
        server.input.write(`${call}\n`);
        expect(await next()).toBe(`${call}`);
      }
      await until(() => server.lastWords.length > 0, { what: "the flood is heard" });
      server.kill();
      await server.ended;
      expect(Buffer.byteLength(server.lastWords)).toBeLessThanOrEqual(4_096);
    });

    it("finds no files of the machine, of its worker or of other processes", async () => {
      const secret = join(folder, "secret");
      writeFileSync(secret, "secret");
      const read = (path: string): string => `() => require("node:fs").readFileSync(${path})`;
      const seen = await told(
        `
        program: ${read(JSON.stringify(process.execPath))},
        itself: ${read('"/proc/self/environ"')},
        secret: ${read('Buffer.from(process.argv[1], "base64")')},
        users: ${read('"/etc/passwd"')},
        worker: ${read(`"/proc/${process.pid}/environ"`)},
        parent: ${read('"/proc/" + process.ppid + "/environ"')},
        disk: ${read('"/sys/block"')},
        root: () => require("node:fs").readdirSync("/"),
        project: ${read(JSON.stringify(join(process.cwd(), "package.json")))},
      `,
        [Buffer.from(secret).toString("base64")],
      );
      expect(seen).toMatchObject({ program: "reached", itself: "reached", root: "EACCES" });
      const { program: _, itself: __, root: ___, ...others } = seen;
      const refusals = ownRoot ? ["ENOENT"] : ["EACCES", "ENOENT"];
      for (const [name, answer] of Object.entries(others))
        expect([name, refusals]).toEqual([name, expect.arrayContaining([answer])]);
    });

    it("reaches no process outside, and gets no privilege", async () => {
      const seen = await told(`
        worker: () => process.kill(${process.pid}, 0),
        parent: () => process.kill(${process.ppid}, 0),
        everyone: () => process.kill(-1, 0),
        user: () => process.setuid(0),
        namespace: () => { if (require("node:child_process").spawnSync("/usr/bin/unshare", ["--mount", "true"]).status !== 0) throw new Error("refused") },
        score: () => require("node:fs").writeFileSync("/proc/self/oom_score_adj", "0"),
      `);
      expect(seen).toEqual({
        worker: "ESRCH",
        parent: "ESRCH",
        everyone: "ESRCH",
        user: expect.stringMatching(/^(EPERM|EINVAL)$/),
        namespace: "refused",
        score: "EACCES",
      });
    });

    it("writes to its home alone, within a bound, and the next one finds nothing of it", async () => {
      const write = (path: string): string => `() => require("node:fs").writeFileSync(${path}, "x")`;
      const writes = `
        home: ${write('process.env.HOME + "/mine"')},
        full: () => { for (let part = 0; part < 9; part++) require("node:fs").writeFileSync(process.env.HOME + "/" + part, Buffer.alloc(8 * 2 ** 20)) },
        nothing: ${write('"/dev/null"')},
        system: ${write('"/usr/bin/mine"')},
        program: ${write("process.execPath")},
        temporary: ${write('"/var/tmp/mine"')},
        memory: ${write('"/dev/shm/mine"')},
        root: ${write('"/mine"')},`;
      const { home, full, nothing, ...others } = await told(writes);
      expect({ home, full, nothing }).toEqual(
        ownRoot
          ? { home: "reached", full: "ENOSPC", nothing: "reached" }
          : {
              home: expect.stringMatching(/EACCES|ENOENT/),
              full: expect.stringMatching(/EACCES|ENOENT/),
              nothing: "reached",
            },
      );
      for (const answer of Object.values(others)) expect(answer).toMatch(/^(EACCES|EROFS|ENOENT|ETXTBSY)$/);
      for (const path of ["/var/tmp/mine", "/dev/shm/mine", "/mine", "/usr/bin/mine", "/tmp/mine"])
        expect(existsSync(path)).toBe(false);
      expect(await told('home: () => require("node:fs").readFileSync(process.env.HOME + "/mine")')).toEqual({
        home: ownRoot ? "ENOENT" : expect.stringMatching(/EACCES|ENOENT/),
      });
    });

    describe("beside servers of the worker's", () => {
      let servers: Server[];
      let port: number;
      let path: string;
      const name = `\0hostile-${randomUUID()}`;
      beforeAll(async () => {
        path = join(tmpdir(), `${randomUUID()}.sock`);
        servers = [];
        for (const at of [{ port: 0, host: "127.0.0.1" }, { path }, { path: name }]) {
          const server = createServer((socket) => socket.end()).listen(at);
          await once(server, "listening");
          servers.push(server);
        }
        const ports = servers.map((server) => (server.address() as { port?: number }).port);
        port = ports[0] ?? 0;
        chmodSync(path, 0o777);
      });
      afterAll(async () => {
        for (const server of servers) {
          server.close();
          await once(server, "close");
        }
      });

      it("reaches none of them, nor any network", async () => {
        const connect = (to: string): string => `() => new Promise((resolve, reject) =>
          require("node:net").connect(${to}).once("connect", resolve).once("error", reject))`;
        const seen = await told(`
          loopback: ${connect(`${port}, "127.0.0.1"`)},
          outside: ${connect('443, "192.0.2.1"')},
          abstract: ${connect(`{ path: ${JSON.stringify(name)} }`)},
          datagram: () => new Promise((resolve, reject) => require("node:dgram").createSocket("udp4").send("x", ${port}, "127.0.0.1", (error) => error ? reject(error) : resolve())),
          own: () => new Promise((resolve, reject) => require("node:net").createServer().listen(0, "127.0.0.1", resolve).once("error", reject)),
          socket: ${connect(`{ path: ${JSON.stringify(path)} }`)},
        `);
        const { socket, abstract, ...network } = seen;
        for (const answer of Object.values(network))
          expect(answer).toMatch(/^(EACCES|ENETUNREACH|EADDRNOTAVAIL)$/);
        expect(abstract).toMatch(/^(ECONNREFUSED|EPERM)$/);
        // Without a root of its own it finds sockets that are open to every user: the threat model says so.
        expect(socket).toBe(ownRoot ? "ENOENT" : "reached");
      });
    });
  },
);
