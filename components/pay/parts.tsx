import type { PayView } from "./view.ts";

export function TestBanner({ checkoutUrl, open }: { checkoutUrl: string; open: boolean }) {
  return (
    <p className="bg-warning-ground px-4 py-2 text-center text-sm text-warning">
      Test mode: no real money moves.{" "}
      {open && (
        <a href={checkoutUrl} className="inline-block min-h-6 font-semibold underline">
          Pay at the sandbox bank
        </a>
      )}
    </p>
  );
}

export function Header({ name }: { name: string }) {
  return (
    <header className="flex items-center gap-3">
      <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-xl bg-brand text-lg font-bold text-brand-ink">
        {[...name][0]?.toUpperCase()}
      </span>
      <p className="min-w-0 truncate font-semibold">
        <bdi>{name}</bdi>
      </p>
    </header>
  );
}

const copyButton = "needs-js ml-auto min-h-11 shrink-0 rounded-lg border border-line px-3 text-sm font-semibold";

export function Amount({ view }: { view: PayView }) {
  return (
    <p className="mt-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <span className="text-2xl font-bold tabular-nums sm:text-3xl">{view.amount}</span>
      <button type="button" data-copy={view.amountDigits} data-what="Amount" className={copyButton}>
        Copy <span className="sr-only">amount</span>
      </button>
    </p>
  );
}

/** Ten digits as people read them out: 3, 3 and 4. Each group is a box of its own, so that a selection copies digits alone. */
function AccountNumber({ digits }: { digits: string }) {
  const groups = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
  return (
    <span id="account" className="flex gap-2 text-2xl font-bold tabular-nums tracking-wide">
      {groups.map((group, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: static markup, and two groups may be alike
        <span key={`${i}-${group}`}>{group}</span>
      ))}
    </span>
  );
}

export function BankDetails({ view }: { view: PayView }) {
  return (
    <dl className="flex flex-col gap-3">
      <div>
        <dt className="text-sm text-muted">Account number</dt>
        <dd className="flex items-center justify-between gap-3">
          <AccountNumber digits={view.accountNumber} />
          <button type="button" data-copy={view.accountNumber} data-what="Account number" className={copyButton}>
            Copy <span className="sr-only">account number</span>
          </button>
        </dd>
      </div>
      <Row name="Bank" value={view.bankName} />
      <Row name="Account name" value={view.accountName} />
    </dl>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="wrap-anywhere font-semibold">
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

/** The timer is silent; milestones are said in the page's one `role="status"`. */
export function Countdown({ view }: { view: PayView }) {
  return (
    <p className="needs-js mt-4 border-t border-line pt-4 text-muted">
      Time left: <span id="timer" aria-hidden="true" className="font-semibold tabular-nums text-ink" />
      <span className="sr-only">until {view.expiresAtClock}</span>
    </p>
  );
}

export function Details({ rows }: { rows: [string, string][] }) {
  return (
    <dl className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      {rows.map(([name, value]) => (
        <Row key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

const REASONS: Record<PayView["returned"][number]["reason"], (amount: string, exact: string) => string> = {
  underpaid: (amount, exact) => `${amount} came, which is less than ${exact}. It is on its way back to the account it came from.`,
  overpaid: (amount, exact) => `${amount} came, which is more than ${exact}. It is on its way back to the account it came from.`,
  late: (amount) => `${amount} came after the time was over. It is on its way back to the account it came from.`,
  duplicate: (amount) => `A second transfer of ${amount} came. It is on its way back to the account it came from.`,
};

export function ReturnedMoney({ view }: { view: PayView }) {
  if (view.returned.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2">
      {view.returned.map(({ amount, reason }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: static markup, and two transfers may be alike
        <li key={`${i}-${reason}`} className="rounded-xl bg-warning-ground p-4 text-warning">
          {REASONS[reason](amount, view.amount)}
          {reason !== "duplicate" && view.state === "awaiting" && ` Transfer exactly ${view.amount} to pay.`}
        </li>
      ))}
    </ul>
  );
}

export function Footer({ view }: { view: PayView }) {
  return (
    <footer className="flex flex-col gap-1 px-1 text-sm text-muted">
      {view.state !== "paid" && (
        <p className="wrap-anywhere">
          Reference <span className="tabular-nums">{view.reference}</span>
        </p>
      )}
      {view.supportContact && (
        <p>
          Questions? Write to{" "}
          <a href={view.supportContact.href} className="inline-block min-h-6 underline wrap-anywhere">
            {view.supportContact.label}
          </a>
        </p>
      )}
      <p>Payments by Oja</p>
    </footer>
  );
}
