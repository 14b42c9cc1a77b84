"use client";

import type { FormWork } from "#components/ui/action-form.tsx";
import { CodeField } from "#components/ui/code-field.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { SecurityForm } from "./security-form.tsx";
import { StepLead } from "./step-lead.tsx";

/** The white border that a QR reader needs, in modules. */
const QUIET_ZONE = 4;

export interface TotpSecretView {
  secret: string;
  uri: string;
  qr: { path: string; size: number };
}

/** Shows the secret of a new authenticator app, and asks for the app's first code. */
export function TotpSetup({ totp, onSend, ...work }: FormWork & { totp: TotpSecretView; onSend: (code: string) => void }) {
  const { secret, uri, qr } = totp;
  return (
    <SecurityForm {...work} label="Turn on" pendingLabel="Checking…" fields={["code"]} onSend={(typed) => onSend(typed("code"))}>
      {(errors) => (
        <>
          <StepLead title="Add Oja to your app">Scan this picture with your authenticator app.</StepLead>
          <QrCode {...qr} />
          <p className="hidden pointer-coarse:block">
            The app is on this phone? <TextLink href={uri}>Open it</TextLink>
          </p>
          <div>
            <p className="text-muted">Or type this secret into the app:</p>
            <p className="mt-1 flex items-start gap-2 rounded-control border border-line bg-ground px-3 py-2">
              <code className="min-w-0 grow font-mono break-words">{secret.match(/.{1,4}/g)?.join(" ")}</code>
              <CopyButton text={secret} label="Copy the secret" />
            </p>
          </div>
          <Field label="Code" name="code" error={errors.code} hint="The six digits that the app shows for Oja now.">
            {(wiring) => <CodeField {...wiring} />}
          </Field>
        </>
      )}
    </SecurityForm>
  );
}

/** Black on white in both themes, because some apps cannot read other colours. */
function QrCode({ path, size }: { path: string; size: number }) {
  const width = size + 2 * QUIET_ZONE;
  return (
    <svg
      role="img"
      aria-label="QR code of the secret"
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${width} ${width}`}
      shapeRendering="crispEdges"
      className="size-52 shrink-0 self-center rounded-control border border-line forced-color-adjust-none"
    >
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={width} height={width} fill="#fff" />
      <path d={path} stroke="#000" fill="none" />
    </svg>
  );
}
