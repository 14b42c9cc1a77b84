import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { Closed } from "#components/page/closed.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import type { MemberContext } from "#services/context.ts";
import { findLogo, getBusiness } from "#services/merchants/index.ts";
import { SettingsTabs } from "../tabs.tsx";
import { EditBrand } from "./edit-brand.tsx";

export const metadata: Metadata = { title: "Brand" };

export default async function BrandPage({ params }: PageProps<"/b/[business]/[mode]/settings/brand">) {
  const page = await requireMember(params);
  const closed = closedTo(page, "settings:write", "Brand");
  if (closed) return closed;
  const { ctx, base } = page;
  const { brandVersion, brandColour, supportEmail, supportPhone, logo } = await getBusiness(ctx);
  const saved = {
    ...{ version: brandVersion, colour: brandColour, logo: logo && (await inline(ctx, logo)) },
    ...{ supportEmail: supportEmail ?? "", supportPhone: supportPhone ?? "" },
  };
  return (
    <>
      <PageHead title="Brand" lead="What your customers see when they pay. It is the same in test and live mode." />
      <SettingsTabs page={page} current="brand" />
      {mayChange(ctx, "settings:write") ? (
        <EditBrand saved={saved} previewAction={`${base}/settings/brand/preview`} />
      ) : (
        <Closed title="Your business is suspended">The brand cannot be changed.</Closed>
      )}
    </>
  );
}

/** Returns the logo inline, because the dashboard may have a host of its own, which does not serve the files of payers' pages. */
async function inline(ctx: MemberContext, name: string): Promise<string | null> {
  const logo = await findLogo(ctx, name);
  return logo ? `data:image/webp;base64,${Buffer.from(logo).toString("base64")}` : null;
}
