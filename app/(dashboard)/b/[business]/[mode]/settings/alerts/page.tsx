import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { may, mayChange, whoMay } from "#app/(dashboard)/_page/may.ts";
import { AlertSettings } from "#components/settings/alert-settings.tsx";
import { formatMoney, toMajorNumber } from "#lib/money.ts";
import { findBalanceLimit } from "#services/ledger/index.ts";
import { listTeamMailChoices, readMailChoices } from "#services/member-mails/index.ts";
import { SettingsTabs } from "../tabs.tsx";
import { ChangeBalanceLimit } from "./change-balance-limit.tsx";
import { ChooseMails } from "./choose-mails.tsx";
import { FREQUENCY_WORDS, toMails, toTopics } from "./to-view.ts";

export const metadata: Metadata = { title: "Alerts" };

export default async function AlertsPage({ params }: PageProps<"/b/[business]/[mode]/settings/alerts">) {
  const page = await requireMember(params);
  const { ctx } = page;
  const [choices, limit, team] = await Promise.all([
    readMailChoices(ctx),
    findBalanceLimit(ctx),
    may(ctx, "settings:write") ? listTeamMailChoices(ctx) : undefined,
  ]);
  const topics = toTopics(choices);
  return (
    <AlertSettings
      tabs={<SettingsTabs page={page} current="alerts" />}
      own={topics.map(({ frequency, ...topic }) => ({ ...topic, frequency: FREQUENCY_WORDS[frequency] }))}
      choose={<ChooseMails topics={topics} />}
      mode={ctx.merchant.mode}
      balance={{
        limit: limit ? `Less than ${formatMoney(limit)}` : undefined,
        change: mayChange(ctx, "settings:write") ? (
          <ChangeBalanceLimit limit={limit && toMajorNumber(limit)} />
        ) : (
          <p className="text-fact text-muted">{whoMay(ctx, "settings:write")}</p>
        ),
      }}
      team={team?.map(({ userId, name, email, choices: theirs }) => ({ key: userId, name, email, mails: toMails(theirs) }))}
    />
  );
}
