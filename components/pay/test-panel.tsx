import type { PayView } from "./view.ts";

type Choice = [value: string, label: string];

/** Simulated actions of the payer, the bank and the clock. They change the link, with test money. */
const TRANSFERS: Record<PayView["state"], Choice[]> = {
  awaiting: [
    ["exact", "Exact amount"],
    ["under", "Too little"],
    ["over", "Too much"],
    ["late", "Too late"],
    ["duplicate", "Twice"],
  ],
  expired: [["late", "Too late"]],
  paid: [["duplicate", "Once more"]],
  suspended: [],
};

const TIMES: Choice[] = [
  ["waited", "Sent 2 minutes ago"],
  ["expiring", "4 minutes left"],
  ["expired", "Time over"],
];

/** Simulated states of the bank, the merchant and Oja. The page only shows them. */
const SIGHTS: Choice[] = [
  ["bank-down", "Bank down"],
  ["suspended", "Merchant suspended"],
  ["no-answer", "Oja does not answer"],
];

const NOBODYS = "0".repeat(26);

const choice = "inline-flex min-h-11 items-center rounded-lg border border-current px-3 py-1 font-semibold";
const group = "flex flex-wrap items-center gap-2 pb-3 print:hidden";

/** The address with the bar open, so that it stays open until a person closes it. */
const withPanel = (path: string, search: string) => `${path}${search ? `${search}&` : "?"}panel`;

/** The test mode bar. It is for developers, so it is in English alone. */
export function TestPanel({ view: { reference, search, state, checkoutUrl, isPanelOpen } }: { view: PayView }) {
  const act = withPanel(`/pay/${reference}/simulate`, search);
  return (
    <aside lang="en" aria-label="Test mode" className="bg-warning-ground text-sm text-warning">
      <details id="panel" open={isPanelOpen} className="mx-auto max-w-3xl px-4">
        <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-3">
          <span>Test mode: no real money moves.</span> <span className="font-semibold underline print:hidden">Simulate</span>
        </summary>
        {TRANSFERS[state].length > 0 && (
          <>
            <Name>A transfer comes</Name>
            <Deeds action={act} choices={TRANSFERS[state]}>
              {state === "awaiting" && checkoutUrl && (
                <a href={checkoutUrl} className={choice}>
                  Pay at the sandbox bank
                </a>
              )}
            </Deeds>
          </>
        )}
        {state === "awaiting" && (
          <>
            <Name>Time passes</Name>
            <Deeds action={act} choices={TIMES} />
          </>
        )}
        <Name>Only shown, not done</Name>
        <p className={group}>
          {SIGHTS.map(([what, label]) => (
            <a key={what} href={`${withPanel("", search)}&simulate=${what}`} className={choice}>
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
          <a href={withPanel(`/pay/${reference}`, search)} className={choice}>
            As it is
          </a>
        </p>
      </details>
    </aside>
  );
}

const Name = ({ children }: { children: string }) => <h2 className="pb-1 font-semibold print:hidden">{children}</h2>;

interface DeedsProps {
  action: string;
  choices: Choice[];
  children?: React.ReactNode;
}

const Deeds = ({ action, choices, children }: DeedsProps) => (
  <form method="post" action={action} className={group}>
    {choices.map(([what, label]) => (
      <button key={what} type="submit" name="what" value={what} className={choice}>
        {label}
      </button>
    ))}
    {children}
  </form>
);
