import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { readFormState } from "#app/_people/own-form-state.ts";
import { ownSession } from "#app/_people/own-session.ts";
import { returnTo, signInPage } from "#app/_people/return-to.ts";
import { OpenBusiness } from "#components/people/open-business.tsx";

export const metadata: Metadata = { title: "Open a business" };

export default async function OpenBusinessPage() {
  if (!(await ownSession())) redirect(signInPage("/businesses/new"));
  return <OpenBusiness says={await readFormState("business")} homeHref={returnTo(undefined)} />;
}
