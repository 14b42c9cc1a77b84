import type { PayView } from "./view.ts";

type Choice = [value: string, label: string];

/** Simulated actions of the payer, the bank and the clock. They change the link, with test money. */
const DEEDS: Record<PayView["state"], Choice[]> = {
  awaiting: [
    ["exact", "Exact amount"],
    ["under", "Too little"],
    ["over", "Too much"],
    ["late", "Too late"],
    ["duplicate", "Twice"],
    ["waited", "Sent 2 minutes ago"],
    ["expiring", "4 minutes left"],
    ["expired", "Time over"],
  ],
  expired: [["late", "Too late"]],
  paid: [["duplicate", "Once more"]],
  suspended: [],
};

/** Simulated states of the bank, the merchant and Oja. The page only shows them. */
const SIGHTS: Choice[] = [
  ["bank-down", "Bank down"],
  ["suspended", "Merchant suspended"],
  ["no-answer", "Oja does not answer"],
];

const NOBODYS = "0".repeat(26);

const choice = "inline-flex min-h-9 items-center rounded-lg border border-current px-3 py-1 font-semibold";

/** The test mode bar. It is for developers, so it is in English alone. */
export function TestPanel({ view: { reference, search, state, checkoutUrl } }: { view: PayView }) {
  return (
    <aside lang="en" aria-label="Test mode" className="bg-warning-ground text-sm text-warning">
      <details className="mx-auto max-w-3xl px-4 py-2">
        <summary className="min-h-6 cursor-pointer">
          Test mode: no real money moves. <span className="font-semibold underline print:hidden">Simulate</span>
        </summary>
        <form method="post" action={`/pay/${reference}/simulate${search}`} className="flex flex-wrap items-center gap-2 py-2 print:hidden">
          {DEEDS[state].map(([what, label]) => (
            <button key={what} type="submit" name="what" value={what} className={choice}>
              {label}
            </button>
          ))}
          {state === "awaiting" && (
            <a href={checkoutUrl} className={choice}>
              Pay at the sandbox bank
            </a>
          )}
        </form>
        <p className="flex flex-wrap items-center gap-2 pb-2 print:hidden">
          Only shown, not done:
          {SIGHTS.map(([what, label]) => (
            <a key={what} href={`?simulate=${what}${search.replace("?", "&")}`} className={choice}>
              {label}
            </a>
          ))}
          <a href={`/pay/${NOBODYS}${search}`} className={choice}>
            Unknown link
          </a>
          <button type="button" data-fire="offline" className={`needs-js ${choice}`}>
            Offline
          </button>
          <button type="button" data-fire="online" className={`needs-js ${choice}`}>
            Online
          </button>
          <a href={`/pay/${reference}${search}`} className={choice}>
            As it is
          </a>
        </p>
      </details>
    </aside>
  );
}
