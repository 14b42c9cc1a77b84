import { Age, card, Heading, otherButton, ReturnedMoney } from "./parts.tsx";
import type { PayView } from "./view.ts";
import { fill } from "./words/index.ts";

export function Expired({ view }: { view: PayView }) {
  const { words, expiresAtClock: time, returnTo } = view;
  const name = <bdi>{view.business.name}</bdi>;
  return (
    <div className="flex flex-col gap-4">
      <ReturnedMoney view={view} />
      <section className={card} aria-labelledby="state">
        <Heading>{words.expired}</Heading>
        <p className="mt-2 text-muted">{fill(words, "expiredMore", { time, name })}</p>
        <p className="mt-3 text-muted">{fill(words, "expiredInTime", { time, amount: view.amount })}</p>
        <form id="check" method="get" action={`/pay/${view.reference}`} className="mt-5">
          {view.search && <input type="hidden" name="lang" value={view.language} />}
          <button type="submit" className={otherButton}>
            {words.checkAgain}
          </button>
        </form>
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
      <Age />
    </div>
  );
}

export function Suspended({ view: { words, business } }: { view: PayView }) {
  return (
    <section className={card} aria-labelledby="state">
      <Heading>{words.suspended}</Heading>
      <p className="mt-2 text-muted">{fill(words, "suspendedMore", { name: <bdi>{business.name}</bdi> })}</p>
    </section>
  );
}
