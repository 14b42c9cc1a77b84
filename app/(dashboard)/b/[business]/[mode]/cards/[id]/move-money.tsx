"use client";

import { useEffect, useState } from "react";
import { QuoteSummary } from "#components/cards/quote-summary.tsx";
import { ActionForm, type FormProblem } from "#components/ui/action-form.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { type Money, money, toPlainDigits } from "#lib/money.ts";
import { dollarsText, obstacleTo, typedDollars } from "../amounts.ts";
import { Unanswered } from "../unanswered.tsx";
import { MoneyResult } from "./money-result.tsx";
import { lackOf, linesOf } from "./summary.ts";
import { bodyOf, type MoneyAction, type MoneyType } from "./use-money.ts";
import { useQuote } from "./use-quote.ts";

const PRESETS = ["10", "20", "50", "100"];

export interface MoneyCard {
  id: string;
  name: string;
  balance: Money;
  /** The wallet's available balance. */
  available: Money;
  walletHref: string;
  /** States of the latest operations, by id. */
  outcomes: Readonly<Record<string, "processing" | "completed" | "failed">>;
}

interface MoveMoneyProps {
  type: MoneyType;
  card: MoneyCard;
  action: MoneyAction;
  /** The amount in the field at first, written as a person types it. */
  amount: string;
}

/** The content of the sheet that funds or unloads a card: an amount, its price, one button, and then the outcome. */
export function MoveMoney({ type, card, action, amount }: MoveMoneyProps) {
  const [shown, setShown] = useState<number>();
  if (action.answer) return <MoneyResult operation={action.answer.data} shown={shown} outcomes={card.outcomes} />;
  if (action.unanswered) {
    const { unanswered, isWorking, problem } = action;
    const what = `${dollarsText(unanswered.amount)} ${type === "fund" ? "to" : "from"} ${card.name}`;
    return <Unanswered what={what} isWorking={isWorking} problem={problem} onSend={() => action.send(unanswered)} />;
  }
  return <AmountForm type={type} card={card} action={action} amount={amount} onShown={setShown} />;
}

const CHANGED = "The price has changed, and nothing was moved. Look at the new one, then press the button again.";

function AmountForm({ type, card, action, amount: first, onShown }: MoveMoneyProps & { onShown: (naira: number) => void }) {
  const [text, setText] = useState(first);
  const typed = typedDollars(text);
  const obstacle = typed && obstacleTo(type, typed, card.balance);
  const amount = typed && !obstacle ? toPlainDigits(typed) : undefined;
  const { quote, before, problem: quoteProblem, isFresh, readAgain } = useQuote({ type, cardId: card.id, amount });
  const { isWorking, isPriceChanged, problem } = action;
  useEffect(() => {
    if (isPriceChanged && problem) readAgain();
  }, [isPriceChanged, problem, readAgain]);
  const lack = quote && lackOf(quote, card.available);
  const canSend = quote !== undefined && isFresh && lack === undefined;
  const send = () => {
    if (!quote || !canSend) return;
    onShown(quote.wallet_amount);
    action.send(bodyOf(quote));
  };
  const verb = type === "fund" ? "Fund card with" : "Unload";
  return (
    <ActionForm
      isWorking={isWorking}
      problem={isPriceChanged && problem ? changed(problem) : problem}
      fields={["amount"]}
      onSend={send}
      className="grow"
    >
      {(errors) => (
        <>
          <AmountField
            type={type}
            balance={card.balance}
            text={text}
            onText={setText}
            error={obstacle ?? errors.amount ?? unreadable(text, typed)}
          />
          {amount && !quote && !quoteProblem && <p className="text-muted">Reading the price…</p>}
          {quoteProblem && (
            <Notice tone="warning">
              {quoteProblem}{" "}
              <button type="button" onClick={readAgain} className="font-medium underline underline-offset-3">
                Read it again
              </button>
            </Notice>
          )}
          {quote && <QuoteSummary lines={linesOf(quote, before, card.available)} validUntil={quote.valid_until} />}
          {lack && <Notice tone="warning">Your wallet lacks {lack} for this.</Notice>}
          <OverlayActions>
            <OverlayClose>Cancel</OverlayClose>
            {lack ? (
              <ButtonLink variant="primary" href={card.walletHref}>
                Add money
              </ButtonLink>
            ) : (
              <Button type="submit" variant="primary" pending={isWorking} disabled={!canSend && !isWorking}>
                {quote ? `${verb} ${dollarsText(quote.amount)}` : type === "fund" ? "Fund card" : "Unload card"}
              </Button>
            )}
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}

const changed = (problem: FormProblem): FormProblem => ({ ...problem, message: CHANGED, errors: {} });

const unreadable = (text: string, typed: Money | undefined): string | undefined =>
  text.trim() !== "" && !typed ? "Enter dollars and cents, like 50 or 12.50." : undefined;

interface AmountFieldProps {
  type: MoneyType;
  balance: Money;
  text: string;
  onText: (text: string) => void;
  error: string | undefined;
}

function AmountField({ type, balance, text, onText, error }: AmountFieldProps) {
  const presets = type === "fund" ? PRESETS : PRESETS.filter((preset) => BigInt(preset) * 100n <= balance.minor);
  const choices = [
    ...presets.map((preset) => ({ label: `$${preset}`, value: `${preset}.00` })),
    ...(type === "unload" && balance.minor > 0n ? [{ label: "All of it", value: toPlainDigits(money(balance.minor, "USD")) }] : []),
  ];
  return (
    <div className="flex flex-col gap-2">
      <Field label="Amount in dollars" name="amount" error={error}>
        {(wiring) => (
          <Input
            {...wiring}
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            value={text}
            onChange={({ target }) => onText(target.value)}
          />
        )}
      </Field>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Amounts to choose</legend>
        {choices.map(({ label, value }) => (
          <Button
            key={label}
            aria-pressed={typedDollars(text)?.minor === typedDollars(value)?.minor}
            onClick={() => onText(value)}
            className="aria-pressed:border-brand"
          >
            {label}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}
