import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { readFormState } from "#app/_people/form-state.ts";
import { ownSession } from "#app/_people/own-session.ts";
import { returnTo } from "#app/_people/return-to.ts";
import { SignUp } from "#components/people/sign-up.tsx";

export const metadata: Metadata = { title: "Create an account" };

export default async function SignUpPage() {
  if (await ownSession()) redirect(returnTo(undefined));
  return <SignUp says={await readFormState("sign-up")} />;
}
