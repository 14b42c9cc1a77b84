"use client";

import { Ellipsis } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { type AnswerOf, call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { Button, buttonClasses } from "#components/ui/button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { useOpenMoney } from "./desk.tsx";
import { RenameCard } from "./rename-card.tsx";
import { SimulateSpend, type SpendToFollow } from "./simulate-spend.tsx";
import { TerminateCard } from "./terminate-card.tsx";

type Freeze = typeof import("#app/api/v1/virtual-cards/[id]/freeze/route.ts").POST;
type Unfreeze = typeof import("#app/api/v1/virtual-cards/[id]/unfreeze/route.ts").POST;

/** What the reader may do with the card as it is. */
export interface CardMay {
  fund: boolean;
  unload: boolean;
  freeze: boolean;
  unfreeze: boolean;
  rename: boolean;
  terminate: boolean;
  simulate: boolean;
}

interface CardActionsProps {
  card: {
    id: string;
    name: string;
    nickname: string | null;
    last4: string | null;
    /** What a termination returns, in words. */
    returns: string;
    toFollow: readonly SpendToFollow[];
  };
  may: CardMay;
}

type Layer = "rename" | "terminate" | "simulate";

/** The buttons of a card: "Fund" first, other frequent actions beside it, and the rest in a menu. */
export function CardActions({ card, may }: CardActionsProps) {
  const openMoney = useOpenMoney();
  const [layer, setLayer] = useState<Layer>();
  const close = (open: boolean) => {
    if (!open) setLayer(undefined);
  };
  const items = [
    ...(may.rename ? [{ key: "rename", label: "Rename", onSelect: () => setLayer("rename") }] : []),
    ...(may.simulate ? [{ key: "simulate", label: "Simulate spend", onSelect: () => setLayer("simulate") }] : []),
  ];
  const last = may.terminate ? [{ key: "terminate", label: "Terminate", danger: true, onSelect: () => setLayer("terminate") }] : [];
  const groups = [items, last].filter((group) => group.length > 0);
  return (
    <>
      {may.fund && (
        <Button variant="primary" onClick={() => openMoney("fund")}>
          Fund
        </Button>
      )}
      {may.unload && <Button onClick={() => openMoney("unload")}>Unload</Button>}
      {(may.freeze || may.unfreeze) && <Freezing cardId={card.id} may={may} />}
      {groups.length > 0 && (
        <Menu
          label="More about this card"
          trigger={<Ellipsis aria-hidden="true" className="size-4" />}
          triggerClass={buttonClasses({ className: "min-w-11 sm:min-w-9 px-2!" })}
          groups={groups}
          align="end"
        />
      )}
      <RenameCard card={card} open={layer === "rename"} onOpenChange={close} />
      <TerminateCard card={card} open={layer === "terminate"} onOpenChange={close} />
      <SimulateSpend cardId={card.id} toFollow={card.toFollow} open={layer === "simulate"} onOpenChange={close} />
    </>
  );
}

type Change = "freeze" | "unfreeze";
type ChangedCard = AnswerOf<Freeze>["data"];

function useChange(cardId: string, change: Change, onDone: (card: ChangedCard) => void) {
  const params = { id: cardId };
  return useAction({
    name: `cards/${cardId}/${change}`,
    send: (caller, _body: Record<string, never>, idempotencyKey) =>
      change === "freeze"
        ? call<Freeze>(caller, "POST", "/api/v1/virtual-cards/{id}/freeze", { params, idempotencyKey })
        : call<Unfreeze>(caller, "POST", "/api/v1/virtual-cards/{id}/unfreeze", { params, idempotencyKey }),
    onDone: ({ data }) => onDone(data),
  });
}

/** Freezes without a question, because a person who freezes a card is in a hurry. A toast offers to undo it. */
function Freezing({ cardId, may }: { cardId: string; may: CardMay }) {
  const router = useRouter();
  const toast = useToast();
  const freeze = useChange(cardId, "freeze", ({ status }) => {
    router.refresh();
    const title = status === "FROZEN" ? "Card frozen" : "The freeze is under way";
    // A suspended business may freeze a card, but not unfreeze it.
    toast({ title, ...(may.unload || may.fund || may.rename ? { undo: () => unfreeze.act({}) } : {}) });
  });
  const unfreeze = useChange(cardId, "unfreeze", ({ status }) => {
    router.refresh();
    toast({ title: status === "ACTIVE" ? "Card unfrozen" : "The unfreeze is under way", undo: () => freeze.act({}) });
  });
  const message = (freeze.problem ?? unfreeze.problem)?.message;
  useEffect(() => {
    if (!message) return;
    toast({ title: "The card was not changed", description: message });
    router.refresh();
  }, [message, toast, router]);
  if (may.unfreeze) {
    return (
      <Button pending={unfreeze.isWorking} pendingLabel="Unfreezing…" onClick={() => unfreeze.act({})}>
        Unfreeze
      </Button>
    );
  }
  return (
    <Button pending={freeze.isWorking} pendingLabel="Freezing…" onClick={() => freeze.act({})}>
      Freeze
    </Button>
  );
}
