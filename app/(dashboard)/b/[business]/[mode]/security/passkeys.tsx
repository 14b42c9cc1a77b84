"use client";

import { useSyncExternalStore } from "react";
import type { Own } from "#app/_client/flow.tsx";
import { PasskeysPanel, type PasskeyView } from "#components/security/passkeys-panel.tsx";
import { AddPasskey } from "./add-passkey.tsx";
import { RemovePasskey, RenamePasskey } from "./change-passkey.tsx";
import { useFocusOnChange } from "./use-focus-on-change.ts";

interface PasskeysProps {
  own: Own;
  passkeys: PasskeyView[];
  now: Date;
  browser: string;
  isAppOn: boolean;
  recoveryCodesLeft: number;
}

const never = () => () => undefined;
const isSupportedHere = () => typeof window.PublicKeyCredential === "function";

/** The passkeys of the person, with what can be changed about them. */
export function Passkeys({ own, passkeys, now, browser, isAppOn, recoveryCodesLeft }: PasskeysProps) {
  const isSupported = useSyncExternalStore(never, isSupportedHere, () => true);
  return (
    <PasskeysPanel
      passkeys={passkeys}
      now={now}
      isSupported={isSupported}
      headingRef={useFocusOnChange(passkeys.length)}
      addAction={
        <AddPasskey own={own} browser={browser} hasCodes={recoveryCodesLeft > 0} isAppOn={isAppOn} hasPasskeys={passkeys.length > 0} />
      }
      actionsOf={(passkey) => (
        <>
          <RenamePasskey own={own} passkey={passkey} />
          <RemovePasskey own={own} passkey={passkey} isLastFactor={!isAppOn && passkeys.length === 1} isAppOn={isAppOn} />
        </>
      )}
    />
  );
}
