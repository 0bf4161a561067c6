import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Within a group what starts a product of its own begins first, then the other files of the project `system`, then the
 * rest: what starts processes takes longest, however short its file is, and begun last it would leave processors idle at
 * the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b));
  }
}

const STARTS_OWN = /\b(?:startProduct|runStandalone)\(/u;

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

function placeOf({ project, moduleId }: TestSpecification): number {
  if (project.name !== "system") return 2;
  return STARTS_OWN.test(readFileSync(moduleId, "utf8")) ? 0 : 1;
}
