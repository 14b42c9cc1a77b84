import { BankDetails, grouped } from "./bank-details.tsx";
import { card, otherButton, Title } from "./parts.tsx";
import type { PayView } from "./view.ts";
import { fill } from "./words/index.ts";

/**
 * What happens after "I've sent the money". It is always in the markup of a link that can be paid, and the script shows it when the payer
 * presses the button. For an expired link it only says that the bank may still answer.
 */
export function Checking({ view }: { view: PayView }) {
  const { words, sent, state, bankIsDown } = view;
  const isAwaiting = state === "awaiting";
  const isHeading = isAwaiting && !bankIsDown;
  return (
    <section id="sent" tabIndex={-1} hidden={sent === null} aria-label={words.checking} className={card}>
      {isAwaiting && (
        <div id="soon" hidden={sent?.isLong}>
          <Title isHeading={isHeading}>{words.checking}</Title>
          <p className="mt-1">{words.checkingMore}</p>
        </div>
      )}
      {/* After the link has expired, the text no longer promises "a few seconds". */}
      <div id={isAwaiting ? "still" : undefined} hidden={isAwaiting && !sent?.isLong}>
        <Title isHeading={isHeading}>{words.stillChecking}</Title>
        <p className="mt-1">{words.stillCheckingMore}</p>
      </div>
      {isAwaiting ? (
        <>
          <Progress view={view} />
          <AccountAgain view={view} />
          <NotSent view={view} />
        </>
      ) : (
        <p className="mt-3 font-semibold">{fill(words, "expiredInTime", { time: view.expiresAtClock, amount: view.amount })}</p>
      )}
    </section>
  );
}

/** Two steps: sent, received. */
function Progress({ view: { words, expiresAtClock: time } }: { view: PayView }) {
  return (
    <ol className="mt-4 flex flex-col gap-3">
      <li className="flex gap-3 text-muted">
        <svg aria-hidden="true" viewBox="-2 -2 20 20" className="size-6 shrink-0 fill-none stroke-success stroke-2">
          <circle cx="8" cy="8" r="8" />
          <path d="M4 8.5l2.7 2.5L12 5.5" />
        </svg>
        {words.stepSent}
      </li>
      <li aria-current="step" className="flex gap-3 font-semibold">
        <span
          aria-hidden="true"
          className="m-0.5 size-5 shrink-0 rounded-full border-3 border-line border-t-current [html.js:not(.offline)_&]:motion-safe:animate-spin"
        />
        <span className="min-w-0">{fill(words, "stepArrives", { time })}</span>
      </li>
    </ol>
  );
}

const fold = "mt-3 border-t border-line";
const foldName = "flex min-h-11 cursor-pointer items-center underline";

function AccountAgain({ view }: { view: PayView }) {
  const { words, amount, accountNumber, bankName } = view;
  return (
    <>
      <p className="mt-4 border-t border-line pt-3 wrap-anywhere tabular-nums">
        {fill(words, "summary", { amount: <strong>{amount}</strong>, account: grouped(accountNumber), bank: <bdi>{bankName}</bdi> })}
      </p>
      <details>
        <summary className={foldName}>{words.showAccount}</summary>
        <BankDetails view={view} />
      </details>
    </>
  );
}

/** Undoes "sent". It first asks what the payer's bank showed, because a payer in doubt might send the money twice. */
function NotSent({ view: { words, reference, search, transfersSeen } }: { view: PayView }) {
  return (
    <details id="doubt" className={fold}>
      <summary className={foldName}>{words.notSent}</summary>
      <p className="mb-3">{words.notSentAsk}</p>
      <form id="unsend" method="post" action={`/pay/${reference}/activity${search}`}>
        <input type="hidden" name="kind" value="unsent" />
        <input type="hidden" name="seen" value={transfersSeen} />
        <button type="submit" className={otherButton}>
          {words.notSentNo}
        </button>
      </form>
    </details>
  );
}
