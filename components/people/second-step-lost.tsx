import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { FormNotice } from "./form-notice.tsx";
import type { FormSays } from "./form-says.ts";

interface LinkProps {
  says: FormSays;
  token: string;
  email: string;
}

/** Shown after a new password by mail. Offers to sign in, or to remove a second step that is lost or was added by another person. */
export function SecondStepLost({ says, token, email }: LinkProps) {
  return (
    <AuthFrame
      title="Your password is changed"
      lead={
        <>
          Sign in as <strong className="font-semibold wrap-anywhere text-ink">{email}</strong> with it. The second step is asked for as
          before.
        </>
      }
    >
      <FormNotice says={says} />
      <ButtonLink href="/sign-in" variant="primary" wide>
        Sign in
      </ButtonLink>
      <section aria-labelledby="lost" className="flex flex-col gap-3 border-t border-line pt-6">
        <h2 id="lost" className="font-semibold">
          You do not have the second step?
        </h2>
        <p className="text-muted">
          A recovery code signs you in too. If you have none, or somebody else added the second step, ask us to remove it: we mail you a
          link in 24 hours. Any sign-in with the second step before then ends the request.
        </p>
        <form method="post" action="/reset/second-step/send" className="flex flex-col">
          <input type="hidden" name="token" value={token} />
          <SubmitButton wide variant="quiet">
            Ask to remove the second step
          </SubmitButton>
        </form>
      </section>
    </AuthFrame>
  );
}

/** Opened by the link of a mail, a day after it was asked for. */
export function RemoveSecondStep({ says, token, email }: LinkProps) {
  return (
    <AuthFrame
      title="Remove the second step"
      lead={
        <>
          Of the account of <strong className="font-semibold wrap-anywhere text-ink">{email}</strong>: the authenticator app, all passkeys
          and the recovery codes. After it the password alone signs in, and every browser is signed out.
        </>
      }
    >
      <FormNotice says={says} />
      <form method="post" action="/remove-second-step/send" className="flex flex-col">
        <input type="hidden" name="token" value={token} />
        <SubmitButton wide pendingLabel="Removing…">
          Remove the second step
        </SubmitButton>
      </form>
      <p className="text-muted">You found it again? Sign in with it instead: that ends the request.</p>
    </AuthFrame>
  );
}
