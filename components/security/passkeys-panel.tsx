import type { ReactNode, Ref } from "react";
import { Notice } from "#components/ui/notice.tsx";
import { Time } from "#components/ui/time.tsx";
import { Panel, Row, Rows } from "./panel.tsx";

export interface PasskeyView {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

interface PasskeysPanelProps {
  passkeys: PasskeyView[];
  now: Date;
  /** The browser can make and use passkeys. */
  isSupported: boolean;
  headingRef?: Ref<HTMLHeadingElement> | undefined;
  addAction: ReactNode;
  /** The buttons for one passkey. */
  actionsOf: (passkey: PasskeyView) => ReactNode;
}

/** The passkeys of a person. */
export function PasskeysPanel({ passkeys, now, isSupported, headingRef, addAction, actionsOf }: PasskeysPanelProps) {
  return (
    <Panel
      id="passkeys"
      title="Passkeys"
      headingRef={headingRef}
      lead="Sign in with your fingerprint, your face or your screen lock, without the password."
      action={isSupported && addAction}
    >
      {!isSupported && (
        <div className="mt-3">
          <Notice>This browser cannot make passkeys here. Open this page in another browser to add one.</Notice>
        </div>
      )}
      {passkeys.length === 0 ? (
        <p className="mt-3 rounded-panel border border-line bg-surface px-4 py-3 text-muted">
          You have no passkeys. One stays in your phone, your computer or your password manager, and works only at this address.
        </p>
      ) : (
        <Rows>
          {passkeys.map((passkey) => (
            <Row
              key={passkey.id}
              title={passkey.name}
              fact={
                <>
                  Added <Time at={passkey.createdAt} now={now} /> ·{" "}
                  {passkey.lastUsedAt ? (
                    <>
                      last used <Time at={passkey.lastUsedAt} now={now} />
                    </>
                  ) : (
                    "not used yet"
                  )}
                </>
              }
              actions={actionsOf(passkey)}
            />
          ))}
        </Rows>
      )}
    </Panel>
  );
}
