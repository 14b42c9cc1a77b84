"use client";

import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type AnswerOf, call } from "#app/_client/call.ts";
import { proveByPasskey } from "#app/_client/prove-by-passkey.ts";
import { useCaller } from "#app/_client/provider.tsx";
import { useWork } from "#app/_client/use-work.ts";
import { SecretDetails } from "#components/cards/secret-details.tsx";
import { PasswordField } from "#components/security/proof-fields.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";

type Reveal = typeof import("#app/api/dashboard/virtual-cards/[id]/reveal/route.ts").POST;
type Details = AnswerOf<Reveal>["data"];
type Proof = { password: string } | Awaited<ReturnType<typeof proveByPasskey>>;

const SHOWN_FOR_MS = 60_000;

interface RevealCardProps {
  cardId: string;
  name: string;
  /** The member's, for password managers. */
  email: string;
  hasPasskey: boolean;
}

/** Shows number, expiry and CVV for a minute, after the password or a passkey. They are in the state of this component, and nowhere else. */
export function RevealCard({ cardId, name, ...own }: RevealCardProps) {
  return (
    <Dialog title={`Number of ${name}`} trigger="Show number">
      <RevealSteps cardId={cardId} {...own} />
    </Dialog>
  );
}

/** Calls `hide` when the page is left, covered or shown again from the browser's memory. */
function useHideOnLeaving(hide: () => void): void {
  const last = useRef(hide);
  last.current = hide;
  useEffect(() => {
    // At once: the browser keeps a picture of the page that is left.
    const hideNow = () => flushSync(() => last.current());
    const whenHidden = () => {
      if (document.visibilityState === "hidden") hideNow();
    };
    const whenBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) hideNow();
    };
    window.addEventListener("pagehide", hideNow);
    window.addEventListener("pageshow", whenBack);
    document.addEventListener("visibilitychange", whenHidden);
    return () => {
      window.removeEventListener("pagehide", hideNow);
      window.removeEventListener("pageshow", whenBack);
      document.removeEventListener("visibilitychange", whenHidden);
    };
  }, []);
}

function RevealSteps({ cardId, email, hasPasskey }: Omit<RevealCardProps, "name">) {
  const caller = useCaller();
  const [details, setDetails] = useState<Details>();
  const [wasHidden, setWasHidden] = useState(false);
  const { isWorking, problem, run } = useWork();
  // An answer that comes after the page was left is not shown.
  const visit = useRef(0);
  const hide = () => {
    visit.current += 1;
    setWasHidden((was) => was || details !== undefined);
    setDetails(undefined);
  };
  useHideOnLeaving(hide);
  useEffect(() => {
    if (!details) return;
    const timer = setTimeout(() => {
      setWasHidden(true);
      setDetails(undefined);
    }, SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [details]);
  const reveal = (prove: () => Promise<Proof>) =>
    run(async () => {
      const body = await prove();
      // After the proof, because some devices cover the page while they ask for a passkey.
      const asked = visit.current;
      // Without an Idempotency-Key: it changes nothing, and nothing of it is kept.
      const { data } = await call<Reveal>(caller, "POST", "/api/dashboard/virtual-cards/{id}/reveal", { params: { id: cardId }, body });
      if (visit.current === asked && document.visibilityState === "visible") setDetails(data);
      else setWasHidden(true);
    });
  if (details) {
    return (
      <>
        <SecretDetails
          number={details.number}
          cvv={details.cvv}
          month={details.expiry_month}
          year={details.expiry_year}
          shownForMs={SHOWN_FOR_MS}
        />
        <OverlayActions>
          <OverlayClose variant="primary">Hide</OverlayClose>
        </OverlayActions>
      </>
    );
  }
  return (
    <SecurityForm
      isWorking={isWorking}
      problem={problem}
      label="Show number"
      pendingLabel="Asking the issuer…"
      fields={["password"]}
      onSend={(typed) => void reveal(async () => ({ password: typed("password") }))}
    >
      {(errors) => (
        <>
          {wasHidden && <Notice>The number is hidden again. Prove again that it is you to see it once more.</Notice>}
          <p className="text-muted">
            The number, the expiry date and the CVV are shown for one minute. That you have seen them is noted in the audit log.
          </p>
          <PasswordField email={email} error={errors.password} />
          {hasPasskey && (
            <Button disabled={isWorking} onClick={() => void reveal(() => proveByPasskey(caller, "reveal_card"))}>
              Use a passkey instead
            </Button>
          )}
        </>
      )}
    </SecurityForm>
  );
}
