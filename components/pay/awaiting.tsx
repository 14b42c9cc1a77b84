import { BankDetails } from "./bank-details.tsx";
import { Age, Amount, BankDown, Checking, CheckStatus, Countdown, card, Heading, mainButton, ReturnedMoney } from "./parts.tsx";
import type { PayView } from "./view.ts";
import { fill } from "./words/index.ts";

const NOTHING = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/** The page of a link that can be paid. All its parts are in the markup, and the script only shows and hides them. */
export function Awaiting({ view }: { view: PayView }) {
  const { words, sent } = view;
  const time = <strong className="tabular-nums">{view.expiresAtClock}</strong>;
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_14rem] lg:gap-8">
      <div className="flex min-w-0 flex-col gap-3">
        <Age />
        <BankDown view={view} />
        <ReturnedMoney view={view} />
        <Checking view={view} />
        <section className={card} aria-labelledby="state">
          <Heading>{fill(words, "payTo", { name: <bdi>{view.business.name}</bdi> })}</Heading>
          <Amount view={view} />
          {view.description && (
            <p className="mt-2 wrap-anywhere text-muted">
              <bdi>{view.description}</bdi>
            </p>
          )}
        </section>
        {/* Closed after "sent" and while the bank is down, because open bank details ask for a transfer. */}
        <details id="details" open={sent === null && !view.bankIsDown} className={card}>
          <summary className="min-h-6 cursor-pointer font-semibold">{words.bankAccount}</summary>
          <p className="mt-3 mb-3">
            {fill(words, "instruction", { amount: <strong className="tabular-nums">{view.amount}</strong>, time })}
          </p>
          <BankDetails view={view} />
          <p className="mt-3 text-sm text-muted">{words.oneTime}</p>
          <Countdown view={view} />
          <p id="hurry" hidden={!view.isExpiring} className="mt-3 rounded-xl bg-warning-ground p-3 text-sm text-warning">
            {fill(words, "hurry", { time: view.expiresAtClock })}
          </p>
        </details>
        <form id="send" method="post" action={`/pay/${view.reference}/activity${view.search}`} hidden={sent !== null}>
          <input type="hidden" name="kind" value="sent" />
          <input type="hidden" name="seen" value={view.transfersSeen} />
          <button type="submit" className={mainButton}>
            {words.iHaveSent}
          </button>
        </form>
        {/* Without script this button is the way to check: it reloads the page. */}
        <CheckStatus view={view} className={sent ? undefined : "needs-no-js"} />
      </div>
      <figure className="hidden text-center text-sm text-muted lg:block print:hidden">
        <picture>
          <source media="(min-width: 64rem)" srcSet={`/pay/${view.reference}/qr.svg`} />
          <img src={NOTHING} alt="" className="aspect-square w-full rounded-xl bg-white" />
        </picture>
        <figcaption className="mt-3">{words.onYourPhone}</figcaption>
      </figure>
    </div>
  );
}
