"use client";

import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { classes } from "#components/ui/class-names.ts";
import { Input } from "#components/ui/input.tsx";
import { TextLink } from "#components/ui/text-link.tsx";

export interface Choice {
  value: string;
  label: string;
}

/** A filter of a list. Its name is the parameter of the address. */
export type Filter =
  | { kind: "choice"; name: string; label: string; choices: readonly Choice[] }
  /** Days in Lagos: a choice of ranges, or `from` and `to`. */
  | { kind: "days" }
  /** Major units, as `min` and `max`. */
  | { kind: "amount"; symbol: string }
  | { kind: "text"; name: string; label: string };

export type FilterValues = Readonly<Record<string, string>>;

interface FiltersProps {
  filters: readonly Filter[];
  /** The values in the address. */
  values: FilterValues;
  /** The list without filters. */
  clearHref: string;
}

const RANGES: readonly Choice[] = [
  { value: "today", label: "Today" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
  { value: "month", label: "This month" },
  { value: "last-month", label: "Last month" },
];
const OWN_DAYS = "own";
/** With more filters than this, a phone shows a button in their place, because they would fill its whole screen. */
const MAX_UNFOLDED = 4;

/** The filters of a list, as a form whose address is the page's own: a choice takes effect at once, a typed value after Enter or Apply. */
export function Filters({ filters, values, clearHref }: FiltersProps) {
  const set = filters.filter((filter) => namesOf(filter).some((name) => values[name])).length;
  const isFoldable = filters.length > MAX_UNFOLDED;
  const [isOpen, setOpen] = useState(false);
  return (
    <form
      method="get"
      action={clearHref}
      aria-label="Filters"
      className="flex flex-wrap items-center gap-2"
      onChange={({ currentTarget, target }) => {
        if (target instanceof HTMLSelectElement && target.value !== OWN_DAYS) currentTarget.requestSubmit();
      }}
      ref={leaveOutWhatIsEmpty}
    >
      {isFoldable && (
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className={classes(CHIP, "pr-3! sm:hidden")}>
          {set > 0 ? `Filters (${set})` : "Filters"}
        </button>
      )}
      <span className={classes("contents", isFoldable && !isOpen && "max-sm:hidden")}>
        {filters.map((filter) => (
          <FilterControl key={namesOf(filter)[0]} filter={filter} values={values} />
        ))}
      </span>
      {set > 0 && (
        <span className="px-1 text-fact">
          <TextLink href={clearHref}>Clear</TextLink>
        </span>
      )}
    </form>
  );
}

/** Keeps parameters without a value out of the address. */
function leaveOutWhatIsEmpty(form: HTMLFormElement | null) {
  const leaveOut = ({ formData }: FormDataEvent) => {
    for (const [name, value] of [...formData.entries()]) if (value === "" || value === OWN_DAYS) formData.delete(name);
  };
  form?.addEventListener("formdata", leaveOut);
  return () => form?.removeEventListener("formdata", leaveOut);
}

function namesOf(filter: Filter): string[] {
  if (filter.kind === "days") return ["days", "from", "to"];
  return filter.kind === "amount" ? ["min", "max"] : [filter.name];
}

function FilterControl({ filter, values }: { filter: Filter; values: FilterValues }) {
  switch (filter.kind) {
    case "choice":
      return <ChoiceFilter name={filter.name} label={filter.label} choices={filter.choices} value={values[filter.name] ?? ""} />;
    case "days":
      return <DaysFilter values={values} />;
    case "amount":
      return <AmountFilter symbol={filter.symbol} values={values} />;
    case "text":
      return (
        <Input
          type="search"
          name={filter.name}
          aria-label={filter.label}
          placeholder={filter.label}
          defaultValue={values[filter.name] ?? ""}
          maxLength={100}
          className="w-44! min-h-11! rounded-full! text-fact! sm:min-h-8!"
        />
      );
  }
}

const CHIP =
  "min-h-11 max-w-[min(11rem,calc(100vw-2rem))] appearance-none truncate rounded-full border border-line bg-surface py-1 pr-7 pl-3 text-fact font-medium hover:border-control sm:min-h-8 data-set:border-brand data-set:bg-selected";

interface ChoiceFilterProps {
  name: string;
  label: string;
  choices: readonly Choice[];
  value: string;
  onChoice?: (value: string) => void;
}

function ChoiceFilter({ name, label, choices, value, onChoice }: ChoiceFilterProps) {
  return (
    <span className="relative inline-block">
      <select
        name={name}
        aria-label={label}
        defaultValue={value}
        data-set={value === "" ? undefined : ""}
        onChange={({ target }) => onChoice?.(target.value)}
        className={CHIP}
      >
        <option value="">{label}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <svg
        aria-hidden="true"
        viewBox="0 0 16 16"
        className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-muted"
      >
        <path d="m4 6 4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </span>
  );
}

function DaysFilter({ values }: { values: FilterValues }) {
  const hasOwn = Boolean(values.from ?? values.to);
  const [isOwn, setOwn] = useState(hasOwn);
  const choices = [...RANGES, { value: OWN_DAYS, label: "Other days…" }];
  return (
    <>
      <ChoiceFilter
        name="days"
        label="Any day"
        choices={choices}
        value={hasOwn ? OWN_DAYS : (values.days ?? "")}
        onChoice={(value) => setOwn(value === OWN_DAYS)}
      />
      {isOwn && (
        <Typed>
          <Small label="From" type="date" name="from" defaultValue={values.from ?? ""} />
          <Small label="to" type="date" name="to" defaultValue={values.to ?? ""} />
        </Typed>
      )}
    </>
  );
}

function AmountFilter({ symbol, values }: { symbol: string; values: FilterValues }) {
  const isSet = Boolean(values.min ?? values.max);
  const [isOpen, setOpen] = useState(isSet);
  if (!isOpen) {
    return (
      <button type="button" onClick={() => setOpen(true)} className={classes(CHIP, "pr-3!")}>
        Amount
      </button>
    );
  }
  return (
    <Typed>
      <Small label={`From ${symbol}`} inputMode="decimal" name="min" defaultValue={values.min ?? ""} className="w-24!" />
      <Small label={`to ${symbol}`} inputMode="decimal" name="max" defaultValue={values.max ?? ""} className="w-24!" />
    </Typed>
  );
}

/** Fields that a person types into, with the button that applies them. */
function Typed({ children }: { children: ReactNode }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {children}
      <Button type="submit" className="sm:min-h-8!">
        Apply
      </Button>
    </span>
  );
}

function Small({ label, name, className, ...rest }: { label: string; name: string } & React.ComponentProps<typeof Input>) {
  const id = `filter-${name}`;
  return (
    <span className="inline-flex items-center gap-1.5 text-fact text-muted">
      <label htmlFor={id}>{label}</label>
      <Input {...rest} id={id} name={name} className={classes("min-h-11! px-2! py-1! text-fact! sm:min-h-8!", className ?? "w-auto!")} />
    </span>
  );
}
