import { Amount } from "#components/ui/amount.tsx";
import type { Money } from "#lib/money.ts";
import { daysOf, nameOfDays, searchTextOf } from "./plan-search.ts";

export interface Plan {
  id: number;
  name: string;
  /** The network or the broadcaster. */
  brand: string;
  /** The first line, in bold: the size of a data plan, or the name of a bouquet. */
  title: string;
  /** The second line, small: the type and the validity. */
  note: string;
  size: string | null;
  validity: string | null;
  price: Money;
}

interface PlanRowsProps {
  brands: readonly { value: string; label: string }[];
  plans: readonly Plan[];
  /** The plan that is chosen when the page opens. */
  chosen: number | undefined;
}

const GROUPS = ["daily", "weekly", "monthly", "longer", "other"] as const;
const GROUP_NAMES: Record<string, string> = {
  daily: "1 to 3 days",
  weekly: "4 to 15 days",
  monthly: "A month",
  longer: "Longer",
  other: "Other",
};

/**
 * The plans, by brand and by days, the cheapest first. The server renders them, and the script of `PlanPicker` hides those that a search does not
 * match. The script reads a plan from the attributes of its row, so that no second list is sent.
 */
export const PlanRows = ({ brands, plans, chosen }: PlanRowsProps) =>
  brands.map(({ value, label }) => {
    const own = plans.filter(({ brand }) => brand === value);
    const groups = GROUPS.map((name) => ({ name, rows: own.filter(({ validity }) => nameOfDays(daysOf(validity)) === name) }));
    const filled = groups.filter(({ rows }) => rows.length > 0);
    return (
      <section key={value} data-brand={value} aria-label={label}>
        {filled.map(({ name, rows }) => (
          <div key={name} data-group="">
            <h2>{filled.length > 1 ? `${label}, ${GROUP_NAMES[name]?.toLowerCase()}` : label}</h2>
            <ul>
              {rows.map((plan) => (
                <PlanRow key={plan.id} plan={plan} isChosen={plan.id === chosen} />
              ))}
            </ul>
          </div>
        ))}
      </section>
    );
  });

const PlanRow = ({ plan, isChosen }: { plan: Plan; isChosen: boolean }) => (
  <li data-search={searchTextOf({ ...plan, price: plan.price.minor })}>
    <label>
      <input
        type="radio"
        required
        name="plan"
        value={plan.id}
        defaultChecked={isChosen}
        data-name={plan.name}
        data-price={String(plan.price.minor)}
        data-brand={plan.brand}
      />
      <span>
        <b>{plan.title}</b> <i>{plan.note}</i>
      </span>
      <Amount minor={plan.price.minor} currency="NGN" />
    </label>
  </li>
);
