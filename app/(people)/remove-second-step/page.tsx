import type { Metadata } from "next";
import { one } from "#app/_people/one.ts";
import { readFormState } from "#app/_people/own-form-state.ts";
import { LinkEnded } from "#components/people/link-ended.tsx";
import { RemoveSecondStep } from "#components/people/second-step-lost.tsx";
import { findLinkEmail } from "#services/users/index.ts";

export const metadata: Metadata = { title: "Remove the second step" };

export default async function RemoveSecondStepPage({ searchParams }: PageProps<"/remove-second-step">) {
  const token = one((await searchParams).token) ?? "";
  const email = await findLinkEmail("remove_factors", token);
  if (email === undefined) return <LinkEnded action="Sign in" href="/sign-in" />;
  return <RemoveSecondStep says={await readFormState("remove-second-step")} token={token} email={email} />;
}
