import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { readFormState } from "#app/_people/own-form-state.ts";
import { ownSession } from "#app/_people/own-session.ts";
import { returnTo, signInPage } from "#app/_people/return-to.ts";
import { toInvitationView } from "#app/_people/to-invitation-view.ts";
import { NoBusiness } from "#components/people/join.tsx";
import { listMemberships, listOwnInvitations } from "#services/members/index.ts";
import { getOwnUser } from "#services/users/index.ts";

export const metadata: Metadata = { title: "No business" };

/** For a person who is in no business: invited and not joined yet, or removed from the last one. */
export default async function NoBusinessPage() {
  const session = await ownSession();
  if (!session) redirect(signInPage("/"));
  const invitations = await listOwnInvitations(session.userId);
  if (invitations.length === 0 && (await listMemberships(session.userId)).length > 0) redirect(returnTo(undefined));
  const { email } = await getOwnUser({ actor: { type: "member", id: session.userId } });
  return (
    <NoBusiness
      says={await readFormState("invitation")}
      email={email}
      invitations={invitations.map((invitation) => toInvitationView(invitation, { business: invitation.businessId, id: invitation.id }))}
    />
  );
}
