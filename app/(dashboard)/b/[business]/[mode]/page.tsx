import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { Home } from "#components/home/home.tsx";
import { settings } from "#lib/env.ts";
import { getOwnUser } from "#services/users/index.ts";

export const metadata: Metadata = { title: "Home" };

export default async function HomePage({ params }: PageProps<"/b/[business]/[mode]">) {
  const { ctx } = await requireMember(params);
  const { name } = await getOwnUser(ctx);
  return <Home name={name} hour={lagosHour(new Date())} mode={ctx.merchant.mode} baseUrl={settings().BASE_URL} />;
}

const HOUR = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", hour: "numeric", hourCycle: "h23" });
const lagosHour = (now: Date): number => Number(HOUR.format(now));
