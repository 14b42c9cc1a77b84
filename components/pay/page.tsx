import type { ReactNode } from "react";
import { Amount, BankDetails, Countdown, Details, Footer, Header, ReturnedMoney, TestBanner } from "./parts.tsx";
import type { PayView } from "./view.ts";

/** The body of the payer's page for a link that exists. Everything is readable and usable without script. */
export function PayPage({ view }: { view: PayView }) {
  return (
    <>
      {view.testMode && <TestBanner checkoutUrl={view.checkoutUrl} open={view.state === "awaiting"} />}
      <Shell>
        <Header name={view.businessName} />
        <State view={view} />
        <Footer view={view} />
      </Shell>
    </>
  );
}

function Shell({ children }: { children: ReactNode }) {
  return <div className="mx-auto flex w-full max-w-md flex-col gap-4 px-4 py-5 sm:py-10">{children}</div>;
}

const card = "rounded-2xl border border-line bg-surface p-5";

function State({ view }: { view: PayView }) {
  switch (view.state) {
    case "awaiting":
      return <Awaiting view={view} />;
    case "paid":
      return <Paid view={view} />;
    case "expired":
      return <Expired view={view} />;
    case "suspended":
      return (
        <section className={card}>
          <Heading>This payment cannot be taken now</Heading>
          <p className="mt-2 text-muted">
            {view.businessName} cannot receive payments at the moment. Do not transfer money to this account.
          </p>
        </section>
      );
  }
}

function Heading({ children }: { children: ReactNode }) {
  return (
    <h1 id="state" tabIndex={-1} className="text-xl font-semibold leading-snug">
      {children}
    </h1>
  );
}

function Awaiting({ view }: { view: PayView }) {
  return (
    <>
      <ReturnedMoney view={view} />
      <section className={card} aria-labelledby="state">
        <Heading>Pay {view.businessName}</Heading>
        <Amount view={view} />
        {view.description && <p className="mt-2 wrap-anywhere text-muted">{view.description}</p>}
      </section>
      <section className={card} aria-label="Bank account">
        <p className="mb-4">
          Transfer exactly <strong className="tabular-nums">{view.amount}</strong>, once, before{" "}
          <strong className="tabular-nums">{view.expiresAtClock}</strong> (Lagos time).
        </p>
        <BankDetails view={view} />
        <Countdown view={view} />
      </section>
      <form method="get" action={`/pay/${view.reference}`}>
        <button id="sent" type="submit" className="min-h-12 w-full rounded-xl bg-brand px-4 py-3 text-lg font-semibold text-brand-ink">
          <span className="needs-js">I’ve sent the money</span>
          <span className="needs-no-js">Check status</span>
        </button>
      </form>
      <p id="checking" role="status" className="min-h-6 text-center text-sm text-muted" />
    </>
  );
}

function Paid({ view }: { view: PayView }) {
  return (
    <>
      <section className={card} aria-labelledby="state">
        <p className="mb-3 inline-flex items-center gap-2 rounded-full bg-success-ground px-3 py-1 text-sm font-semibold text-success">
          <Tick /> Paid
        </p>
        <Heading>
          {view.businessName} has received your {view.amount}
        </Heading>
        <Details
          rows={[
            ["Paid", view.paidAt ?? ""],
            ...(view.description ? ([["For", view.description]] as [string, string][]) : []),
            ["Reference", view.reference],
          ]}
        />
        {view.returnTo && (
          <div className="mt-5">
            <a
              id="return"
              href={view.returnTo.url}
              data-automatic={view.returnTo.automatic ? "yes" : "no"}
              className="block min-h-12 wrap-anywhere rounded-xl bg-brand px-4 py-3 text-center text-lg font-semibold text-brand-ink"
            >
              Return to {view.returnTo.host}
            </a>
            <p id="returning" hidden className="mt-3 text-center text-muted">
              You go back in <span id="seconds">5</span> s.{" "}
              <button id="stay" type="button" className="min-h-6 px-1 font-semibold text-ink underline">
                Stay here
              </button>
            </p>
          </div>
        )}
      </section>
      <ReturnedMoney view={view} />
    </>
  );
}

function Expired({ view }: { view: PayView }) {
  return (
    <>
      <ReturnedMoney view={view} />
      <section className={card} aria-labelledby="state">
        <Heading>This payment has expired</Heading>
        <p className="mt-2 text-muted">
          The account was open until {view.expiresAtClock} (Lagos time). Do not transfer to it any more. Ask {view.businessName} for a new
          link.
        </p>
        <p className="mt-3 text-muted">
          If you transferred {view.amount} before {view.expiresAtClock}, it still counts: this page will say so. Anything later goes back to
          your bank account.
        </p>
        <form method="get" action={`/pay/${view.reference}`} className="mt-5">
          <button type="submit" className="min-h-12 w-full rounded-xl border border-line px-4 py-3 font-semibold">
            Check again
          </button>
        </form>
        {view.returnTo && (
          <p className="mt-4 text-center">
            <a href={view.returnTo.url} className="inline-block min-h-6 font-semibold underline wrap-anywhere">
              Return to {view.returnTo.host}
            </a>
          </p>
        )}
      </section>
    </>
  );
}

/** For a reference that we do not know: says nothing of what exists. */
export function UnknownPage() {
  return (
    <Shell>
      <section className={card}>
        <Heading>We cannot find this payment</Heading>
        <p className="mt-2 text-muted">Check that you opened the whole link, or ask the shop to send it again.</p>
      </section>
    </Shell>
  );
}

function Tick() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4 fill-none stroke-current stroke-2">
      <path d="M3 8.5l3.2 3L13 4.5" />
    </svg>
  );
}
