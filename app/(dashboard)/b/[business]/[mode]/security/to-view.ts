import type { Session } from "#services/sessions/index.ts";
import { browserName, type TwoFactor } from "#services/users/index.ts";

/** A browser in which the person is signed in. */
export interface SessionView {
  id: string;
  isThis: boolean;
  browser: string;
  address: string;
  lastSeenAt: Date;
  now: Date;
}

/** Returns the browsers in which a person is signed in: the one that asks first, then the last used. */
export const toSessionsView = (sessions: Session[], ownId: string, now: Date): SessionView[] =>
  sessions
    .map(({ id, userAgent, address, lastSeenAt }) => ({
      ...{ id, lastSeenAt, now, isThis: id === ownId },
      ...{ browser: browserName(userAgent) ?? "Unknown browser", address: address ?? "unknown address" },
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis) || b.lastSeenAt.getTime() - a.lastSeenAt.getTime());

/** Names of passkeys are at most this long. */
const MAX_NAME = 60;

/** Returns what the panels about second factors show, and the name that a new passkey of this browser begins with. */
export const toTwoStepView = ({ isTotpOn, recoveryCodesLeft, passkeys }: TwoFactor, userAgent: string | null, now: Date) => ({
  twoStep: { isAppOn: isTotpOn, hasPasskeys: passkeys.length > 0, recoveryCodesLeft },
  passkeys: { passkeys, now, isAppOn: isTotpOn, recoveryCodesLeft, browser: (browserName(userAgent) ?? "This browser").slice(0, MAX_NAME) },
});
