import type { ComponentProps } from "react";
import { Select } from "../../design/fields.tsx";
import { type Decision, DECISION_NAMES, DECISIONS } from "./settings-form.ts";

interface Props extends Omit<ComponentProps<"select">, "value" | "onChange"> {
  value: Decision;
  onDecide: (next: Decision) => void;
}

export const DecisionSelect = ({ value, onDecide, ...others }: Props) => (
  <Select {...others} value={value} onChange={({ target }) => onDecide(target.value as Decision)}>
    {DECISION_NAMES.map((decision) => (
      <option key={decision} value={decision}>
        {DECISIONS[decision]}
      </option>
    ))}
  </Select>
);
