/**
 * For verbs that make a key work or let it do more. Members prove who they are in live mode, because a borrowed browser must not take a secret that
 * outlives its session; test mode's keys open nothing real.
 */
export const MANAGES_KEYS = { permission: "keys:write", proof: "manage_keys", proofOnlyInLive: true } as const;
