import { Checking } from "./checking.tsx";
import { Age, BankDown, CheckStatus, card, Heading, mainButton, otherButton, ReturnedMoney } from "./parts.tsx";
import type { PayView } from "./view.ts";
import { fill } from "./words/index.ts";

export function Expired({ view }: { view: PayView }) {
  const { words, expiresAtClock: time, sent } = view;
  if (view.orderIsPaid && view.newLink) return <OrderPaid view={view} paidLink={view.newLink} />;
  const next = <NextLink view={view} />;
  return (
    <>
      <Age />
      {sent && <BankDown view={view} />}
      <ReturnedMoney view={view} />
      {sent && <Checking view={view} />}
      <section className={card} aria-labelledby="state">
        <Heading>{words.expired}</Heading>
        <p className="mt-2">
          <strong>{words.doNotTransfer}</strong> {fill(words, "expiredMore", { time })}
        </p>
        {/* Not shown after late money, which answers this already, nor after "sent", because `Checking` above says it. */}
        {!sent && view.returned.length === 0 && <p className="mt-3">{fill(words, "expiredInTime", { time, amount: view.amount })}</p>}
        {/* A payer who has sent the money must not pay twice. So after "sent", checking the status comes before the new link. */}
        {!sent && next}
        <CheckStatus view={view} className="mt-3" isMain={sent !== null} />
        {sent && next}
        <ReturnToShop view={view} />
      </section>
    </>
  );
}

/** The order was paid by another link. Money that reaches this link goes back, even if it came in time. So there is nothing to wait for. */
function OrderPaid({ view, paidLink }: { view: PayView; paidLink: string }) {
  const { words, business } = view;
  return (
    <>
      <Age />
      <ReturnedMoney view={view} />
      <section className={card} aria-labelledby="state">
        <Heading>{words.orderIsPaid}</Heading>
        <p className="mt-2">
          <strong>{words.doNotTransfer}</strong> {fill(words, "orderPaid", { name: <bdi>{business.name}</bdi> })}
        </p>
        <a href={paidLink} className={`mt-4 ${mainButton}`}>
          {words.openPaidLink}
        </a>
        <CheckStatus view={view} className="mt-3" />
        <ReturnToShop view={view} />
      </section>
    </>
  );
}

function ReturnToShop({ view: { words, returnTo } }: { view: PayView }) {
  if (!returnTo) return null;
  return (
    <p className="mt-3 text-center">
      <a
        id="return"
        href={returnTo.url}
        target="_top"
        rel="noreferrer"
        data-automatic="no"
        className="inline-flex min-h-11 items-center font-semibold underline wrap-anywhere"
      >
        {fill(words, "returnTo", { shop: returnTo.host })}
      </a>
    </p>
  );
}

/** A button that opens the merchant's new link, or that asks the merchant for one. */
function NextLink({ view }: { view: PayView }) {
  const { words, sent, newLink, askHref, business, returned } = view;
  const name = <bdi>{business.name}</bdi>;
  const button = `mt-3 ${sent ? otherButton : mainButton}`;
  if (newLink) {
    return (
      <>
        <p className="mt-4">{sent ? words.waitFirst : fill(words, returned.length > 0 ? "openAfterReturn" : "newLink", { name })}</p>
        <a href={newLink} className={button}>
          {words.openNewLink}
        </a>
      </>
    );
  }
  return (
    <>
      <p className="mt-3">{fill(words, returned.length > 0 ? "askAfterReturn" : "askAgain", { name })}</p>
      {askHref && (
        <a href={askHref} target="_top" rel="noreferrer" className={button}>
          {words.askNewLink}
        </a>
      )}
    </>
  );
}

export function Suspended({ view }: { view: PayView }) {
  const { words, business } = view;
  return (
    <>
      <Age />
      <ReturnedMoney view={view} />
      <section className={card} aria-labelledby="state">
        <Heading>{words.suspended}</Heading>
        <p className="mt-2">
          <strong>{fill(words, "suspendedMore", { name: <bdi>{business.name}</bdi> })}</strong>
        </p>
        <p className="mt-3 text-muted">{words.sentAnyway}</p>
        <CheckStatus view={view} className="mt-4" />
      </section>
    </>
  );
}
