import type { ReactNode } from "react";
import type { Page } from "#app/_people/find-member.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { mayChange, whoMay } from "#app/(dashboard)/_page/may.ts";
import { Closed } from "#components/page/closed.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { KindTabs, kindOf } from "#components/top-ups/kinds.tsx";
import type { Shop } from "#components/top-ups/pay-box.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { getWallet } from "#services/ledger/index.ts";
import { findPurchases, listProducts, type VisiblePurchase } from "#services/vtu/index.ts";
import { closedBecause } from "../to-view.ts";
import { type Product, whatIsGone } from "./to-view.ts";

/** The data with which a purchase page starts. */
interface Counter {
  shop: Shop;
  /** What the service sells now. */
  products: Product[];
  /** The purchase that the address asks to buy again, without its tokens. */
  again: VisiblePurchase | undefined;
}

type Service = VisiblePurchase["service"];
type SearchParams = Record<string, string | string[] | undefined>;

/** Returns a purchase page, or the reason why the reader cannot buy. `again` in the address names a purchase that fills the form. */
export async function sellOn(
  page: Page,
  service: Service,
  search: SearchParams,
  form: (counter: Counter) => Promise<ReactNode>,
): Promise<ReactNode> {
  const area = closedArea(page, "vtu");
  if (area) return area;
  const { ctx, base } = page;
  const href = `${base}/top-ups`;
  const closed = closedBecause(ctx, mayChange(ctx, "vtu:write"), whoMay(ctx, "vtu:write"));
  return (
    <>
      <PageHead title={kindOf(service).title} back={{ href, label: "Top-ups" }} />
      <div className="mb-6">
        <KindTabs base={href} current={service} />
      </div>
      {closed ? <Closed title="You cannot buy here">{closed}</Closed> : await counterOf(page, href, service, search, form)}
    </>
  );
}

async function counterOf(
  { ctx, base }: Page,
  href: string,
  service: Service,
  search: SearchParams,
  form: (counter: Counter) => Promise<ReactNode>,
): Promise<ReactNode> {
  const reference = typeof search.again === "string" ? search.again : undefined;
  const [products, wallet, earlier] = await Promise.all([
    listProducts(ctx, { service }),
    getWallet(ctx),
    reference ? findPurchases(ctx, { id: reference }, 1) : [],
  ]);
  if (products.length === 0) {
    return (
      <Closed title="Nothing of this is sold just now">
        The provider&apos;s list is empty. It is read again every few minutes: come back later.
      </Closed>
    );
  }
  const again = earlier.find((purchase) => purchase.service === service);
  const gone = again && whatIsGone(again, products);
  const addMoneyHref = mayChange(ctx, "checkout:write") && ctx.merchant.areas.includes("checkout") ? `${base}/links/new` : undefined;
  return (
    <>
      {gone && (
        <div className="mb-6 max-w-[45rem]">
          <Notice tone="warning">{gone} is not sold any more. Choose another.</Notice>
        </div>
      )}
      {await form({ shop: { href, available: wallet.available.minor, addMoneyHref }, products, again: again })}
    </>
  );
}
