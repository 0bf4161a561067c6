import type { ComponentType } from "react";
import type { JsonObject } from "../format/json-object.ts";
import type { Edit } from "./edit-history.ts";
import type { SchemaProblem } from "./problem-places.ts";

/** Takes the next schema of a part, with what was edited. */
export type Change = (next: unknown, edit: Edit) => void;

export interface FieldsProps {
  /** What the fields are of, for those who hear the page. */
  label: string;
  /** The object's schema. */
  node: JsonObject;
  change: (next: JsonObject, edit: Edit) => void;
  problems: readonly SchemaProblem[];
}

/** What every part of one schema's details gets. */
export interface PartProps {
  /** The field's name, or what else it is called. */
  name: string;
  schema: JsonObject;
  change: Change;
  problems: readonly SchemaProblem[];
  /** Shows the fields of an object within; files would else import each other in a circle. */
  Fields: ComponentType<FieldsProps>;
}
