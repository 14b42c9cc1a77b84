import type { ReactNode } from "react";
import type { PayView } from "./view.ts";
import { fill } from "./words/index.ts";

export const card = "rounded-2xl border border-line bg-surface p-4";

export const mainButton =
  "block min-h-12 w-full wrap-anywhere rounded-xl border border-current/25 bg-brand px-4 py-3 text-center text-lg font-semibold text-brand-ink";

export const otherButton = "block min-h-12 w-full rounded-xl border border-control px-4 py-3 text-center font-semibold";

export const Heading = ({ children }: { children: ReactNode }) => (
  <Title isHeading id="state">
    {children}
  </Title>
);

/** The heading of a page's state, or a smaller one where another notice is the heading. */
export function Title({ isHeading, id, children }: { isHeading: boolean; id?: string; children: ReactNode }) {
  const Level = isHeading ? "h1" : "h2";
  return (
    <Level id={id} tabIndex={-1} className="wrap-anywhere text-xl font-semibold leading-snug">
      {children}
    </Level>
  );
}

export const RETURNED_BECAUSE = { underpaid: "tooLittle", overpaid: "tooMuch", late: "tooLate", duplicate: "secondTime" } as const;

/** The page shows the newest of them. A test link may have more. */
const MAX_RETURNED = 5;

/** Transfers that did not pay this link: the amount, the reason, and whether the money is back. */
export function ReturnedMoney({ view: { words, returned, amount: exact, state, sent, bankIsDown } }: { view: PayView }) {
  if (returned.length === 0) return null;
  const newest = returned.at(-1);
  const areBack = returned.every(({ sentBack }) => sentBack);
  return (
    <section className="rounded-2xl bg-warning-ground p-4 text-warning print:hidden">
      <h2 className="font-semibold">
        {returned.slice(-MAX_RETURNED).map(({ amount, reason }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: static markup, and two transfers may be alike
          <span key={`${i}-${reason}`} className="block">
            {fill(words, RETURNED_BECAUSE[reason], { amount, exact })}
          </span>
        ))}
      </h2>
      <p className="mt-1">{areBack ? words.wentBack : words.goesBack}</p>
      {state === "awaiting" && !bankIsDown && newest && (
        <p id="exactly" hidden={sent !== null} className="mt-1 font-semibold">
          {newest.reason === "underpaid"
            ? fill(words, "notTheDifference", { exact, amount: newest.amount })
            : fill(words, "payExactly", { exact })}
        </p>
      )}
    </section>
  );
}

/** Tells the payer that the bank does not answer. It is the heading of a page that can be paid. */
export function BankDown({ view: { words, bankIsDown, state, sent } }: { view: PayView }) {
  if (!bankIsDown) return null;
  const isHeading = state === "awaiting";
  const mayPay = isHeading && !sent;
  return (
    <section className="rounded-2xl bg-warning-ground p-4 text-warning">
      <Title isHeading={isHeading}>{words.bankDown}</Title>
      {mayPay && <p className="mt-1 font-semibold">{words.bankDownWait}</p>}
      <p className="mt-1">{mayPay ? words.bankDownMore : words.noAnswer}</p>
    </section>
  );
}

interface CheckStatusProps {
  view: PayView;
  className?: string | undefined;
  isMain?: boolean;
}

export function CheckStatus({ view: { words, reference, search, language }, className, isMain = false }: CheckStatusProps) {
  return (
    <form id="check" method="get" action={`/pay/${reference}`} className={className}>
      {search && <input type="hidden" name="lang" value={language} />}
      <button type="submit" className={isMain ? mainButton : otherButton}>
        {words.checkStatus}
      </button>
    </form>
  );
}

/**
 * The line at the top for the age of stale news, or for the result of a button. It stays in view while the page scrolls. The script writes
 * it.
 */
export function Age() {
  return (
    <p
      id="age"
      className="needs-js sticky top-2 z-10 rounded-2xl border border-current bg-warning-ground px-4 py-3 text-sm text-warning empty:hidden print:hidden"
    />
  );
}

/** Dark on white in both colour schemes, with the quiet zone that scanners need. */
export function QrCode({ path, size }: NonNullable<PayView["qr"]>) {
  return (
    <svg aria-hidden="true" viewBox={`-3 -3 ${size + 6} ${size + 6}`} shapeRendering="crispEdges" className="w-full rounded-xl bg-white">
      <path d={path} stroke="#000" />
    </svg>
  );
}

export function Footer({ view: { words, reference, supportContacts, state } }: { view: PayView }) {
  return (
    <footer className="flex flex-col px-4 text-sm text-muted">
      {state !== "paid" && (
        <p className="wrap-anywhere py-2">
          {words.reference} <span className="tabular-nums">{reference}</span>
        </p>
      )}
      {supportContacts.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-3">
          {fill(words, "questions", {
            contact: supportContacts.map(({ href, label }) => (
              <a key={href} href={href} className="inline-flex min-h-11 items-center underline wrap-anywhere">
                {label}
              </a>
            )),
          })}
        </p>
      )}
      <p className="py-2">{words.paymentsBy}</p>
    </footer>
  );
}
