import type { Metadata } from "next";
import { one } from "#app/_people/one.ts";
import { LinkEnded } from "#components/people/link-ended.tsx";
import { NotOurAccount } from "#components/people/not-our-account.tsx";
import { findAccountOfLink } from "#services/payouts/index.ts";

export const metadata: Metadata = { title: "Remove a bank account" };

/** Opening the link of a mail changes nothing, because mail programs open links by themselves. */
export default async function NotOurAccountPage({ searchParams }: PageProps<"/not-our-account">) {
  const token = one((await searchParams).token) ?? "";
  const account = await findAccountOfLink(token);
  if (!account) return <LinkEnded action="Sign in" href="/sign-in" />;
  return <NotOurAccount token={token} {...account} />;
}
