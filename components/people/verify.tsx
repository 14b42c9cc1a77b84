import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { Field } from "#components/ui/field.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { FormNotice } from "./form-notice.tsx";
import { type FormSays, focusOf } from "./form-says.ts";
import { type MailboxView, NoMails } from "./no-mails.tsx";
import { Username } from "./username.tsx";

/**
 * Opened by the link of a mail. Mail programs open links by themselves, and somebody else may have signed up with the address, so the person
 * confirms with the password.
 */
export function ConfirmEmail({ says, token, email }: { says: FormSays; token: string; email: string }) {
  return (
    <AuthFrame
      title="Confirm your email"
      lead={
        <>
          Type the password that you chose when you signed up with <strong className="font-semibold wrap-anywhere text-ink">{email}</strong>
          .
        </>
      }
      footer={
        <>
          You do not know it? <TextLink href="/reset">Choose a new password</TextLink>
        </>
      }
    >
      <FormNotice says={says} />
      <form method="post" action="/verify/send" className="flex flex-col gap-4">
        <input type="hidden" name="token" value={token} />
        <Username email={email} />
        <Field label="Password" name="password" error={says.errors.password}>
          {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" autoFocus={focusOf(["password"], says) === "password"} />}
        </Field>
        <SubmitButton wide pendingLabel="Confirming…">
          Confirm my email
        </SubmitButton>
      </form>
    </AuthFrame>
  );
}

interface CheckMailProps {
  says: FormSays;
  mailbox: MailboxView | undefined;
}

/** Shown after signing up, and after a sign-in before the email was confirmed. */
export function CheckMail({ says, mailbox }: CheckMailProps) {
  const { email } = says.values;
  return (
    <AuthFrame
      title="Check your mail"
      lead={
        <>
          We have sent a link to {email ? <strong className="font-semibold wrap-anywhere text-ink">{email}</strong> : "your email"}. Open it
          to confirm that the address is yours.
        </>
      }
      footer={
        <>
          You have confirmed it? <TextLink href="/sign-in">Sign in</TextLink>
        </>
      }
    >
      <FormNotice says={says} />
      <NoMails mailbox={mailbox} />
      <p className="text-muted">No mail after two minutes? Look among spam. Sign in with your password, and we send a new link.</p>
    </AuthFrame>
  );
}
