import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { FormNotice } from "./form-notice.tsx";
import { type FormSays, focusOf } from "./form-says.ts";
import { Username } from "./username.tsx";

interface SignUpInvitedProps {
  says: FormSays;
  token: string;
  email: string;
  business: string;
}

/** For a person who is invited and has no account: the email is the invited one. */
export function SignUpInvited({ says, token, email, business }: SignUpInvitedProps) {
  const focus = focusOf(["name", "password"], says);
  const signIn = `/sign-in?then=${encodeURIComponent(`/invitations?token=${token}`)}`;
  return (
    <AuthFrame
      title="Create an account"
      lead={
        <>
          For <strong className="font-semibold wrap-anywhere text-ink">{email}</strong>, to join the team of{" "}
          <bdi className="wrap-anywhere">{business}</bdi>. We send a link to this address, to check that it is yours.
        </>
      }
      footer={
        <>
          You have an account? <TextLink href={signIn}>Sign in</TextLink>
        </>
      }
    >
      <FormNotice says={says} />
      <form method="post" action="/sign-up/invited" className="flex flex-col gap-4">
        <input type="hidden" name="token" value={token} />
        <Username email={email} />
        <Field label="Your name" name="name" error={says.errors.name}>
          {(wiring) => (
            <Input {...wiring} defaultValue={says.values.name} autoComplete="name" maxLength={80} autoFocus={focus === "name"} />
          )}
        </Field>
        <Field
          label="Password"
          name="password"
          error={says.errors.password}
          hint="At least 12 characters. A few words in a row are easy to remember."
        >
          {(wiring) => <PasswordInput {...wiring} autoComplete="new-password" autoFocus={focus === "password"} />}
        </Field>
        <SubmitButton wide pendingLabel="Creating…">
          Create account
        </SubmitButton>
      </form>
    </AuthFrame>
  );
}
