import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { TARGET_HEADER } from "#lib/page-headers.ts";
import { findMember, type Page } from "./find-member.ts";
import { ownSession } from "./own-session.ts";

/** Returns the member who opens a page. Redirects a person, and throws a 404, as `findMember` says. */
export async function requireMember(params: Promise<{ business: string; mode: string }>): Promise<Page> {
  const { business, mode } = await params;
  return memberOf(business, mode);
}

// The layout and the page of one request share the answer.
const memberOf = cache(async (business: string, mode: string): Promise<Page> => {
  const given = await headers();
  const found = await findMember(
    { business, mode },
    { headers: given, target: given.get(TARGET_HEADER) ?? "/", session: await ownSession() },
  );
  if (!("redirect" in found)) return found;
  if (found.redirect === null) notFound();
  redirect(found.redirect);
});
