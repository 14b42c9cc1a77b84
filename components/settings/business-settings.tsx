import type { ReactNode } from "react";
import { PageHead } from "#components/page/page-head.tsx";
import { Panel, Row, Rows } from "#components/security/panel.tsx";
import { StatePill } from "#components/ui/state-pill.tsx";
import { TextLink } from "#components/ui/text-link.tsx";

interface BusinessSettingsProps {
  tabs: ReactNode;
  name: string;
  /** The requested new name, which operators have not decided about yet. */
  requestedName: string | null;
  rename: ReactNode;
  mode: "test" | "live";
  areas: readonly { key: string; label: string; isOn: boolean; isAsked: boolean; ask: ReactNode }[];
  frames: { origins: readonly string[]; change: ReactNode };
  openAnotherHref: string;
}

/** The business itself: its name, what is switched on, and which sites may show its payment page. */
export function BusinessSettings({ tabs, name, requestedName, rename, mode, areas, frames, openAnotherHref }: BusinessSettingsProps) {
  return (
    <>
      <PageHead title="Settings" />
      {tabs}
      <div className="flex max-w-[45rem] flex-col gap-8">
        <Panel id="business-name" title="Name" lead="Your customers see it on the payment page and at their bank.">
          <Rows>
            <Row
              title={<bdi>{name}</bdi>}
              fact={
                requestedName === null ? (
                  "The same in test and live mode."
                ) : (
                  <>
                    You asked for <bdi className="font-medium text-ink">{requestedName}</bdi>. The people who run this service decide,
                    because customers see it at their bank.
                  </>
                )
              }
              actions={rename}
            />
          </Rows>
        </Panel>
        <Panel id="areas" title={mode === "live" ? "Going live" : "Switched on in test mode"} lead={leadOf(mode)}>
          <Rows>
            {areas.map(({ key, label, isOn, isAsked, ask }) => (
              <Row
                key={key}
                title={
                  <>
                    {label} <StatePill tone={isOn ? "success" : "waiting"}>{isOn ? "On" : isAsked ? "Asked for" : "Off"}</StatePill>
                  </>
                }
                fact={isOn ? "You can use it." : isAsked ? "The people who run this service decide, and switch it on." : "Not switched on."}
                actions={ask}
              />
            ))}
          </Rows>
        </Panel>
        <Panel
          id="frames"
          title="Sites that may show your payment page"
          lead={`A shop's own site may show the page in a frame. Nobody else may, so that no stranger's site can copy it. This is for ${mode} mode.`}
        >
          <Rows>
            <Row
              title={frames.origins.length === 0 ? "No site" : `${frames.origins.length} ${frames.origins.length === 1 ? "site" : "sites"}`}
              fact={frames.origins.length === 0 ? "Links open the page by itself, which always works." : frames.origins.join(", ")}
              actions={frames.change}
            />
          </Rows>
        </Panel>
        <p className="text-muted">
          You have another business? <TextLink href={openAnotherHref}>Open it here</TextLink>, with a wallet and a team of its own.
        </p>
      </div>
    </>
  );
}

const leadOf = (mode: "test" | "live") =>
  mode === "live"
    ? "Ask for what you want to use with real money. The people who run this service check the business first, and switch it on."
    : "Play money works with all of these. Live mode has switches of its own.";
