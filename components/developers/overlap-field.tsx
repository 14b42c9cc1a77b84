import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";

const DAY_HOURS = 24;

const CHOICES = [
  { hours: 0, label: "Not at all: it stops at once" },
  { hours: 1, label: "1 hour" },
  { hours: DAY_HOURS, label: "1 day" },
  { hours: 3 * DAY_HOURS, label: "3 days" },
  { hours: 7 * DAY_HOURS, label: "7 days" },
  { hours: 14 * DAY_HOURS, label: "14 days" },
  { hours: 30 * DAY_HOURS, label: "30 days" },
] as const;

interface OverlapFieldProps {
  label: string;
  hint: string;
  maxHours: number;
  error: string | undefined;
}

/** How long an old secret works beside the new one, as `overlap_hours`. */
export function OverlapField({ label, hint, maxHours, error }: OverlapFieldProps) {
  return (
    <Field label={label} name="overlap_hours" hint={hint} error={error}>
      {(wiring) => (
        <Select {...wiring} defaultValue={String(DAY_HOURS)}>
          {CHOICES.filter(({ hours }) => hours <= maxHours).map(({ hours, label: text }) => (
            <option key={hours} value={hours}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
