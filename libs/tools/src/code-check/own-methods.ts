import type { AnyNode, Class, ObjectExpression } from "acorn";
import { isCallable, type Line } from "./named-functions.ts";

/** Something with methods that the top level of the code gives a name. */
export interface Holder {
  name: string;
  node: (Class & AnyNode) | ObjectExpression;
  /** The offset at which the name is declared, which is no use of it. */
  declaredAt: number;
}

/** The classes and the literals with methods that a statement names. */
export function namedHolders(line: Line): Holder[] {
  if (line.type === "ClassDeclaration")
    return line.id ? [{ name: line.id.name, node: line, declaredAt: line.id.start }] : [];
  if (line.type !== "VariableDeclaration") return [];
  return line.declarations.flatMap(({ id, init }) =>
    id.type === "Identifier" && (init?.type === "ClassExpression" || init?.type === "ObjectExpression")
      ? [{ name: id.name, node: init, declaredAt: id.start }]
      : [],
  );
}

/** Whether `name` can be called on the holder itself or, where `isMade`, on an instance of the class. */
export function hasMethod({ node }: Holder, name: string, isMade: boolean): boolean {
  if (node.type === "ObjectExpression")
    return (
      !isMade &&
      node.properties.some(
        (property) =>
          property.type === "Property" &&
          property.kind === "init" &&
          isNamed(property, name) &&
          isCallable(property.value),
      )
    );
  return node.body.body.some(
    (member) =>
      (member.type === "MethodDefinition" || member.type === "PropertyDefinition") &&
      member.static !== isMade &&
      isNamed(member, name) &&
      member.value !== null &&
      member.value !== undefined &&
      isCallable(member.value) &&
      (member.type === "PropertyDefinition" || member.kind === "method"),
  );
}

const isNamed = ({ computed, key }: { computed: boolean; key: AnyNode }, name: string): boolean =>
  !computed && key.type === "Identifier" && key.name === name;
