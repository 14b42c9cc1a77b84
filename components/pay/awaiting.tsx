import type { ReactNode } from "react";
import { AccountNumber, CopyButton } from "./bank-details.tsx";
import { Checking } from "./checking.tsx";
import { Age, BankDown, CheckStatus, card, mainButton, otherButton, ReturnedMoney, Title } from "./parts.tsx";
import type { PayView } from "./view.ts";
import { fill } from "./words/index.ts";

const NOTHING = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/** The page of a link that can be paid. All its parts are in the markup, and the script only shows and hides them. */
export function Awaiting({ view }: { view: PayView }) {
  return (
    <>
      <Age />
      <BankDown view={view} />
      <ReturnedMoney view={view} />
      <Checking view={view} />
      <ToPay view={view} />
      {/* Without script this button is the way to check: it reloads the page. */}
      <CheckStatus view={view} className={view.sent ? undefined : "needs-no-js"} />
      <figure className="absolute top-10 left-full ml-8 hidden w-48 text-center text-sm text-muted lg:block print:hidden">
        <picture>
          <source media="(min-width: 64rem)" srcSet={`/pay/${view.reference}/qr.svg`} />
          <img src={NOTHING} alt="" className="aspect-square w-full rounded-xl bg-white" />
        </picture>
        <figcaption className="mt-3">{view.words.onYourPhone}</figcaption>
      </figure>
    </>
  );
}

/** The payment in three steps, until the payer says that the money is sent. */
function ToPay({ view }: { view: PayView }) {
  const { words, sent, bankIsDown, amount } = view;
  return (
    <section id="pay" tabIndex={-1} hidden={sent !== null} aria-labelledby="due" className={card}>
      <Title isHeading={!bankIsDown} id="due">
        <span className="text-2xl font-bold tabular-nums">{fill(words, "pay", { amount })}</span>
      </Title>
      {view.description && (
        <p className="wrap-anywhere text-muted">
          <bdi>{view.description}</bdi>
        </p>
      )}
      <ol className="mt-2 flex flex-col gap-2.5">
        <Step number={1}>
          <p>{fill(words, "stepAccount", { bank: <strong className="wrap-anywhere">{view.bankName}</strong> })}</p>
          <p className="flex flex-wrap items-center justify-between gap-x-2">
            <AccountNumber digits={view.accountNumber} id="account" />
            <CopyButton words={words} text={view.accountNumber} what={words.accountNumber} />
          </p>
          <p className="text-sm text-muted">
            {fill(words, "showsName", { name: <strong className="wrap-anywhere text-ink">{view.accountName}</strong> })}
          </p>
        </Step>
        <Step number={2}>
          <p>
            {fill(words, "instruction", {
              amount: <strong className="wrap-anywhere tabular-nums">{amount}</strong>,
              time: <strong className="tabular-nums">{view.expiresAtClock}</strong>,
            })}
          </p>
          <Deadline view={view} />
          <p className="text-sm text-muted">{words.otherAmount}</p>
        </Step>
        <Step number={3}>
          <p>{words.stepBack}</p>
          <SendForm view={view} />
        </Step>
      </ol>
      <p className="mt-3 border-t border-line pt-3 text-sm text-muted">{words.oneTime}</p>
    </section>
  );
}

function Step({ number, children }: { number: number; children: ReactNode }) {
  return (
    <li className="flex gap-2.5">
      <span aria-hidden="true" className="grid size-6 shrink-0 place-items-center rounded-full border border-control text-sm font-semibold">
        {number}
      </span>
      <div className="flex min-w-0 grow flex-col gap-0.5">{children}</div>
    </li>
  );
}

/** The countdown. Screen readers skip the timer and read milestones from the page's one `role="status"`. */
function Deadline({ view: { words, expiresAtClock: time, expiresAtMs, nowMs, urgency, amountDigits } }: { view: PayView }) {
  const seconds = Math.max(0, Math.floor((expiresAtMs - nowMs) / 1_000));
  return (
    <div id="deadline" data-urgency={urgency} className="data-[urgency=now]:text-danger data-[urgency=soon]:text-warning">
      <div className="js-slot flex flex-wrap items-center justify-between gap-x-2">
        <p className="font-semibold">
          <span className="text-sm">{words.timeLeft}</span> <span className="sr-only">{fill(words, "until", { time })}</span>
          <span id="timer" aria-hidden="true" className="tabular-nums">
            {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
          </span>
        </p>
        <CopyButton words={words} text={amountDigits} what={words.amount} isOfAmount />
      </div>
      <p id="hurry" hidden={urgency !== "soon"} className="text-sm">
        {fill(words, "hurry", { time })}
      </p>
      <p id="last" hidden={urgency !== "now"} className="text-sm font-semibold">
        {words.lastMinute}
      </p>
    </div>
  );
}

function SendForm({ view: { words, reference, search, transfersSeen, bankIsDown } }: { view: PayView }) {
  return (
    <form id="send" method="post" action={`/pay/${reference}/activity${search}`} className="mt-1.5">
      <input type="hidden" name="kind" value="sent" />
      <input type="hidden" name="seen" value={transfersSeen} />
      <button type="submit" className={bankIsDown ? otherButton : mainButton}>
        {words.iHaveSent}
      </button>
    </form>
  );
}
