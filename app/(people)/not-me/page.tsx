import type { Metadata } from "next";
import { one } from "#app/_people/one.ts";
import { readFormState } from "#app/_people/own-form-state.ts";
import { LinkEnded } from "#components/people/link-ended.tsx";
import { NotMe } from "#components/people/not-me.tsx";
import { findLinkEmail } from "#services/users/index.ts";

export const metadata: Metadata = { title: "This was not me" };

/** Opening the link of a mail changes nothing, because mail programs open links by themselves. */
export default async function NotMePage({ searchParams }: PageProps<"/not-me">) {
  const token = one((await searchParams).token) ?? "";
  const email = await findLinkEmail("not_me", token);
  if (email === undefined) return <LinkEnded action="Choose a new password" href="/reset" />;
  return <NotMe says={await readFormState("not-me")} token={token} email={email} />;
}
