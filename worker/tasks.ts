import { alertOnEndingKeys } from "#services/api-keys/index.ts";
import { logAuditHeads } from "#services/audit/index.ts";
import { buyDueBulkRows, purgeOldBulkDrafts } from "#services/bulk/index.ts";
import {
  alertOnUndecidedOperations,
  alertOnWaitingSpend,
  checkDueCardholders,
  recheckLostOperations,
  releaseExpiredAuthorizations,
  resolveDueOperations,
  syncDueCards,
} from "#services/cards/index.ts";
import {
  alertOnUndecidedRefunds,
  checkBanks,
  endExpiredRefunds,
  expireDueLinks,
  readDueAccounts,
  readStatements,
  resolveDueRefunds,
  retryNotices,
  returnOwedTransfers,
} from "#services/checkout/index.ts";
import { alertOnEndingRates } from "#services/exchange/index.ts";
import { advanceFigures } from "#services/figures/index.ts";
import { purgeOldIdempotencyKeys } from "#services/idempotency/index.ts";
import { alertOnLowBalances } from "#services/ledger/index.ts";
import { purgeOldMails, sendDueMails } from "#services/mails/index.ts";
import {
  noteAlertsForMails,
  noteDaysForMails,
  notePaymentsForMails,
  purgeOldMailItems,
  queueMemberMails,
} from "#services/member-mails/index.ts";
import { purgeUnusedLogos } from "#services/merchants/index.ts";
import { alertOnUndecidedPayouts, payOutAutomatically, resolveDuePayouts } from "#services/payouts/index.ts";
import { endDueProposals } from "#services/proposals/index.ts";
import { logWalletHeads, sealWallets } from "#services/seals/index.ts";
import { purgeOldSessions } from "#services/sessions/index.ts";
import { mailDueRemovals, purgeOldKnownDevices, purgeOldSignInTries, purgeUnverifiedUsers } from "#services/users/index.ts";
import { alertOnUndecidedPurchases, resolveDuePurchases, syncDueCatalogues } from "#services/vtu/index.ts";
import { alertOnFailingEndpoints } from "#services/webhooks/index.ts";
import { checkCards, checkInvariants } from "./check-books.ts";
import { keepWeeksOfLogs } from "./keep-weeks.ts";
import type { Job, Sweep } from "./scheduler.ts";

/** Each reads its due rows from the tables. Workers share the work, because every row is claimed. Deliveries of events have a dispatcher. */
export const SWEEPS = {
  ...{ expireDueLinks, retryNotices, readDueAccounts, returnOwedTransfers, checkBanks },
  ...{ checkDueCardholders, resolveDueOperations, recheckLostOperations, syncDueCards },
  ...{ syncDueCatalogues, resolveDuePurchases, buyDueBulkRows, resolveDuePayouts, resolveDueRefunds, endExpiredRefunds },
  ...{ advanceFigures, sealWallets, alertOnLowBalances },
  ...{ noteAlertsForMails, notePaymentsForMails, queueMemberMails, mailDueRemovals, sendDueMails },
} satisfies Record<string, Sweep>;

/** The minutes differ, so that hourly jobs do not start at the same time. */
export const JOBS = {
  alertOnFailingEndpoints: { cron: "*/5 * * * *", run: alertOnFailingEndpoints },
  alertOnUndecidedPurchases: { cron: "*/10 * * * *", run: alertOnUndecidedPurchases },
  alertOnUndecidedRefunds: { cron: "*/30 * * * *", run: alertOnUndecidedRefunds },
  alertOnUndecidedPayouts: { cron: "*/10 * * * *", run: alertOnUndecidedPayouts },
  alertOnWaitingSpend: { cron: "*/10 * * * *", run: alertOnWaitingSpend },
  endDueProposals: { cron: "4-59/5 * * * *", run: endDueProposals },
  noteDaysForMails: { cron: "*/10 * * * *", run: noteDaysForMails },
  alertOnEndingKeys: { cron: "3 * * * *", run: alertOnEndingKeys },
  purgeOldIdempotencyKeys: { cron: "7 * * * *", run: purgeOldIdempotencyKeys },
  purgeOldSessions: { cron: "12 * * * *", run: purgeOldSessions },
  alertOnEndingRates: { cron: "13 * * * *", run: alertOnEndingRates },
  keepWeeksOfLogs: { cron: "17 * * * *", run: keepWeeksOfLogs },
  purgeOldKnownDevices: { cron: "22 * * * *", run: purgeOldKnownDevices },
  releaseExpiredAuthorizations: { cron: "29 * * * *", run: (ctx) => releaseExpiredAuthorizations(ctx, 1_000) },
  purgeUnverifiedUsers: { cron: "32 * * * *", run: purgeUnverifiedUsers },
  alertOnUndecidedOperations: { cron: "37 * * * *", run: alertOnUndecidedOperations },
  purgeOldBulkDrafts: { cron: "42 * * * *", run: purgeOldBulkDrafts },
  purgeOldMails: { cron: "47 * * * *", run: purgeOldMails },
  purgeOldMailItems: { cron: "52 * * * *", run: purgeOldMailItems },
  purgeOldSignInTries: { cron: "57 * * * *", run: purgeOldSignInTries },
  // Seven in the morning in Lagos, when banks and people are at work. A missed hour is made up within the day: a payout is made once for a day.
  payOutAutomatically: { cron: "8 6-14 * * *", run: (ctx) => payOutAutomatically(ctx) },
  logAuditHeads: { cron: "53 1 * * *", run: logAuditHeads },
  logWalletHeads: { cron: "58 1 * * *", run: logWalletHeads },
  checkInvariants: { cron: "23 2 * * *", run: checkInvariants },
  checkCards: { cron: "41 3 * * *", run: checkCards },
  // A bank may give its statement hours after midnight.
  readStatements: { cron: "27 3,9,15,21 * * *", run: readStatements },
  purgeUnusedLogos: { cron: "33 4 * * *", run: purgeUnusedLogos },
} satisfies Record<string, Job>;
