import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { Page } from "#app/_people/find-member.ts";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { SimulatorView } from "#components/developers/simulator-view.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { formatMoney } from "#lib/money.ts";
import { listCards } from "#services/cards/index.ts";
import { listPaymentLinks } from "#services/checkout/index.ts";
import { readMembership } from "#services/members/index.ts";
import { type ProviderKind, registries } from "#services/providers/index.ts";
import { simulationsOf } from "../../links/[reference]/simulations-of.ts";
import { DeveloperTabs } from "../tabs.tsx";
import { ChooseProvider } from "./choose-provider.tsx";
import { PlayCustomer } from "./play-customer.tsx";
import { EMAILS, EXAM_QUANTITIES, PHONES } from "./ready.ts";

export const metadata: Metadata = { title: "Simulator" };

/** Links and cards to choose from; the newest. */
const LIMIT = 20;

export default async function SimulatorPage({ params }: PageProps<"/b/[business]/[mode]/developers/simulator">) {
  const page = await requireMember(params);
  if (page.ctx.merchant.mode !== "test") notFound();
  const closed = closedTo(page, "test:write", "Simulator");
  if (closed) return closed;
  return (
    <SimulatorView
      tabs={<DeveloperTabs page={page} current="simulator" />}
      customer={<Customer page={page} />}
      cards={<Cards page={page} />}
      emails={EMAILS}
      phones={PHONES}
      quantities={EXAM_QUANTITIES}
      providers={<Providers page={page} />}
    />
  );
}

async function Customer({ page: { ctx, base } }: { page: Page }) {
  const { items } = await listPaymentLinks(ctx, { limit: LIMIT });
  if (items.length === 0 || !mayChange(ctx, "test:write")) {
    return (
      <p className="text-muted">
        There is no payment link to pay. <TextLink href={`${base}/links`}>Go to payment links</TextLink>
      </p>
    );
  }
  const links = items.map((link) => ({
    reference: link.reference,
    label: `${formatMoney(link.amount)}, ${link.description ?? "no description"} (${STATES[link.status]})`,
    simulations: simulationsOf(link),
  }));
  return <PlayCustomer links={links} path={`${base}/links`} />;
}

const STATES = { pending: "waiting", success: "paid", expired: "expired" } as const;

async function Cards({ page: { ctx, base } }: { page: Page }) {
  const { items } = await listCards(ctx, { limit: LIMIT, status: "ACTIVE" });
  if (items.length === 0) {
    return (
      <p className="text-muted">
        There is no active card to charge. <TextLink href={`${base}/cards`}>Go to cards</TextLink>
      </p>
    );
  }
  return (
    <>
      <p className="mb-3 text-muted">Open a card, and choose “Simulate spend”.</p>
      <ul className="flex flex-col gap-2">
        {items.map(({ id, nickname, brand, last4 }) => (
          <li key={id}>
            <TextLink href={`${base}/cards/${id}`}>{`${nickname ?? brand}${last4 ? ` ••${last4}` : ""}`}</TextLink>
          </li>
        ))}
      </ul>
    </>
  );
}

const KINDS: readonly { kind: ProviderKind; label: string }[] = [
  { kind: "bank", label: "Bank" },
  { kind: "issuer", label: "Card issuer" },
  { kind: "aggregator", label: "Aggregator of top-ups" },
];

async function Providers({ page: { ctx } }: { page: Page }) {
  // The binding is read anew: that of the context may be a second old, and this page is refreshed right after a choice.
  const merchant = (await readMembership(ctx.actor.id, ctx.merchant.id))?.merchant ?? ctx.merchant;
  return (
    <div className="flex flex-col gap-4">
      {KINDS.map(({ kind, label }) => (
        <ChooseProvider
          key={kind}
          kind={kind}
          label={label}
          names={registries[kind].names("test")}
          bound={merchant[kind]}
          mayChange={mayChange(ctx, "test:write")}
        />
      ))}
    </div>
  );
}
