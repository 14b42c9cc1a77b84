import { Age, Amount, BankDetails, Countdown, card, Heading, mainButton, Notice, otherButton, QrCode, ReturnedMoney } from "./parts.tsx";
import type { PayView } from "./view.ts";
import { fill } from "./words/index.ts";

/** Everything is here from the start; the script only shows and hides. */
export function Awaiting({ view }: { view: PayView }) {
  const { words, sent } = view;
  const time = <strong className="tabular-nums">{view.expiresAtClock}</strong>;
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_14rem] lg:gap-8">
      <div className="flex min-w-0 flex-col gap-3">
        {view.bankIsDown && <Notice title={words.bankDown}>{words.bankDownMore}</Notice>}
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
        <section className={card} aria-label={words.bankAccount}>
          <p className="mb-3">{fill(words, "instruction", { amount: <strong className="tabular-nums">{view.amount}</strong>, time })}</p>
          <BankDetails view={view} />
          <Countdown view={view} />
          <p id="hurry" hidden={!view.isExpiring} className="mt-3 rounded-xl bg-warning-ground p-3 text-sm text-warning">
            {fill(words, "hurry", { time: view.expiresAtClock })}
          </p>
        </section>
        <form id="send" method="post" action={`/pay/${view.reference}/activity${view.search}`} hidden={sent !== null}>
          <input type="hidden" name="kind" value="sent" />
          <button type="submit" className={mainButton}>
            {words.iHaveSent}
          </button>
        </form>
        {/* Without script this is how to ask: the page is made anew. */}
        <form id="check" method="get" action={`/pay/${view.reference}`} className={sent ? undefined : "needs-no-js"}>
          {view.search && <input type="hidden" name="lang" value={view.language} />}
          <button type="submit" className={otherButton}>
            {words.checkStatus}
          </button>
        </form>
        <Age />
      </div>
      <aside aria-label={words.onYourPhone} className="hidden text-center text-sm text-muted lg:block print:hidden">
        <QrCode qr={view.qr} />
        <p className="mt-3">{words.onYourPhone}</p>
      </aside>
    </div>
  );
}

function Checking({ view: { words, sent } }: { view: PayView }) {
  return (
    <section id="sent" tabIndex={-1} hidden={sent === null} aria-labelledby="checking" className={`${card} flex gap-4`}>
      <span aria-hidden="true" className="mt-1 size-6 shrink-0 rounded-full border-4 border-line border-t-brand motion-safe:animate-spin" />
      <div id="checking" className="min-w-0">
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
