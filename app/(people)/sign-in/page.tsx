import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { PasskeyButton } from "#app/_client/passkey-button.tsx";
import { readFormState } from "#app/_people/form-state.ts";
import { one } from "#app/_people/one.ts";
import { ownSession } from "#app/_people/own-session.ts";
import { isOwnPage, returnTo } from "#app/_people/return-to.ts";
import { SignIn } from "#components/people/sign-in.tsx";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const then = one((await searchParams).then);
  if (await ownSession()) redirect(returnTo(then));
  const next = then !== undefined && isOwnPage(then) ? then : undefined;
  const passkey = <PasskeyButton label="Sign in with a passkey" next={next} />;
  const says = await readFormState("sign-in");
  // A success of an earlier page, as of signing out, is no answer to a page that asks to sign in first.
  if (next !== undefined && says.notice?.kind === "success") delete says.notice;
  return <SignIn says={says} next={next} passkey={passkey} />;
}
