import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Within a group the short faults begin first, then the other files of the project `system`, then the rest: what starts
 * processes takes longest, however short its file is, and begun last it would leave processors idle at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b));
  }
}

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

function placeOf({ project, moduleId }: TestSpecification): number {
  if (moduleId.endsWith(".fault.test.ts")) return 0;
  return project.name === "system" ? 1 : 2;
}
