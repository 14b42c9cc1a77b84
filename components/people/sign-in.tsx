import type { ReactNode } from "react";
import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { FormNotice } from "./form-notice.tsx";
import { type FormSays, focusOf } from "./form-says.ts";

interface SignInProps {
  says: FormSays;
  /** The page to open afterwards, if it is not home. */
  next: string | undefined;
  /** The way to sign in without a password. */
  passkey: ReactNode;
}

export function SignIn({ says, next, passkey }: SignInProps) {
  const focus = says.values.email ? "password" : focusOf(["email", "password"], says);
  return (
    <AuthFrame
      title="Sign in"
      footer={
        <>
          New to Oja? <TextLink href="/sign-up">Create an account</TextLink>
        </>
      }
    >
      <FormNotice says={says} />
      <form method="post" action="/sign-in/send" className="flex flex-col gap-4">
        {next !== undefined && <input type="hidden" name="next" value={next} />}
        <Field label="Email" name="email" error={says.errors.email}>
          {(wiring) => (
            <Input {...wiring} type="email" autoComplete="username" defaultValue={says.values.email} autoFocus={focus === "email"} />
          )}
        </Field>
        <Field
          label="Password"
          name="password"
          error={says.errors.password}
          aside={<TextLink href="/reset">Forgot your password?</TextLink>}
        >
          {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" autoFocus={focus === "password"} />}
        </Field>
        <SubmitButton wide pendingLabel="Signing in…">
          Sign in
        </SubmitButton>
      </form>
      {passkey}
    </AuthFrame>
  );
}
