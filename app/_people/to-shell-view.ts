import type { getOwnUser } from "#services/users/index.ts";
import type { Page } from "./find-member.ts";

type User = Awaited<ReturnType<typeof getOwnUser>>;

/** Returns what the frame of the dashboard shows about the person, the business and the mode. */
export const toShellView = ({ ctx, base, workplace, workplaces }: Page, { name, email }: User) => ({
  base,
  mode: ctx.merchant.mode,
  business: { id: workplace.businessId, name: workplace.businessName },
  businesses: workplaces.map(({ businessId, businessName, role }) => ({
    id: businessId,
    name: businessName,
    role: capitalised(role),
    href: `/b/${businessId}/${ctx.merchant.mode}`,
  })),
  user: { name, email },
  accountHref: `${base}/security`,
  signOutAction: "/sign-out",
});

export const capitalised = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
