"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { usePulse } from "./pulse.tsx";

/**
 * Refreshes the page when the merchant's data has changed. With `isWaiting`, also at each reading of the pulse, because not every change
 * of an unfinished operation has an event.
 */
export function LiveRefresh({ isWaiting = false }: { isWaiting?: boolean }) {
  const router = useRouter();
  const { pulse, at } = usePulse();
  const seen = useRef({ sequence: pulse.sequence, at });
  useEffect(() => {
    const { current } = seen;
    if (current.at === at) return;
    seen.current = { sequence: pulse.sequence, at };
    if (isWaiting || current.sequence !== pulse.sequence) router.refresh();
  }, [router, pulse.sequence, at, isWaiting]);
  return null;
}

/** Offers to read a list again when something has changed, because rows that jump are clicked by mistake. */
export function NewRows() {
  const router = useRouter();
  const { pulse } = usePulse();
  const [shown, setShown] = useState(pulse.sequence);
  const count = pulse.sequence - shown;
  const show = () => {
    setShown(pulse.sequence);
    router.refresh();
  };
  return (
    <div role="status" className="fixed bottom-20 left-1/2 z-10 -translate-x-1/2 empty:hidden wide:bottom-6">
      {count > 0 && (
        <Button onClick={show} className="rounded-full! shadow-float">
          {count === 1 ? "1 change" : `${count} changes`} since you opened this page. Show
        </Button>
      )}
    </div>
  );
}
