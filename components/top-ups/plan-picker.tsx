"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import { matcherOf } from "./plan-search.ts";

export interface ChosenPlan {
  id: number;
  name: string;
  brand: string;
  /** Kobo. */
  price: bigint;
}

interface PlanPickerProps {
  label: string;
  /** Examples of a search: "1GB, 600, 30 days". */
  example: string;
  /** Only the plans of this brand are shown. */
  brand: string | undefined;
  chosen: ChosenPlan | undefined;
  onChoose: (plan: ChosenPlan) => void;
  error: string | undefined;
  /** The rows, as the server rendered them (`PlanRows`). */
  children: ReactNode;
}

/** The rows have no classes of their own, because a list of hundreds would repeat them. */
const LIST =
  "overflow-hidden rounded-panel border border-line bg-surface [&_h2]:border-b [&_h2]:border-line [&_h2]:bg-ground [&_h2]:px-3 [&_h2]:py-1.5 [&_h2]:text-fact [&_h2]:font-medium [&_h2]:text-muted " +
  "[&_li]:border-b [&_li]:border-line [&_section:last-child_div:last-child_li:last-child]:border-b-0 " +
  "[&_label]:flex [&_label]:min-h-11 [&_label]:cursor-pointer [&_label]:items-center [&_label]:gap-3 [&_label]:px-3 [&_label]:py-2 [&_label]:hover:bg-hover [&_label:has(:checked)]:bg-selected " +
  "[&_label:has(:focus-visible)]:outline-2 [&_label:has(:focus-visible)]:-outline-offset-2 [&_label:has(:focus-visible)]:outline-brand [&_input]:shrink-0 [&_input]:outline-none " +
  "[&_label>span:nth-of-type(1)]:min-w-0 [&_label>span:nth-of-type(1)]:grow [&_b]:font-medium [&_i]:text-fact [&_i]:text-muted [&_i]:not-italic [&_label>span:last-child]:font-medium";

/** A list of plans to search in. The search hides rows of the server's list, so that hundreds of plans stay quick on a cheap phone. */
export function PlanPicker({ label, example, brand, chosen, onChoose, error, children }: PlanPickerProps) {
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState("");
  const [shown, setShown] = useState<number>();
  // Runs after each render, because a refresh replaces the rows.
  useEffect(() => {
    if (list.current) setShown(showMatching(list.current, brand, search));
  });
  useEffect(() => {
    // A plan may be chosen before the script runs, and the parent may have dropped its choice.
    const checked = list.current?.querySelector<HTMLInputElement>("input:checked");
    if (checked && !chosen) checked.checked = false;
    if (chosen && Number(checked?.value) !== chosen.id) {
      const input = list.current?.querySelector<HTMLInputElement>(`input[value="${chosen.id}"]`);
      if (input) input.checked = true;
    }
  }, [chosen]);
  const clear = () => {
    setSearch("");
    if (field.current) field.current.value = "";
    field.current?.focus();
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={error ? "plan-error" : undefined}>
      <legend className="mb-1 font-medium">{label}</legend>
      <Input
        ref={field}
        type="search"
        aria-label="Search by name, size, price or days"
        placeholder={`Search: ${example}`}
        maxLength={60}
        onChange={({ target }) => setSearch(target.value)}
        // Stops Enter from submitting the form, because that would buy.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        {...(error && { "aria-invalid": true, "aria-describedby": "plan-error" })}
      />
      {error && (
        <p id="plan-error" className="text-fact text-danger">
          {error}
        </p>
      )}
      <p role="status" className="sr-only">
        {search && shown !== undefined && (shown === 1 ? "1 plan" : `${shown} plans`)}
      </p>
      {shown === 0 && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-panel border border-line bg-surface px-4 py-4 text-muted">
          <p>No plan matches “{search}”.</p>
          <Button onClick={clear}>Clear the search</Button>
        </div>
      )}
      <div
        ref={list}
        className={`${LIST} ${shown === 0 ? "hidden" : ""}`}
        onChange={({ target }) => target instanceof HTMLInputElement && onChoose(planOf(target))}
      >
        {children}
      </div>
    </fieldset>
  );
}

function planOf({ value, dataset }: HTMLInputElement): ChosenPlan {
  return { id: Number(value), name: dataset.name ?? "", brand: dataset.brand ?? "", price: BigInt(dataset.price ?? "0") };
}

/** Returns the plan of an id, from the rows of the page. */
export function planInPage(id: number): ChosenPlan | undefined {
  const input = document.querySelector<HTMLInputElement>(`input[name="plan"][value="${id}"]`);
  return input ? planOf(input) : undefined;
}

/** Hides the rows that do not match, and the groups without rows. The chosen plan stays. Returns the number of matching rows. */
function showMatching(list: HTMLElement, brand: string | undefined, search: string): number {
  const matches = matcherOf(search);
  let count = 0;
  for (const section of list.querySelectorAll<HTMLElement>("[data-brand]:not(input)")) {
    section.hidden = brand !== undefined && section.dataset.brand !== brand;
    if (section.hidden) continue;
    for (const group of section.querySelectorAll<HTMLElement>("[data-group]")) {
      let rows = 0;
      for (const row of group.querySelectorAll<HTMLElement>("[data-search]")) {
        const isFound = matches(row.dataset.search ?? "");
        row.hidden = !isFound && !row.querySelector("input:checked");
        if (isFound) count++;
        if (!row.hidden) rows++;
      }
      group.hidden = rows === 0;
    }
  }
  return count;
}
