"use client";

import { useQuery } from "@tanstack/react-query";
import { call } from "#app/_client/call.ts";
import { useCaller } from "#app/_client/provider.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { TextLink } from "#components/ui/text-link.tsx";

type ListPurchases = typeof import("#app/api/v1/vtu/transactions/route.ts").GET;

/** For this long the server refuses a second purchase that is the same as the first. */
const GUARD_S = 30;

interface AskAgainProps {
  /** "₦200.00 MTN airtime for 0803 123 4567" */
  what: string;
  recipient: string;
  /** The reference of the first purchase. Undefined if there is nothing to ask. */
  reference: string | undefined;
  listHref: string;
  isWorking: boolean;
  onYes: () => void;
  onNo: () => void;
}

/** Asks whether the person wants the same purchase a second time, because most repeated purchases are a mistake. */
export function AskAgain({ what, recipient, reference, listHref, isWorking, onYes, onNo }: AskAgainProps) {
  const caller = useCaller();
  const { data: ago } = useQuery({
    queryKey: ["bought", caller.merchantId, reference],
    queryFn: async () => {
      const { data } = await call<ListPurchases>(caller, "GET", "/api/v1/vtu/transactions", { query: { recipient, limit: "5" } });
      const first = data.find((purchase) => purchase.reference === reference);
      return first ? secondsSince(first.created_at) : null;
    },
    enabled: Boolean(reference),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog
      title="Buy it again?"
      description={`You bought the same ${ago ? `${ago} s ago` : "a moment ago"}: ${what}. Nothing was bought a second time.`}
      open={reference !== undefined}
      onOpenChange={(open) => !open && onNo()}
    >
      {reference && (
        <p>
          <TextLink href={`${listHref}/${reference}`}>See the first one</TextLink>
        </p>
      )}
      <OverlayActions>
        <OverlayClose>Do not buy it again</OverlayClose>
        <Button variant="primary" pending={isWorking} pendingLabel="Buying…" onClick={onYes}>
          Buy it again
        </Button>
      </OverlayActions>
    </Dialog>
  );
}

/** Returns 1 to 30 seconds, because this device's clock may be wrong and the server said that the first purchase is that recent. */
const secondsSince = (time: string): number => Math.min(GUARD_S, Math.max(1, Math.round((Date.now() - Date.parse(time)) / 1_000)));
