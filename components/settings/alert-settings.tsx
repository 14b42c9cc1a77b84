import type { ReactNode } from "react";
import { PageHead } from "#components/page/page-head.tsx";
import { Panel, Row, Rows } from "#components/security/panel.tsx";

interface AlertSettingsProps {
  tabs: ReactNode;
  /** The reader's own emails, by topic. */
  own: readonly { key: string; topic: string; about: string; frequency: string }[];
  choose: ReactNode;
  mode: "test" | "live";
  balance: { limit: string | undefined; change: ReactNode };
  /** Undefined for a reader who may not see the balance. */
  team: readonly { key: string; name: string; email: string; mails: string }[] | undefined;
}

const LIMIT_SAYS = {
  test: "Shown on Home. No email is sent in test mode.",
  live: "At most one alert an hour.",
};

/** The page about alerts: their kinds, and the members who get emails about them. */
export function AlertSettings({ tabs, own, choose, mode, balance, team }: AlertSettingsProps) {
  return (
    <>
      <PageHead title="Alerts" />
      {tabs}
      <div className="flex max-w-[45rem] flex-col gap-8">
        <Panel
          id="own-mails"
          title="Emails to you"
          lead={`${mode === "test" ? "Emails are sent for live mode only. " : ""}More than five in an hour come together in one email.`}
          action={choose}
        >
          <Rows>
            {own.map(({ key, topic, about, frequency }) => (
              <Row key={key} title={topic} fact={about} actions={<p>{frequency}</p>} />
            ))}
            <Row
              title="Your security"
              fact="A new browser, a changed password or second step. These emails cannot be switched off."
              actions={<p>At once</p>}
            />
          </Rows>
        </Panel>
        <Panel id="balance" title="Low balance" lead={`An alert when less than this is left to spend in ${mode} mode.`}>
          <Rows>
            <Row
              title={balance.limit ?? "No limit set"}
              fact={balance.limit === undefined ? "Set a limit to be told when the wallet runs low." : LIMIT_SAYS[mode]}
              actions={balance.change}
            />
          </Rows>
        </Panel>
        {team && (
          <Panel
            id="team-mails"
            title="Who gets emails"
            lead="Each member chooses. A role that may not see something gets no emails about it."
          >
            <Rows>
              {team.map(({ key, name, email, mails }) => (
                <Row
                  key={key}
                  title={
                    <>
                      <bdi>{name}</bdi> <span className="font-normal text-muted">{email}</span>
                    </>
                  }
                  fact={mails}
                />
              ))}
            </Rows>
          </Panel>
        )}
      </div>
    </>
  );
}
