import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { PasskeyButton } from "#app/_client/passkey-button.tsx";
import { codePage, stepsIn } from "#app/_people/code-page.ts";
import { one } from "#app/_people/one.ts";
import { readFormState } from "#app/_people/own-form-state.ts";
import { isOwnPage, signInPage } from "#app/_people/return-to.ts";
import { SecondFactor } from "#components/people/second-factor.tsx";
import { cookieIn } from "#lib/cookies.ts";

export const metadata: Metadata = { title: "Second step" };

/** After the right password. The ticket in the cookie says whose; it works for ten minutes. */
export default async function SecondFactorPage({ searchParams }: PageProps<"/sign-in/code">) {
  const { by, then: given } = await searchParams;
  const then = one(given);
  const next = then !== undefined && isOwnPage(then) ? then : undefined;
  if (cookieIn((await headers()).get("cookie") ?? "", "ticket") === undefined) redirect(signInPage(next ?? ""));
  const factors = stepsIn(one(by) ?? "");
  return (
    <SecondFactor
      says={await readFormState("code")}
      by={factors.join("-")}
      asksFor={factors.includes("recovery") ? "recovery code" : factors.includes("code") ? "code" : "passkey"}
      next={next}
      passkey={factors.includes("passkey") ? <PasskeyButton next={next} isMain={!factors.includes("code")} /> : undefined}
      otherWay={codePage(factors.includes("recovery") ? ["code"] : ["recovery"], next)}
    />
  );
}
