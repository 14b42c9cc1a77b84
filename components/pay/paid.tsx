import { Details } from "./bank-details.tsx";
import { Age, card, Heading, mainButton, QrCode, ReturnedMoney } from "./parts.tsx";
import { NO_SCRIPT_RETURN_AFTER_S, RETURN_AFTER_S } from "./times.ts";
import type { PayView } from "./view.ts";
import { fill } from "./words/index.ts";

/** The receipt. It stays at this address, so anyone can check a copy against it. */
export function Paid({ view }: { view: PayView }) {
  const { words, business, amount, payment } = view;
  return (
    <>
      <Age />
      <section className={card} aria-labelledby="state">
        <p className="mb-3 flex items-center gap-3 text-lg font-semibold text-success">
          <Tick /> {words.paid}
        </p>
        <Heading>{fill(words, "received", { name: <bdi>{business.name}</bdi>, amount })}</Heading>
        {view.refunds.map((text) => (
          <p key={text} className="mt-3 font-semibold">
            {text}
          </p>
        ))}
        {view.returnTo && <Return view={view} to={view.returnTo} />}
      </section>
      <ReturnedMoney view={view} />
      <section className={card} aria-labelledby="receipt">
        <h2 id="receipt" className="font-semibold">
          {words.receipt}
        </h2>
        <div className="needs-js mt-3 grid grid-cols-2 gap-3 print:hidden">
          <button id="print" type="button" className={small}>
            {words.print}
          </button>
          <button id="share" type="button" data-url={view.url} className={small}>
            {words.share}
          </button>
        </div>
        <Details
          rows={[
            [words.paidTo, business.name],
            [words.amount, amount],
            [words.paidOn, view.paidAt],
            [words.whatFor, view.description],
            [words.paidBy, payment?.payer ?? null],
            [words.fromBank, payment?.bank ?? null],
            [words.sessionId, payment?.sessionId ?? null],
            [words.reference, view.reference],
          ]}
        />
        <p className="mt-4 hidden wrap-anywhere text-sm print:block">{fill(words, "verify", { url: view.url })}</p>
        {view.qr && (
          <div className="mt-3 hidden w-32 print:block">
            <QrCode {...view.qr} />
          </div>
        )}
      </section>
    </>
  );
}

const stay = "min-h-11 px-1 font-semibold text-ink underline";
const small = "min-h-11 rounded-xl border border-control px-3 font-semibold";

function Return({ view: { words, search, testMode }, to }: { view: PayView; to: NonNullable<PayView["returnTo"]> }) {
  return (
    <div className="mt-5 print:hidden">
      {testMode && (
        <p lang="en" className="mb-3 text-sm text-muted">
          This was a test: no money was paid. {to.host} is not part of Oja. In live mode the payer goes there after {RETURN_AFTER_S} s.
        </p>
      )}
      <a id="return" href={to.url} target="_top" rel="noreferrer" data-automatic={to.automatic ? "yes" : "no"} className={mainButton}>
        {fill(words, "returnTo", { shop: to.host })}
      </a>
      <p id="returning" hidden className="mt-3 text-center text-muted">
        {fill(words, "returnIn", { n: <span id="seconds">{RETURN_AFTER_S}</span> })}{" "}
        <button id="stay" type="button" className={stay}>
          {words.stay}
        </button>
      </p>
      {to.automatic && (
        <p className="needs-no-js mt-3 text-center text-muted">
          {fill(words, "returnIn", { n: NO_SCRIPT_RETURN_AFTER_S })}{" "}
          <a href={`?stay=1${search.replace("?", "&")}`} className={`inline-block ${stay}`}>
            {words.stay}
          </a>
        </p>
      )}
    </div>
  );
}

function Tick() {
  return (
    <svg aria-hidden="true" viewBox="-8 -8 32 32" className="size-12 rounded-full bg-success-ground fill-none stroke-current stroke-2">
      <path d="M3 8.5l3.2 3L13 4.5" />
    </svg>
  );
}
