import { isOwnPage } from "./return-to.ts";

/** How the second step may be taken. */
const SECOND_STEPS = ["code", "passkey", "recovery"] as const;
export type SecondStep = (typeof SECOND_STEPS)[number];

/** Returns the steps that the address of the page names, as `code-passkey`. */
export function stepsIn(by: string): SecondStep[] {
  const named = by.split("-");
  const steps = SECOND_STEPS.filter((step) => named.includes(step));
  return steps.length > 0 ? steps : ["code"];
}

/** Returns the address of the page of the second step, which leads to `next` if that is a page of ours. */
export function codePage(by: readonly SecondStep[], next: string | undefined): string {
  const query = new URLSearchParams([["by", by.join("-")]]);
  if (next !== undefined && isOwnPage(next)) query.append("then", next);
  return `/sign-in/code?${query}`;
}
