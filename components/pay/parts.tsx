import type { ReactNode } from "react";
import { CopyButton } from "./bank-details.tsx";
import type { PayView } from "./view.ts";
import { fill, LANGUAGE_TAGS, LANGUAGES, type Words } from "./words/index.ts";

export const card = "rounded-2xl border border-line bg-surface p-5";

export const mainButton =
  "block min-h-12 w-full wrap-anywhere rounded-xl border border-current/25 bg-brand px-4 py-3 text-center text-lg font-semibold text-brand-ink";

export const otherButton = "block min-h-12 w-full rounded-xl border border-control px-4 py-3 text-center font-semibold";

export function Heading({ children }: { children: ReactNode }) {
  return (
    <h1 id="state" tabIndex={-1} className="wrap-anywhere text-xl font-semibold leading-snug">
      {children}
    </h1>
  );
}

/** The language switch. The URL keeps the choice, because this page sets no cookie. */
export function Languages({ words, current }: { words: Words; current: string }) {
  return (
    <nav aria-label={words.language} className="flex flex-wrap gap-x-4 text-sm print:hidden">
      {LANGUAGE_TAGS.map((tag) => (
        <a
          key={tag}
          href={`?lang=${tag}`}
          lang={tag}
          hrefLang={tag}
          aria-current={tag === current ? "true" : undefined}
          className="inline-flex min-h-6 items-center py-1 text-muted underline aria-current:font-semibold aria-current:text-ink aria-current:no-underline"
        >
          {LANGUAGES[tag].name}
        </a>
      ))}
    </nav>
  );
}

export function Header({ business }: { business: PayView["business"] }) {
  return (
    <header className="flex items-center gap-3">
      {business.logo ? (
        // biome-ignore lint/performance/noImgElement: no script of Next reaches this page, and the logo is made small when it is stored
        <img src={business.logo} alt="" height="40" className="h-10 max-w-40 shrink-0 rounded-lg bg-white object-contain p-1" />
      ) : (
        <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-xl bg-brand text-lg font-bold text-brand-ink">
          {business.initial}
        </span>
      )}
      <p className="line-clamp-2 min-w-0 wrap-anywhere font-semibold">
        <bdi>{business.name}</bdi>
      </p>
    </header>
  );
}

export function Amount({ view }: { view: PayView }) {
  return (
    <p className="mt-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <span className="min-w-0 wrap-anywhere text-3xl font-bold tabular-nums">{view.amount}</span>
      <CopyButton words={view.words} text={view.amountDigits} what={view.words.amount} />
    </p>
  );
}

/** The countdown. Screen readers skip the timer and read milestones from the page's one `role="status"`. */
export function Countdown({ view: { words, expiresAtClock, expiresAtMs, nowMs } }: { view: PayView }) {
  const seconds = Math.max(0, Math.floor((expiresAtMs - nowMs) / 1_000));
  return (
    <p className="js-slot mt-4 flex justify-between border-t border-line pt-3 text-muted">
      <span>
        {words.timeLeft} <span className="sr-only">{fill(words, "until", { time: expiresAtClock })}</span>
      </span>
      <span id="timer" aria-hidden="true" className="font-semibold tabular-nums text-ink">
        {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
      </span>
    </p>
  );
}

export const RETURNED_BECAUSE = { underpaid: "tooLittle", overpaid: "tooMuch", late: "tooLate", duplicate: "secondTime" } as const;

/** The page shows the newest of them. A test link may have more. */
const MAX_RETURNED = 5;

/** Transfers that did not pay this link: the amount, the reason, and whether the money is back. */
export function ReturnedMoney({ view: { words, returned, amount: exact, state, sent, bankIsDown } }: { view: PayView }) {
  if (returned.length === 0) return null;
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
      {state === "awaiting" && !bankIsDown && (
        <p id="exactly" hidden={sent !== null} className="mt-1">
          {fill(words, "payExactly", { exact })}
        </p>
      )}
    </section>
  );
}

export function BankDown({ view: { words, bankIsDown, state } }: { view: PayView }) {
  if (!bankIsDown) return null;
  return (
    <section className="rounded-2xl bg-warning-ground p-4 text-warning">
      <h2 className="font-semibold">{words.bankDown}</h2>
      <p className="mt-1">{state === "awaiting" ? words.bankDownMore : words.noAnswer}</p>
    </section>
  );
}

/** The notice that we check with the bank. It is always in the markup, and the script shows it when the payer reports the money as sent. */
export function Checking({ view: { words, sent } }: { view: PayView }) {
  return (
    <section id="sent" tabIndex={-1} hidden={sent === null} aria-label={words.checking} className={`${card} flex gap-4`}>
      <span
        aria-hidden="true"
        className="js-slot mt-1 size-6 shrink-0 rounded-full border-4 border-line border-t-current motion-safe:animate-spin"
      />
      <div className="min-w-0">
        <div id="soon" hidden={sent?.isLong}>
          <h2 className="font-semibold">{words.checking}</h2>
          <p className="mt-1 text-muted">{words.checkingMore}</p>
        </div>
        <div id="still" hidden={!sent?.isLong}>
          <h2 className="font-semibold">{words.stillChecking}</h2>
          <p className="mt-1 text-muted">{words.stillCheckingMore}</p>
        </div>
      </div>
    </section>
  );
}

export function CheckStatus({
  view: { words, reference, search, language },
  className,
}: {
  view: PayView;
  className?: string | undefined;
}) {
  return (
    <form id="check" method="get" action={`/pay/${reference}`} className={className}>
      {search && <input type="hidden" name="lang" value={language} />}
      <button type="submit" className={otherButton}>
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
      className="needs-js sticky top-2 z-10 rounded-xl border border-current bg-warning-ground px-4 py-3 text-center text-sm font-semibold text-warning empty:hidden print:hidden"
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
    <footer className="flex flex-col gap-1 px-1 text-sm text-muted">
      {state !== "paid" && (
        <p className="wrap-anywhere">
          {words.reference} <span className="tabular-nums">{reference}</span>
        </p>
      )}
      {supportContacts.map(({ href, label }) => (
        <p key={href}>
          {fill(words, "questions", {
            contact: (
              <a href={href} className="inline-block min-h-6 underline wrap-anywhere">
                {label}
              </a>
            ),
          })}
        </p>
      ))}
      <p>{words.paymentsBy}</p>
    </footer>
  );
}
