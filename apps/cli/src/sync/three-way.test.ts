import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  needsLook,
  pullActionOf,
  pushActionOf,
  standingOf,
  type PushChoice,
  type ThreeWay,
} from "./three-way.ts";

const base = { mine: "m1", theirs: "t1" };

test.each<[string, ThreeWay, boolean?]>([
  ["unchanged", { mine: "m1", theirs: "t1", base }],
  ["new here", { mine: "m1" }],
  ["new there", { theirs: "t1" }],
  ["changed here", { mine: "m2", theirs: "t1", base }],
  ["changed there", { mine: "m1", theirs: "t2", base }],
  ["deleted here", { theirs: "t1", base }],
  ["deleted there", { mine: "m1", base }],
  ["conflict", { mine: "m2", theirs: "t2", base }],
  ["conflict", { mine: "m2", base }],
  ["conflict", { theirs: "t2", base }],
  ["conflict", { mine: "m1", theirs: "t1" }],
  ["gone", { base }],
  ["faulty here", { theirs: "t1", base, isFaulty: true }],
  // Both made the same change, or had the same from the beginning.
  ["unchanged", { mine: "m2", theirs: "t2", base }, true],
  ["unchanged", { mine: "m1", theirs: "t1" }, true],
  // The server alone knows what was pushed last.
  ["changed here", { mine: "m1", theirs: "t1", base: { mine: null, theirs: "t1" } }],
  ["unchanged", { mine: "m1", theirs: "t1", base: { mine: null, theirs: "t1" } }, true],
  ["deleted here", { theirs: "t1", base: { mine: null, theirs: "t1" } }],
])("a tool is %s by %j", (standing, sides, isEqual) => {
  expect(standingOf(sides, isEqual)).toBe(standing);
});

const CHOICES: PushChoice[] = [
  { prune: false, overwrite: false },
  { prune: true, overwrite: false },
];

/** A folder, a server and what they had in common, each tool's content a number. A step of others is one on the server. */
class World {
  readonly here = new Map<string, number>();
  readonly there = new Map<string, number>();
  readonly known = new Map<string, number>();

  sides(key: string): ThreeWay {
    const [mine, theirs, was] = [this.here.get(key), this.there.get(key), this.known.get(key)];
    return {
      mine: mine?.toString(),
      theirs: theirs?.toString(),
      base: was === undefined ? undefined : { mine: String(was), theirs: String(was) },
    };
  }

  standing(key: string) {
    const sides = this.sides(key);
    const isEqual = needsLook(sides) && sides.mine === sides.theirs;
    return { sides, standing: standingOf(sides, isEqual) };
  }

  keys(): Set<string> {
    return new Set([...this.here.keys(), ...this.there.keys(), ...this.known.keys()]);
  }

  /** False: it was stopped, and nothing was done. */
  push(choice: PushChoice): boolean {
    const plan = [...this.keys()].map((key) => {
      const { sides, standing } = this.standing(key);
      return { key, standing, action: pushActionOf(standing, sides, choice) };
    });
    if (plan.some(({ action }) => action === "stop")) return false;
    for (const { key, action, standing } of plan) {
      const mine = this.here.get(key);
      if ((action === "create" || action === "update") && mine !== undefined) this.there.set(key, mine);
      if (action === "delete") this.there.delete(key);
      if (action === "delete" || standing === "gone") this.known.delete(key);
      else if (action !== "leave" || standing === "unchanged") this.known.set(key, Number(mine));
    }
    return true;
  }

  pull(): void {
    for (const key of this.keys()) {
      const { sides, standing } = this.standing(key);
      const theirs = this.there.get(key);
      if (pullActionOf(standing, sides, false) !== "write" || theirs === undefined) continue;
      this.here.set(key, theirs);
      this.known.set(key, theirs);
    }
  }
}

const key = fc.constantFrom("a", "b", "c");
const content = fc.integer({ min: 1, max: 4 });
const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("edit" as const),
      side: fc.constantFrom("here" as const, "there" as const),
      key,
      content,
    }),
    fc.record({
      do: fc.constant("delete" as const),
      side: fc.constantFrom("here" as const, "there" as const),
      key,
    }),
    fc.record({ do: fc.constant("push" as const), choice: fc.constantFrom(...CHOICES) }),
    fc.record({ do: fc.constant("pull" as const) }),
  ),
  { maxLength: 30 },
);

test("a push changes nothing that others did, a prune deletes what was in common alone, a pull no work of here", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const world = new World();
      for (const step of all) {
        const [here, there, known] = [new Map(world.here), new Map(world.there), new Map(world.known)];
        if (step.do === "edit") world[step.side].set(step.key, step.content);
        else if (step.do === "delete") world[step.side].delete(step.key);
        else if (step.do === "push") {
          const isDone = world.push(step.choice);
          for (const [each, theirs] of there)
            if (world.there.get(each) !== theirs) expect([isDone, theirs]).toEqual([true, known.get(each)]);
          expect(world.here).toEqual(here);
          if (isDone && step.choice.prune)
            for (const each of here.keys())
              expect(["unchanged", "changed there", "deleted there"]).toContain(
                world.standing(each).standing,
              );
        } else {
          world.pull();
          for (const [each, mine] of here)
            if (world.here.get(each) !== mine) expect(mine).toBe(known.get(each));
          expect(world.there).toEqual(there);
        }
      }
    }),
  );
});

test("after a push all of the folder stands unchanged where nobody else did anything", () => {
  fc.assert(
    fc.property(fc.dictionary(key, content), fc.dictionary(key, content), (first, second) => {
      const world = new World();
      for (const folder of [first, second]) {
        world.here.clear();
        for (const [each, mine] of Object.entries(folder)) world.here.set(each, mine);
        expect(world.push({ prune: true, overwrite: false })).toBe(true);
        expect(world.there).toEqual(world.here);
        for (const each of world.keys()) expect(world.standing(each).standing).toBe("unchanged");
      }
    }),
  );
});

test("others' changes are overwritten where that is said, and deleted where both are", () => {
  const both = { mine: "m2", theirs: "t2", base };
  const asked = (sides: ThreeWay, prune: boolean, overwrite: boolean) =>
    pushActionOf(standingOf(sides), sides, { prune, overwrite });
  expect([asked(both, false, false), asked(both, false, true)]).toEqual(["stop", "update"]);
  const goneHere = { theirs: "t2", base };
  expect([asked(goneHere, false, true), asked(goneHere, true, false), asked(goneHere, true, true)]).toEqual([
    "leave",
    "stop",
    "delete",
  ]);
  const goneThere = { mine: "m1", base };
  expect([asked(goneThere, true, false), asked(goneThere, false, true)]).toEqual(["leave", "create"]);
});

test("what was deleted here comes back where it is named", () => {
  const sides = { theirs: "t1", base };
  expect([false, true].map((isNamed) => pullActionOf(standingOf(sides), sides, isNamed))).toEqual([
    "leave",
    "write",
  ]);
});
