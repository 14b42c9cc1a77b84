"use client";

import { useEffect } from "react";
import { call } from "#app/_client/call.ts";
import { useCaller } from "#app/_client/provider.tsx";
import { usePulse } from "#app/_client/pulse.tsx";

type MarkSeen = typeof import("#app/api/dashboard/alerts/seen/route.ts").POST;

/** Notes that the member has seen the alerts up to the newest that the page shows. */
export function AlertsSeen({ upTo }: { upTo: string }) {
  const caller = useCaller();
  const { merchantId } = caller;
  const isUnseen = usePulse().pulse.alerts.count > 0;
  useEffect(() => {
    if (!isUnseen) return;
    // Without an answer they count as not seen, and the next visit notes it.
    call<MarkSeen>({ merchantId }, "POST", "/api/dashboard/alerts/seen", { body: { up_to: upTo } }).catch(() => undefined);
  }, [merchantId, isUnseen, upTo]);
  return null;
}
