"use client";

import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { LostAnswer } from "#components/top-ups/lost-answer.tsx";
import { AddMoney, naira, PayBox, type Shop } from "#components/top-ups/pay-box.tsx";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { AskAgain } from "./ask-again.tsx";
import type { Bought, Order, usePurchase } from "./use-purchase.ts";

type Errors = Record<string, string>;

/** What the form holds now. */
export interface Draft<Body extends Order> {
  /** Undefined while a field is missing or wrong; `errors` names it. */
  order: Bought<Body> | undefined;
  errors: Errors;
  /** "MTN airtime" */
  what: string | undefined;
  /** As purchases store it. Exam pins have none. */
  recipient: string | undefined;
  /** "0803 123 4567" */
  recipientText: string | undefined;
  /** The customer whose number it is, where the provider has named one. */
  name?: string | undefined;
  /** Kobo, for all of it. */
  price: bigint | undefined;
}

interface PurchaseFormProps<Body extends Order> {
  shop: Shop;
  /** The label of the button until everything is chosen: "Buy airtime". */
  label: string;
  fields: readonly string[];
  draft: Draft<Body>;
  purchase: ReturnType<typeof usePurchase<Body>>;
  /** Returns the words for a purchase whose answer was lost. */
  lostText: (body: Body) => string;
  children: (errors: Errors) => ReactNode;
}

/** A page of buying: whom and what on the left, the price and the button on the right. */
export function PurchaseForm<Body extends Order>({ shop, label, fields, draft, purchase, lostText, children }: PurchaseFormProps<Body>) {
  const [wrong, setWrong] = useState<{ message: string; errors: Errors }>();
  const { order, what, recipient, recipientText, name, price } = draft;
  const { lost, duplicateOf, isWorking } = purchase;
  const send = () => {
    if (order) {
      setWrong(undefined);
      purchase.buy(order);
    } else setWrong({ message: "Something is missing.", errors: draft.errors });
  };
  const said = what && price !== undefined ? sentenceOf(what, price, recipientText) : undefined;
  return (
    <>
      {lost && (
        <LostAnswer
          what={lostText(lost)}
          listHref={shop.href}
          isWorking={isWorking}
          isSignedOut={purchase.isSignedOut}
          onAsk={() => purchase.ask(lost)}
          onForget={purchase.forget}
        />
      )}
      <div hidden={lost !== undefined}>
        <ActionForm problem={wrong ?? purchase.problem} isWorking={isWorking} fields={fields} onSend={send}>
          {(errors) => (
            <div className="flex flex-col gap-6 wide:grid wide:grid-cols-[minmax(0,42rem)_22rem] wide:items-start wide:gap-8">
              {/* A focused field stays clear of the summary. */}
              <div className="flex min-w-0 flex-col gap-6 max-wide:[&_:is(input,select,button)]:scroll-mb-52">
                <Refusal purchase={purchase} draft={draft} shop={shop} />
                {children(errors)}
              </div>
              <PayBox
                shop={shop}
                what={what}
                whom={[name, recipientText].filter(Boolean).join(", ") || undefined}
                price={price}
                label={said && order ? `Buy ${said}` : label}
                isWorking={isWorking}
              />
            </div>
          )}
        </ActionForm>
      </div>
      <AskAgain
        what={said ?? "it"}
        recipient={recipient ?? ""}
        reference={duplicateOf}
        listHref={shop.href}
        isWorking={isWorking}
        onYes={purchase.again}
        onNo={purchase.dismissDuplicate}
      />
    </>
  );
}

/** Returns what is bought, as the button says it: "₦200.00 MTN airtime for 0803 123 4567". */
const sentenceOf = (what: string, price: bigint, whom: string | undefined): string =>
  `${naira(price)} ${what}${whom ? ` for ${whom.replaceAll(" ", "\u00a0")}` : ""}`;

interface RefusalProps<Body extends Order> {
  purchase: ReturnType<typeof usePurchase<Body>>;
  draft: Draft<Body>;
  shop: Shop;
}

/** The notices for refusals that the person can act on: a changed price, too little money, a product that is no longer sold. */
function Refusal<Body extends Order>({ purchase, draft, shop }: RefusalProps<Body>) {
  const { refusal, newPrice, error } = purchase;
  const { order, price } = draft;
  const notice = useFocusOn(error);
  if (refusal === "PRICE_CHANGED" && newPrice && price !== undefined && order?.productId === newPrice.productId) {
    return (
      <Notice tone="warning" title="The price has changed" ref={notice}>
        It costs {naira(price)} now. Nothing was bought. If that suits you, press the button: it has the new price.
      </Notice>
    );
  }
  if (refusal === "INSUFFICIENT_BALANCE" && price !== undefined) {
    const missing = price - shop.available;
    return (
      <Notice tone="danger" title="Your wallet does not cover this" ref={notice}>
        Nothing was charged. {missing > 0n && `${naira(missing)} is missing. `}
        <AddMoney shop={shop} missing={missing} />
      </Notice>
    );
  }
  if (refusal === "PRODUCT_UNAVAILABLE") {
    return (
      <Notice tone="danger" title="This is not sold any more" ref={notice}>
        Nothing was charged. Choose something else from the list, which is as the provider has it now.
      </Notice>
    );
  }
  return null;
}

/** Moves the focus to what appears with an error. */
function useFocusOn(error: Error | null): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) ref.current?.focus();
  }, [error]);
  return ref;
}
