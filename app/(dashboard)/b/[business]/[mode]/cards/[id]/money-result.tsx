"use client";

import { useEffect, useRef } from "react";
import { CopyId } from "#components/ui/copy-id.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { dollarsText, nairaText } from "../amounts.ts";
import { resultOf } from "./summary.ts";
import type { Operation } from "./use-money.ts";

interface MoneyResultProps {
  operation: Operation;
  /** The Naira that the page showed. */
  shown: number | undefined;
  outcomes: Readonly<Record<string, "processing" | "completed" | "failed">>;
}

/** The outcome of a funding or an unload. While it is processing, the page behind the sheet refreshes, and `outcomes` brings the end. */
export function MoneyResult({ operation, shown, outcomes }: MoneyResultProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const now = outcomes[operation.id] ?? operation.status;
  return (
    <>
      <div ref={notice} tabIndex={-1} className="outline-none">
        <Says operation={operation} now={now} shown={shown} />
      </div>
      <p className="flex flex-wrap items-center gap-x-2 text-fact text-muted">
        Reference <CopyId id={operation.reference} what="reference" />
      </p>
      <OverlayActions>
        <OverlayClose variant="primary">Done</OverlayClose>
      </OverlayActions>
    </>
  );
}

function Says({ operation, now, shown }: { operation: Operation; now: Operation["status"]; shown: number | undefined }) {
  const { type, amount, wallet_amount, status, failure_reason } = operation;
  const isFund = type === "fund";
  if (now === "processing") {
    return (
      <Notice tone="warning" title="We do not know yet. Do not do it again: this page will tell you.">
        {isFund
          ? `${nairaText(wallet_amount)} of your wallet is set aside until the card's issuer has answered.`
          : `${dollarsText(amount)} of the card is set aside until the card's issuer has answered.`}
      </Notice>
    );
  }
  if (now === "failed") {
    return (
      <Notice tone="danger" title={isFund ? "The card was not funded" : "The card was not unloaded"}>
        {failure_reason ?? "The card's issuer refused."} Nothing was charged.
      </Notice>
    );
  }
  return (
    <Notice tone="success" title={isFund ? "Card funded" : "Card unloaded"}>
      {/* `operation` has no final amounts if it settled after the answer. The card's timeline shows them. */}
      {status === "completed" ? resultOf(operation, shown) : "It is done. The card's page says what it came to."}
    </Notice>
  );
}
