import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ownSession } from "#app/_people/own-session.ts";
import { returnTo, signInPage } from "#app/_people/return-to.ts";
import { NoBusiness } from "#components/people/no-business.tsx";
import { listMemberships } from "#services/members/index.ts";

export const metadata: Metadata = { title: "No business" };

/** For a person who was removed from their last business. */
export default async function NoBusinessPage() {
  const session = await ownSession();
  if (!session) redirect(signInPage("/"));
  if ((await listMemberships(session.userId)).length > 0) redirect(returnTo(undefined));
  return <NoBusiness />;
}
