import type { Metadata } from "next";
import { mailboxView } from "#app/_people/mailbox.ts";
import { one } from "#app/_people/one.ts";
import { readFormState } from "#app/_people/own-form-state.ts";
import { LinkEnded } from "#components/people/link-ended.tsx";
import { AskForLink, NewPassword } from "#components/people/reset.tsx";
import { findLinkEmail } from "#services/users/index.ts";

export const metadata: Metadata = { title: "Choose a new password" };

export default async function ResetPage({ searchParams }: PageProps<"/reset">) {
  const token = one((await searchParams).token);
  if (token === undefined) return <AskForLink says={await readFormState("reset")} mailbox={await mailboxView()} />;
  const email = await findLinkEmail("reset_password", token);
  if (email === undefined) return <LinkEnded action="Ask for a new link" href="/reset" />;
  return <NewPassword says={await readFormState("new-password")} token={token} email={email} />;
}
