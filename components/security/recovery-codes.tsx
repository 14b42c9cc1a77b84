"use client";

import { Check, Copy, Download } from "lucide-react";
import { type SubmitEvent, useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions } from "#components/ui/overlay.tsx";
import { StepLead } from "./step-lead.tsx";
import { takeFocus } from "./take-focus.ts";

const FILE_NAME = "oja-recovery-codes.txt";

interface RecoveryCodesProps {
  codes: string[];
  /** A sentence about the change that was just made. */
  done: string;
  /** Whether they replace older codes. */
  replacesOld: boolean;
  onKept: () => void;
}

/** Recovery codes, shown once. They stay until the person says that they are saved. Until then the browser asks before the page is left. */
export function RecoveryCodes({ codes, done, replacesOld, onKept }: RecoveryCodesProps) {
  const [copying, setCopying] = useState<"" | "done" | "refused">("");
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join("\n"));
      setCopying("done");
    } catch {
      // The browser refused, or has no clipboard at an address without https.
      setCopying("refused");
    }
  };
  const keep = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onKept();
  };
  return (
    <form onSubmit={keep} className="flex grow flex-col gap-4">
      <StepLead title="Keep your recovery codes">
        {done} Each of these codes signs you in once when your phone is lost or broken. Keep them where only you can find them: they are not
        shown again.{replacesOld && " Earlier codes no longer work."}
      </StepLead>
      <ol
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1.5 rounded-control border border-line bg-ground px-3 py-2.5 font-mono min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap select-all">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          {copying === "done" ? <Check aria-hidden="true" className="size-4" /> : <Copy aria-hidden="true" className="size-4" />}
          Copy
        </Button>
        <Button onClick={() => download(codes)}>
          <Download aria-hidden="true" className="size-4" />
          Download
        </Button>
        <span role="status" className="self-center text-fact text-muted">
          {copying === "done" && "Copied"}
          {copying === "refused" && "The browser does not allow copying here. Download them, or write them down."}
        </span>
      </div>
      <Checkbox name="kept" required label="I have kept these codes" />
      <OverlayActions>
        <Button type="submit" variant="primary">
          Done
        </Button>
      </OverlayActions>
    </form>
  );
}

function download(codes: string[]): void {
  const text = ["Recovery codes for Oja. Each works once.", "", ...codes, ""].join("\n");
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: FILE_NAME });
  link.click();
  URL.revokeObjectURL(address);
}

/** Replaces codes whose answer was lost. They are stored as hashes, so they cannot be shown again. */
export function LostRecoveryCodes({ done, onClose }: { done: string; onClose: () => void }) {
  return (
    <>
      <Notice tone="warning" title={done} ref={takeFocus}>
        The recovery codes did not reach this page, and they are shown only once. Make new ones under “Recovery codes”.
      </Notice>
      <OverlayActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </OverlayActions>
    </>
  );
}
