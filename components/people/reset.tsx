import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { FormNotice } from "./form-notice.tsx";
import { type FormSays, focusOf } from "./form-says.ts";
import { type MailboxView, NoMails } from "./no-mails.tsx";
import { Username } from "./username.tsx";

const BACK = (
  <>
    You remember it? <TextLink href="/sign-in">Sign in</TextLink>
  </>
);

interface AskForLinkProps {
  says: FormSays;
  mailbox: MailboxView | undefined;
}

export function AskForLink({ says, mailbox }: AskForLinkProps) {
  return (
    <AuthFrame title="Choose a new password" lead="We send you a link with which you choose it." footer={BACK}>
      <FormNotice says={says} />
      {says.notice?.kind === "success" && <NoMails mailbox={mailbox} />}
      <form method="post" action="/reset/send" className="flex flex-col gap-4">
        <Field label="Email" name="email" error={says.errors.email}>
          {(wiring) => (
            <Input
              {...wiring}
              type="email"
              autoComplete="username"
              defaultValue={says.values.email}
              autoFocus={focusOf(["email"], says) === "email"}
            />
          )}
        </Field>
        <SubmitButton wide>Send the link</SubmitButton>
      </form>
    </AuthFrame>
  );
}

/** Opened by the link of a mail. */
export function NewPassword({ says, token, email }: { says: FormSays; token: string; email: string }) {
  return (
    <AuthFrame
      title="Choose a new password"
      lead={
        <>
          For <strong className="font-semibold wrap-anywhere text-ink">{email}</strong>. Every browser that is signed in will be signed out.
        </>
      }
      footer={BACK}
    >
      <FormNotice says={says} />
      <form method="post" action="/reset/password" className="flex flex-col gap-4">
        <input type="hidden" name="token" value={token} />
        <Username email={email} />
        <Field
          label="New password"
          name="password"
          error={says.errors.password}
          hint="At least 12 characters. A few words in a row are easy to remember."
        >
          {(wiring) => <PasswordInput {...wiring} autoComplete="new-password" autoFocus />}
        </Field>
        <SubmitButton wide pendingLabel="Changing…">
          Change password
        </SubmitButton>
      </form>
    </AuthFrame>
  );
}
