import { House, ShieldCheck } from "lucide-react";
import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { toShellView } from "#app/_people/to-shell-view.ts";
import { iconsOf } from "#components/shell/icons.ts";
import { Shell } from "#components/shell/shell.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { getOwnUser } from "#services/users/index.ts";

const ICON = { "aria-hidden": true, className: "size-4 shrink-0" } as const;

export async function generateMetadata({ params }: LayoutProps<"/b/[business]/[mode]">): Promise<Metadata> {
  const { ctx } = await requireMember(params);
  return { icons: iconsOf(ctx.merchant.mode) };
}

/** The frame of the dashboard. Each page asks `requireMember` by itself, because a layout is not rendered anew for every page. */
export default async function DashboardLayout({ params, children }: LayoutProps<"/b/[business]/[mode]">) {
  const page = await requireMember(params);
  const { base } = page;
  const entries = [
    { label: "Home", href: base, segment: null, icon: <House {...ICON} />, phoneLabel: "Home" },
    { label: "Your security", href: `${base}/security`, segment: "security", icon: <ShieldCheck {...ICON} />, phoneLabel: "Security" },
  ];
  return (
    <Shell {...toShellView(page, await getOwnUser(page.ctx))} nav={[{ entries }]}>
      <noscript>
        <div className="mb-6 max-w-[45rem]">
          <Notice tone="warning">The dashboard needs JavaScript. Turn it on, then reload this page.</Notice>
        </div>
      </noscript>
      {children}
    </Shell>
  );
}
