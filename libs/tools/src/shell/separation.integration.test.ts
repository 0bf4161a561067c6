import { Fault, type CapabilityRun, type ProcessBoard } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { openShell } from "../built-in/shell/capability.ts";
import { editFile, globFiles, moveFile, removeFile, searchFiles, writeFile } from "../files.ts";
import {
  askerOf,
  bytesOf,
  deps,
  newTenant,
  pathsOf,
  read,
  useWorkspaces,
} from "../files/fixtures/workspaces.ts";
import { BackgroundCommands } from "./background-commands.ts";
import { openShells } from "./open-shells.ts";

useWorkspaces();
const shells = openShells(
  { limitLinks: () => [], memoryOf: () => null },
  { launch: () => Promise.reject(new Error("not on this machine")) },
);
const background = new BackgroundCommands({} as ProcessBoard, {} as never, () => undefined);
afterAll(() => shells.close());

type Asker = ReturnType<typeof askerOf>;

/** What a command has said and left, by whatever it was asked. */
async function exec({ workspace, by: executionId }: Asker, command: string): Promise<string> {
  const family = openShell({ ...deps, ...shells, background });
  const caller = {
    ...workspace,
    executionId,
    toolName: "exec",
    services: [],
    way: null,
    run: {} as CapabilityRun,
  };
  const request = { operation: "exec", arguments: { command }, content: null };
  const answer = await family.run(request, caller, new AbortController().signal);
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  expect(answer.value).toMatchObject({ unsaved: [], timedOut: false });
  const { stdout, stderr } = answer.value as { stdout: string; stderr: string };
  return stdout + stderr;
}

/** Of each asker its paths, with what is in them. */
type Model = Map<string, string>;
const NAMES = ["a.txt", "b.txt", "d/a.txt", "d/e/b.txt"];
const WHO = 8;
const name = fc.constantFrom(...NAMES);
type Step = (
  asker: Asker,
  model: Model,
  paths: { one: string; other: string },
  line: string,
) => Promise<string>;

/** Each does something, has the model do the same, and answers what the asker was shown. */
const STEPS: Readonly<Record<string, Step>> = {
  async write(asker, model, { one }, line) {
    await writeFile(deps, asker, { path: one, content: bytesOf(line) });
    model.set(one, line);
    return "";
  },
  async edit(asker, model, { one }, line) {
    const had = model.get(one) ?? "";
    const oldText = `${had.split("\n")[0]}\n`;
    await editFile(deps, asker, { path: one, edits: [{ oldText, newText: line }] });
    model.set(one, had.replace(oldText, line));
    return "";
  },
  async move(asker, model, { one, other }) {
    await moveFile(deps, asker, { from: one, to: other, overwrites: true });
    const had = model.get(one) ?? "";
    model.delete(one);
    model.set(other, had);
    return "";
  },
  async remove(asker, model, { one }) {
    await removeFile(deps, asker, { path: one, isRecursive: false });
    model.delete(one);
    return "";
  },
  read: (asker, _model, { one }) => read(asker, one),
  glob: async (asker) =>
    (await globFiles(deps, asker, { pattern: "**/*.txt" })).files.map(({ path }) => path).join(),
  search: async (asker) =>
    (await searchFiles(deps, asker, { pattern: "of" })).matches.map(({ text }) => text).join("\n"),
  async append(asker, model, { one }, line) {
    await exec(asker, `mkdir -p d/e && printf '%s\\n' '${line.trim()}' >> ${one}`);
    model.set(one, `${model.get(one) ?? ""}${line}`);
    return "";
  },
  look: (asker) =>
    exec(asker, "cat $(find / -name '*.txt' 2>/dev/null) ../../*/*.txt /workspace/../*/*.txt; env; ls -R /"),
};

/** A command takes a third of a second, so few of them are commands. */
const CHANGES = ["write", "edit", "move", "remove"];
const what = fc.constantFrom(...CHANGES, ...CHANGES, ...Object.keys(STEPS));
const operation = fc.record({ who: fc.nat(WHO - 1), what, one: name, other: name });

test("[G5] whatever users and agents of two tenants do by files and by commands, none sees a byte of another's", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 20, maxLength: 30 }), async (operations) => {
      const tenants = [await newTenant(), await newTenant()];
      const askers = tenants.flatMap((tenantId) =>
        ["one", "two"].flatMap((agent) => ["ann", "bob"].map((user) => askerOf(tenantId, agent, user))),
      );
      const models = askers.map((): Model => new Map());
      for (const [n, { who, what: named, ...paths }] of operations.entries()) {
        const doing = STEPS[named]?.(askers[who]!, models[who]!, paths, `of ${who}, at ${n}\n`);
        const shown = await doing?.catch((error: unknown) => {
          expect(error).toBeInstanceOf(Fault);
          return "";
        });
        const others = [...(shown ?? "").matchAll(/of (\d),/g)].filter(([, owner]) => owner !== String(who));
        expect(others).toEqual([]);
      }
      for (const [who, asker] of askers.entries()) {
        const model = models[who]!;
        expect((await pathsOf(asker)).toSorted()).toEqual([...model.keys()].toSorted());
        for (const [path, content] of model) expect(await read(asker, path)).toBe(content);
      }
    }),
    { numRuns: isNightly ? 10 : 1 },
  );
});
