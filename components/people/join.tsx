import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { FormNotice } from "./form-notice.tsx";
import type { FormSays } from "./form-says.ts";

const Email = ({ of }: { of: string }) => <strong className="font-semibold wrap-anywhere text-ink">{of}</strong>;

interface InvitationView {
  business: string;
  email: string;
  /** The role, in words: "Developer". */
  role: string;
  /** What the role may do, in one sentence. */
  roleSays: string;
  /** What a form sends to name the invitation. */
  fields: Readonly<Record<string, string>>;
}

const titleOf = ({ business }: InvitationView) => (
  <>
    Join <bdi className="wrap-anywhere">{business}</bdi>
  </>
);

function Role({ role, roleSays }: InvitationView) {
  return (
    <p>
      Your role: <strong className="font-semibold">{role}</strong>. <span className="text-muted">{roleSays}</span>
    </p>
  );
}

/** For the invited person, signed in: one button. */
export function Join({ says, invitation }: { says: FormSays; invitation: InvitationView }) {
  return (
    <AuthFrame
      title={titleOf(invitation)}
      lead={
        <>
          You are signed in as <Email of={invitation.email} />.
        </>
      }
    >
      <FormNotice says={says} />
      <Role {...invitation} />
      <JoinForm invitation={invitation} />
      <DeclineForm invitation={invitation} />
    </AuthFrame>
  );
}

function JoinForm({ invitation: { business, fields } }: { invitation: InvitationView }) {
  return (
    <form method="post" action="/invitations/accept">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SubmitButton wide pendingLabel="Joining…">
        Join {business}
      </SubmitButton>
    </form>
  );
}

function DeclineForm({ invitation: { business, fields } }: { invitation: InvitationView }) {
  return (
    <form method="post" action="/invitations/decline">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SubmitButton wide variant="quiet" pendingLabel="Declining…">
        Decline<span className="sr-only"> to join {business}</span>
      </SubmitButton>
    </form>
  );
}

interface SignInToJoinProps {
  says: FormSays;
  invitation: InvitationView;
  signInHref: string;
  signUpHref: string;
}

/** For the reader of the link who is not signed in. */
export function SignInToJoin({ says, invitation, signInHref, signUpHref }: SignInToJoinProps) {
  return (
    <AuthFrame
      title={titleOf(invitation)}
      lead={
        <>
          The invitation is for <Email of={invitation.email} />. Sign in with this address to join, or create an account with it.
        </>
      }
    >
      <FormNotice says={says} />
      <Role {...invitation} />
      <ButtonLink href={signInHref} variant="primary" wide>
        Sign in
      </ButtonLink>
      <ButtonLink href={signUpHref} wide>
        Create an account
      </ButtonLink>
      <DeclineForm invitation={invitation} />
    </AuthFrame>
  );
}

interface OtherEmailProps {
  invitation: InvitationView;
  signedInAs: string;
  homeHref: string;
}

/** For somebody who is signed in with another address. */
export function OtherEmail({ invitation, signedInAs, homeHref }: OtherEmailProps) {
  return (
    <AuthFrame
      title="This invitation is for another address"
      lead={
        <>
          It is for <Email of={invitation.email} />. You are signed in as <Email of={signedInAs} />.
        </>
      }
    >
      <p className="text-muted">
        Sign out, then open the link of the mail again. Or ask for an invitation to the address that you use here.
      </p>
      <SignOut variant="primary" />
      <ButtonLink href={homeHref} wide>
        Stay signed in
      </ButtonLink>
    </AuthFrame>
  );
}

/** For a link that is unknown, used, withdrawn or too old. `homeHref` is there for a person who is signed in. */
export function InvitationEnded({ homeHref }: { homeHref: string | undefined }) {
  return (
    <AuthFrame
      title="This invitation has ended"
      lead="It was used or withdrawn, it is older than seven days, a newer mail replaced it, or its sender has left the team. If you copied the link, check that it is complete."
    >
      <p className="text-muted">Ask the person who invited you to send it again.</p>
      <ButtonLink href={homeHref ?? "/sign-in"} variant={homeHref ? "primary" : "quiet"} wide>
        {homeHref ? "Open the dashboard" : "Sign in"}
      </ButtonLink>
    </AuthFrame>
  );
}

/** For a link whose invitation its reader has declined. */
export function InvitationDeclined({ business, homeHref }: { business: string; homeHref: string | undefined }) {
  return (
    <AuthFrame
      title="You declined this invitation"
      lead={
        <>
          You do not join <bdi className="wrap-anywhere">{business}</bdi>. Its team sees that you declined.
        </>
      }
    >
      <p className="text-muted">If you change your mind, ask the person who invited you for another invitation.</p>
      {homeHref && (
        <ButtonLink href={homeHref} variant="primary" wide>
          Open the dashboard
        </ButtonLink>
      )}
    </AuthFrame>
  );
}

const SignOut = ({ variant }: { variant: "primary" | "quiet" }) => (
  <form method="post" action="/sign-out">
    <SubmitButton wide variant={variant} pendingLabel="Signing out…">
      Sign out
    </SubmitButton>
  </form>
);

interface NoBusinessProps {
  says: FormSays;
  email: string;
  invitations: readonly InvitationView[];
}

/** For a person who is a member of no business: the invitations, or a business of one's own. */
export function NoBusiness({ says, email, invitations }: NoBusinessProps) {
  return (
    <AuthFrame
      title={invitations.length > 0 ? "You are invited" : "You are in no business"}
      lead={
        <>
          You are signed in as <Email of={email} />.
        </>
      }
    >
      <FormNotice says={says} />
      {invitations.map((invitation) => (
        <section key={JSON.stringify(invitation.fields)} className="flex flex-col gap-3 rounded-panel border border-line bg-surface p-4">
          <h2 className="font-semibold wrap-anywhere">{invitation.business}</h2>
          <Role {...invitation} />
          <JoinForm invitation={invitation} />
          <DeclineForm invitation={invitation} />
        </section>
      ))}
      {invitations.length === 0 && (
        <p className="text-muted">
          To work in a business of others, ask its owner to invite this address. The invitation stands here then, and in your mail.
        </p>
      )}
      <ButtonLink href="/businesses/new" wide variant={invitations.length === 0 ? "primary" : "quiet"}>
        Open a business of your own
      </ButtonLink>
      <SignOut variant="quiet" />
    </AuthFrame>
  );
}
