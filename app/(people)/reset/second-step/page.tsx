import type { Metadata } from "next";
import { one } from "#app/_people/one.ts";
import { readFormState } from "#app/_people/own-form-state.ts";
import { LinkEnded } from "#components/people/link-ended.tsx";
import { SecondStepLost } from "#components/people/second-step-lost.tsx";
import { findLinkEmail } from "#services/users/index.ts";

export const metadata: Metadata = { title: "Password changed" };

/** After a new password by mail, for a person whose second steps are all younger than 30 days. */
export default async function SecondStepPage({ searchParams }: PageProps<"/reset/second-step">) {
  const token = one((await searchParams).token) ?? "";
  const email = await findLinkEmail("ask_removal", token);
  if (email === undefined) return <LinkEnded action="Sign in" href="/sign-in" />;
  return <SecondStepLost says={await readFormState("second-step")} token={token} email={email} />;
}
