import type { ReactNode } from "react";
import { Detail, Section } from "#components/page/detail.tsx";
import { Facts } from "#components/page/facts.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { KYC_STATES, State } from "#components/page/states.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Time } from "#components/ui/time.tsx";
import { type CardRow, CardsTable } from "./cards-list.tsx";

interface HolderViewProps {
  holder: {
    id: number;
    name: string;
    email: string;
    phone: string | null;
    kycStatus: keyof typeof KYC_STATES;
    kycRejectionReason: string | null;
    createdAt: Date;
  };
  path: string;
  cards: readonly CardRow[];
  place: ListPlace;
  issue: ReactNode;
  now: Date;
}

/** The page of a cardholder: who it is, whether the identity is approved, and the cards. */
export function HolderView({ holder, path, cards, place, issue, now }: HolderViewProps) {
  const { id, name, email, phone, kycStatus, createdAt } = holder;
  const facts = [
    { label: "Email", value: email },
    { label: "Phone", value: phone },
    { label: "Identity", value: KYC_STATES[kycStatus].word },
    { label: "Created", value: <Time at={createdAt} now={now} /> },
    { label: "Id", value: <CopyId id={String(id)} /> },
  ];
  return (
    <>
      <PageHead
        title={name}
        back={{ href: `${path}/holders`, label: "Cardholders" }}
        pill={<State of={KYC_STATES[kycStatus]} />}
        actions={issue}
      />
      <Detail facts={<Facts facts={facts} />}>
        <Identity holder={holder} path={path} />
        <Section id="cards" title="Cards">
          <ListPage
            things="cards"
            place={place}
            isEmpty={cards.length === 0}
            empty={<EmptyState>{kycStatus === "APPROVED" ? "Cards of this person stand here." : WITHOUT_CARDS[kycStatus]}</EmptyState>}
          >
            <CardsTable rows={cards} now={now} />
          </ListPage>
        </Section>
      </Detail>
    </>
  );
}

const WITHOUT_CARDS = {
  PENDING: "Cards can be issued once the identity is approved.",
  REJECTED: "No card can be issued to this person.",
};

function Identity({ holder: { kycStatus, kycRejectionReason }, path }: Pick<HolderViewProps, "holder" | "path">) {
  if (kycStatus === "APPROVED") return null;
  if (kycStatus === "PENDING") {
    return (
      <Notice title="The card's issuer checks this person's identity">
        That takes seconds, or days. This page shows it when it is decided, and then you can issue a card.
      </Notice>
    );
  }
  return (
    <Notice tone="warning" title="The card's issuer refused this person's identity">
      {kycRejectionReason ?? "It gave no reason."} An email stays the same person, so for somebody else use another email.{" "}
      <TextLink href={`${path}/holders`}>See your cardholders</TextLink>
    </Notice>
  );
}
