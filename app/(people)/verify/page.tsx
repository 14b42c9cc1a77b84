import type { Metadata } from "next";
import { mailboxView } from "#app/_people/mailbox.ts";
import { one } from "#app/_people/one.ts";
import { readFormState } from "#app/_people/own-form-state.ts";
import { LinkEnded } from "#components/people/link-ended.tsx";
import { CheckMail, ConfirmEmail } from "#components/people/verify.tsx";
import { findLinkEmail } from "#services/users/index.ts";

export const metadata: Metadata = { title: "Confirm your email" };

/** Opening the link of a mail changes nothing, because mail programs open links by themselves. */
export default async function VerifyPage({ searchParams }: PageProps<"/verify">) {
  const token = one((await searchParams).token);
  const says = await readFormState("verify");
  if (token === undefined) return <CheckMail says={says} mailbox={await mailboxView()} />;
  const email = await findLinkEmail("verify_email", token);
  if (email === undefined) return <LinkEnded action="Sign in for a new link" href="/sign-in" />;
  return <ConfirmEmail says={says} token={token} email={email} />;
}
