import type { ReactNode } from "react";
import { Detail, Section } from "#components/page/detail.tsx";
import { type Fact, Facts } from "#components/page/facts.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { KEY_STATES, State } from "#components/page/states.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";

interface KeyDetailProps {
  backHref: string;
  name: string;
  state: keyof typeof KEY_STATES;
  actions: ReactNode;
  /** Rolling is offered, so the page says what it does. */
  mayRoll: boolean;
  /** The notice about the key's end, if it has one. */
  end: { title: string; text: ReactNode } | undefined;
  lastUsed: string;
  permissions: readonly { name: string; words: string }[];
  /** Empty: it may be used from everywhere. */
  addresses: readonly string[];
  requestsHref: string;
  facts: readonly Fact[];
}

/** An API key: whether it works, what it may do, and from where. */
export function KeyDetail({
  backHref,
  name,
  state,
  actions,
  mayRoll,
  end,
  lastUsed,
  permissions,
  addresses,
  requestsHref,
  facts,
}: KeyDetailProps) {
  return (
    <>
      <PageHead
        back={{ href: backHref, label: "API keys" }}
        title={<bdi>{name}</bdi>}
        pill={<State of={KEY_STATES[state]} />}
        lead={mayRoll && "Rolling makes a new key, and lets this one work beside it for as long as you choose."}
        actions={actions}
      />
      <Detail facts={<Facts facts={facts} />}>
        {end && (
          <Notice tone="warning" title={end.title}>
            {end.text}
          </Notice>
        )}
        <Section id="use" title="Use" aside={<TextLink href={requestsHref}>Its requests</TextLink>}>
          <p>{lastUsed}</p>
        </Section>
        <Section id="permissions" title="What it may do">
          <ul className="flex flex-col gap-1.5">
            {permissions.map(({ name: permission, words }) => (
              <li key={permission}>
                {words} <span className="font-mono text-fact text-muted">{permission}</span>
              </li>
            ))}
          </ul>
        </Section>
        <Section id="addresses" title="From where">
          {addresses.length === 0 ? (
            <p>From every address.</p>
          ) : (
            <ul className="flex flex-col gap-1 font-mono">
              {addresses.map((address) => (
                <li key={address}>{address}</li>
              ))}
            </ul>
          )}
        </Section>
      </Detail>
    </>
  );
}
