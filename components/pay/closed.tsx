import { Age, BankDown, Checking, CheckStatus, card, Heading, ReturnedMoney } from "./parts.tsx";
import type { PayView } from "./view.ts";
import { fill } from "./words/index.ts";

export function Expired({ view }: { view: PayView }) {
  const { words, expiresAtClock: time, sent, returnTo } = view;
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
        <p className="mt-3 text-muted">{fill(words, "askAgain", { name: <bdi>{view.business.name}</bdi> })}</p>
        <CheckStatus view={view} className="mt-5" />
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
