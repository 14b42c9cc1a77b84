"use client";

import type { Own } from "#app/_client/flow.tsx";
import { TwoStepPanel, type TwoStepState } from "#components/security/two-step-panel.tsx";
import { RenewCodes } from "./renew-codes.tsx";
import { TurnOffApp } from "./turn-off-app.tsx";
import { TurnOnApp } from "./turn-on-app.tsx";
import { useFocusOnChange } from "./use-focus-on-change.ts";

/** The second step of signing in, with what can be changed about it. */
export function TwoStep({ own, ...state }: TwoStepState & { own: Own }) {
  const { isAppOn, hasPasskeys, recoveryCodesLeft } = state;
  return (
    <TwoStepPanel
      {...state}
      headingRef={useFocusOnChange(isAppOn)}
      appAction={
        isAppOn ? (
          <TurnOffApp own={own} hasPasskeys={hasPasskeys} />
        ) : (
          <TurnOnApp own={own} hasCodes={recoveryCodesLeft > 0} hasPasskeys={hasPasskeys} />
        )
      }
      codesAction={<RenewCodes own={own} isAppOn={isAppOn} />}
    />
  );
}
