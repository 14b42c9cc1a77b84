import type { ReactNode } from "react";
import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { CodeField } from "#components/ui/code-field.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { FormNotice } from "./form-notice.tsx";
import type { FormSays } from "./form-says.ts";

interface SecondFactorProps {
  says: FormSays;
  /** The kinds of second step that the address of the page names. The form keeps them for the page after a refusal. */
  by: string;
  asksFor: "code" | "recovery code" | "passkey";
  /** The page to open afterwards, if it is not home. */
  next: string | undefined;
  passkey: ReactNode;
  /** The page that asks for the other kind of code. */
  otherWay: string;
}

const LEAD = {
  code: "Your password is right. Type the code that your authenticator app shows.",
  "recovery code": "Type one of the recovery codes that you kept. Each works once.",
  passkey: "Your password is right. Confirm with your passkey that it is you.",
};

export function SecondFactor({ says, by, asksFor, next, passkey, otherWay }: SecondFactorProps) {
  return (
    <AuthFrame
      title="One more step"
      lead={LEAD[asksFor]}
      footer={
        <>
          {asksFor === "recovery code" ? "You have your app?" : "You cannot use it?"}{" "}
          <TextLink href={otherWay}>{asksFor === "recovery code" ? "Use its code" : "Use a recovery code"}</TextLink>
          <br />
          Not you? <TextLink href="/sign-in">Start again</TextLink>
        </>
      }
    >
      <FormNotice says={says} />
      {asksFor !== "passkey" && (
        <form method="post" action="/sign-in/code/send" className="flex flex-col gap-4">
          {next !== undefined && <input type="hidden" name="next" value={next} />}
          <input type="hidden" name="by" value={by} />
          <Field label={asksFor === "code" ? "Code" : "Recovery code"} name="code" error={says.errors.code}>
            {(wiring) =>
              asksFor === "code" ? (
                <CodeField {...wiring} autoFocus />
              ) : (
                <Input {...wiring} className="font-mono" autoComplete="off" autoCapitalize="characters" spellCheck={false} autoFocus />
              )
            }
          </Field>
          <SubmitButton wide pendingLabel="Checking…">
            Sign in
          </SubmitButton>
        </form>
      )}
      {passkey}
    </AuthFrame>
  );
}
