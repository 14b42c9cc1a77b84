import { Age, BankDown, Checking, CheckStatus, card, Heading, mainButton, otherButton, ReturnedMoney } from "./parts.tsx";
import type { PayView } from "./view.ts";
import { fill } from "./words/index.ts";

export function Expired({ view }: { view: PayView }) {
  const { words, expiresAtClock: time, sent, returnTo } = view;
  const waits = sent !== null && view.newLink !== null;
  return (
    <div className="flex flex-col gap-4">
      <Age />
      {sent && <BankDown view={view} />}
      <ReturnedMoney view={view} />
      {sent && <Checking view={view} />}
      <section className={card} aria-labelledby="state">
        <Heading>{words.expired}</Heading>
        <p className="mt-2 text-muted">{fill(words, "expiredMore", { time })}</p>
        <p className="mt-3 text-muted">{fill(words, "expiredInTime", { time, amount: view.amount })}</p>
        {!waits && <NextLink view={view} />}
        <CheckStatus view={view} className="mt-5" />
        {waits && <NextLink view={view} />}
        {returnTo && (
          <p className="mt-4 text-center">
            <a
              id="return"
              href={returnTo.url}
              target="_top"
              rel="noreferrer"
              data-automatic="no"
              className="inline-block min-h-6 font-semibold underline wrap-anywhere"
            >
              {fill(words, "returnTo", { shop: returnTo.host })}
            </a>
          </p>
        )}
      </section>
    </div>
  );
}

/** The way to the new link. A payer who has sent the money reads first that the bank may still answer, and must not pay twice. */
function NextLink({ view: { words, sent, newLink, business } }: { view: PayView }) {
  const name = <bdi>{business.name}</bdi>;
  if (newLink === null) return <p className="mt-3 text-muted">{fill(words, "askAgain", { name })}</p>;
  return (
    <>
      <p className={sent ? "mt-5" : "mt-3"}>{sent ? words.waitFirst : fill(words, "newLink", { name })}</p>
      <a href={newLink} className={`mt-4 ${sent ? otherButton : mainButton}`}>
        {words.openNewLink}
      </a>
    </>
  );
}

export function Suspended({ view }: { view: PayView }) {
  const { words, business } = view;
  return (
    <div className="flex flex-col gap-4">
      <Age />
      <ReturnedMoney view={view} />
      <section className={card} aria-labelledby="state">
        <Heading>{words.suspended}</Heading>
        <p className="mt-2 text-muted">{fill(words, "suspendedMore", { name: <bdi>{business.name}</bdi> })}</p>
        <p className="mt-3 text-muted">{words.sentAnyway}</p>
        <CheckStatus view={view} className="mt-5" />
      </section>
    </div>
  );
}
