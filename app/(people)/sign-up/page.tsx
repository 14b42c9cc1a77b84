import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { one } from "#app/_people/one.ts";
import { readFormState } from "#app/_people/own-form-state.ts";
import { ownSession } from "#app/_people/own-session.ts";
import { returnTo } from "#app/_people/return-to.ts";
import { SignUp } from "#components/people/sign-up.tsx";
import { SignUpInvited } from "#components/people/sign-up-invited.tsx";
import { findInvitationOfLink } from "#services/members/index.ts";

export const metadata: Metadata = { title: "Create an account" };

export default async function SignUpPage({ searchParams }: PageProps<"/sign-up">) {
  const token = one((await searchParams).invitation);
  const says = await readFormState("sign-up");
  if (token === undefined) {
    if (await ownSession()) redirect(returnTo(undefined));
    return <SignUp says={says} />;
  }
  const invitation = await findInvitationOfLink(token);
  // That page says why an account cannot be made with it.
  if ((await ownSession()) || invitation?.state !== "open") redirect(`/invitations?token=${encodeURIComponent(token)}`);
  const { email, businessName } = invitation;
  return <SignUpInvited says={says} token={token} email={email} business={businessName} />;
}
