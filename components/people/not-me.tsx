import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { FormNotice } from "./form-notice.tsx";
import type { FormSays } from "./form-says.ts";

interface LinkProps {
  says: FormSays;
  token: string;
  email: string;
}

/** Opened by the link of a mail that tells of a change of the account. */
export function NotMe({ says, token, email }: LinkProps) {
  return (
    <AuthFrame
      title="This was not me"
      lead={
        <>
          For the account of <strong className="font-semibold wrap-anywhere text-ink">{email}</strong>. One click:
        </>
      }
    >
      <FormNotice says={says} />
      <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-muted">
        <li>signs out every browser, yours too</li>
        <li>makes the password useless, and mails you a link to choose another one</li>
        <li>stops the API keys, invitations, webhook endpoints and files of top-ups that came from this account since the change</li>
        <li>removes every second step if the first of them was added since, unless you have signed in with one from a browser of yours</li>
        <li>tells the other owners of your business</li>
      </ul>
      <form method="post" action="/not-me/send" className="flex flex-col">
        <input type="hidden" name="token" value={token} />
        <SubmitButton wide pendingLabel="Signing out…">
          It was not me: lock the account
        </SubmitButton>
      </form>
      <p className="text-muted">Was it you? Close this page: nothing has changed.</p>
    </AuthFrame>
  );
}
