"use client";

import { Checkbox } from "#components/ui/checkbox.tsx";
import { EVENT_WORDS } from "./words.ts";

export type EventTypeName = keyof typeof EVENT_WORDS;

const NAMES = Object.keys(EVENT_WORDS) as EventTypeName[];

interface EventTypesFieldProps {
  /** Null: all types, including future ones. */
  value: readonly EventTypeName[] | null;
  onChange: (value: readonly EventTypeName[] | null) => void;
  error: string | undefined;
}

/** Which events an endpoint gets. */
export function EventTypesField({ value, onChange, error }: EventTypesFieldProps) {
  return (
    <fieldset className="flex flex-col">
      <legend className="mb-1 font-medium">Events</legend>
      <Radio label="All of them, also types that are added later" checked={value === null} onChoice={() => onChange(null)} />
      <Radio label="Only these" checked={value !== null} onChoice={() => onChange(value ?? NAMES.slice(0, 1))} />
      {value !== null && (
        <div className="mt-1 ml-2 border-l border-line pl-4">
          {NAMES.map((name) => (
            <Checkbox
              key={name}
              name={`type-${name}`}
              label={EVENT_WORDS[name]}
              hint={<span className="font-mono">{name}</span>}
              checked={value.includes(name)}
              onChange={({ target }) => onChange(target.checked ? [...value, name] : value.filter((kept) => kept !== name))}
            />
          ))}
        </div>
      )}
      {error && (
        <p role="alert" className="text-fact text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function Radio({ label, checked, onChoice }: { label: string; checked: boolean; onChoice: () => void }) {
  return (
    <label className="flex min-h-11 items-center gap-2.5 sm:min-h-9">
      <input type="radio" name="events" checked={checked} onChange={onChoice} className="size-[1.125rem] shrink-0 accent-brand" />
      {label}
    </label>
  );
}
