import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { one } from "#app/_people/one.ts";
import { readFormState } from "#app/_people/own-form-state.ts";
import { ownSession } from "#app/_people/own-session.ts";
import { returnTo, signInPage } from "#app/_people/return-to.ts";
import { toInvitationView } from "#app/_people/to-invitation-view.ts";
import { InvitationDeclined, InvitationEnded, Join, OtherEmail, SignInToJoin } from "#components/people/join.tsx";
import { findInvitationOfLink } from "#services/members/index.ts";
import { getOwnUser } from "#services/users/index.ts";

export const metadata: Metadata = { title: "Invitation" };

/** Opening the link of a mail changes nothing, because mail programs open links by themselves. */
export default async function InvitationPage({ searchParams }: PageProps<"/invitations">) {
  const token = one((await searchParams).token);
  const session = await ownSession();
  if (token === undefined) redirect(session ? "/no-business" : signInPage("/invitations"));
  const found = await findInvitationOfLink(token);
  const homeHref = session && returnTo(undefined);
  if (found?.state === "declined") return <InvitationDeclined business={found.businessName} homeHref={homeHref} />;
  if (found?.state !== "open") return <InvitationEnded homeHref={homeHref} />;
  const invitation = toInvitationView(found, { token });
  const says = await readFormState("invitation");
  if (!session) {
    const signUpHref = `/sign-up?invitation=${encodeURIComponent(token)}`;
    return (
      <SignInToJoin
        says={says}
        invitation={invitation}
        signInHref={signInPage(`/invitations?token=${encodeURIComponent(token)}`)}
        signUpHref={signUpHref}
      />
    );
  }
  const { email } = await getOwnUser({ actor: { type: "member", id: session.userId } });
  if (email !== found.email) return <OtherEmail invitation={invitation} signedInAs={email} homeHref={returnTo(undefined)} />;
  return <Join says={says} invitation={invitation} />;
}
