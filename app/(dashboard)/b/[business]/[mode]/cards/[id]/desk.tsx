"use client";

import { createContext, type ReactNode, use, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { type Money, toPlainDigits } from "#lib/money.ts";
import { dollarsText } from "../amounts.ts";
import { type MoneyCard, MoveMoney } from "./move-money.tsx";
import { type MoneyAction, type MoneyType, useMoney } from "./use-money.ts";

const OpenMoney = createContext<(type: MoneyType, amount?: Money) => void>(() => {
  throw new Error("useOpenMoney is used outside a CardDesk");
});

/** Returns a function that opens the sheet which funds or unloads the card of the page. */
export const useOpenMoney = () => use(OpenMoney);

interface Opened {
  type: MoneyType;
  amount: string;
  /** Changes at each opening, so that the form starts empty again. */
  count: number;
}

/** Wraps the page of a card, and holds the sheets that move money. Several buttons of the page open them. */
export function CardDesk({ card, children }: { card: MoneyCard; children: ReactNode }) {
  const actions = { fund: useMoney("fund", card.id), unload: useMoney("unload", card.id) };
  const [opened, setOpened] = useState<Opened>();
  const [isOpen, setOpen] = useState(false);
  const open = (type: MoneyType, amount?: Money) => {
    const action = actions[type];
    if (!action.isWorking && !action.unanswered) action.reset();
    setOpened((last) => ({ type, amount: amount ? toPlainDigits(amount) : "", count: (last?.count ?? 0) + 1 }));
    setOpen(true);
  };
  const type = opened?.type ?? "fund";
  return (
    <OpenMoney value={open}>
      {!isOpen && <Lost action={actions.fund} type="fund" onFindOut={open} />}
      {!isOpen && <Lost action={actions.unload} type="unload" onFindOut={open} />}
      {children}
      <Sheet title={`${type === "fund" ? "Fund" : "Unload"} ${card.name}`} open={isOpen} onOpenChange={setOpen}>
        {opened && <MoveMoney key={opened.count} type={type} card={card} action={actions[type]} amount={opened.amount} />}
      </Sheet>
    </OpenMoney>
  );
}

function Lost({ action, type, onFindOut }: { action: MoneyAction; type: MoneyType; onFindOut: (type: MoneyType) => void }) {
  if (!action.unanswered || action.isWorking) return null;
  const what = `${dollarsText(action.unanswered.amount)} ${type === "fund" ? "to" : "from"} this card`;
  return (
    <div className="mb-6 max-w-[45rem]">
      <Notice tone="warning" title={`You sent ${what} before, and the answer was lost`}>
        <p>Find out what became of it. It is never done twice.</p>
        <div className="mt-2">
          <Button onClick={() => onFindOut(type)}>Find out</Button>
        </div>
      </Notice>
    </div>
  );
}

/** A button beside a charge that was declined for lack of money: it opens the sheet with the missing amount. */
export function FundMore({ amount, text }: { amount: Money; text: string }) {
  const open = useOpenMoney();
  return <Button onClick={() => open("fund", amount)}>Fund {text} more</Button>;
}
