import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";

interface NotOurAccountProps {
  token: string;
  bankName: string;
  /** The last four digits. */
  number: string;
  accountName: string;
  isRemoved: boolean;
}

/** Opened by the link of a mail that tells of a new bank account. */
export function NotOurAccount({ token, bankName, number, accountName, isRemoved }: NotOurAccountProps) {
  const account = (
    <strong className="font-semibold wrap-anywhere text-ink">
      {bankName} ••{number}, {accountName}
    </strong>
  );
  if (isRemoved) {
    return (
      <AuthFrame title="This bank account is removed" lead={<>Nothing is paid to {account} any more.</>}>
        <p>
          Did nobody of you add it? Then somebody else may be in an account of your team. Sign in, look at the log of your business, and
          change your passwords.
        </p>
        <ButtonLink href="/sign-in" variant="primary" wide>
          Sign in
        </ButtonLink>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Remove this bank account?" lead={<>Money of your business can be paid out to {account}.</>}>
      <form method="post" action="/not-our-account/send" className="flex flex-col">
        <input type="hidden" name="token" value={token} />
        <SubmitButton wide pendingLabel="Removing…">
          Remove this bank account
        </SubmitButton>
      </form>
      <p className="text-muted">Is it yours? Close this page: nothing has changed. A removed account can be added again.</p>
    </AuthFrame>
  );
}
