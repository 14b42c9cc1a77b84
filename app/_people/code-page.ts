import { isOwnPage } from "./return-to.ts";

/** How the second step may be taken. */
export type SecondStep = "code" | "passkey" | "recovery";

/** Returns the address of the page of the second step, which leads to `next` if that is a page of ours. */
export function codePage(by: readonly SecondStep[], next: string | undefined): string {
  const query = new URLSearchParams([["by", by.join("-")]]);
  if (next !== undefined && isOwnPage(next)) query.append("then", next);
  return `/sign-in/code?${query}`;
}
