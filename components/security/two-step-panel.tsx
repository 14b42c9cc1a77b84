import type { ReactNode, Ref } from "react";
import { StatePill } from "#components/ui/state-pill.tsx";
import { Panel, Row, Rows } from "./panel.tsx";

/** With this many recovery codes left or fewer, the panel advises to make new ones. */
const FEW_CODES = 3;

export interface TwoStepState {
  isAppOn: boolean;
  hasPasskeys: boolean;
  recoveryCodesLeft: number;
}

interface TwoStepPanelProps extends TwoStepState {
  headingRef?: Ref<HTMLHeadingElement> | undefined;
  /** Turns the app on, or off. */
  appAction: ReactNode;
  codesAction: ReactNode;
}

/** Whether the password alone signs in, and the codes for a person who has lost the phone. */
export function TwoStepPanel({ headingRef, appAction, codesAction, ...state }: TwoStepPanelProps) {
  const { isAppOn, hasPasskeys } = state;
  return (
    <Panel
      id="two-step"
      title="Two-step sign-in"
      headingRef={headingRef}
      lead="A password can be guessed or copied. With a second step it is not enough to sign in as you."
    >
      <Rows>
        <Row
          title={
            <>
              Authenticator app <StatePill tone={isAppOn ? "success" : "waiting"}>{isAppOn ? "On" : "Off"}</StatePill>
            </>
          }
          fact={
            isAppOn
              ? "After your password, we ask for the code that the app shows."
              : "An app on your phone, such as Google Authenticator or Aegis, shows a new code every 30 seconds. No network needed."
          }
          actions={appAction}
        />
        {(isAppOn || hasPasskeys) && <RecoveryCodesRow {...state} action={codesAction} />}
      </Rows>
    </Panel>
  );
}

function RecoveryCodesRow({ isAppOn, recoveryCodesLeft: left, action }: TwoStepState & { action: ReactNode }) {
  // New codes need a proof by the app or by one of the old codes.
  const mayRenew = isAppOn || left > 0;
  return (
    <Row
      title={
        <>
          Recovery codes <StatePill tone={left === 0 ? "danger" : left <= FEW_CODES ? "warning" : "success"}>{left} left</StatePill>
        </>
      }
      fact={factAbout(left, mayRenew)}
      actions={mayRenew && action}
    />
  );
}

function factAbout(left: number, mayRenew: boolean): string {
  if (!mayRenew) return "All are used. Turn the authenticator app on or add a passkey, and you get ten new ones.";
  if (left === 0) return "All are used. Make new ones now: without them you cannot sign in after losing your phone.";
  if (left <= FEW_CODES) return "Only a few are left. Make new ones before you need them.";
  return "Each signs you in once when your phone is lost or broken.";
}
