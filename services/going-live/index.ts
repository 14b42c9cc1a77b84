export { checkLive, isPassed } from "./check-live.ts";
export { listConfiguredBanks } from "./live-bank.ts";
export { beginRoundTrip, getRoundTrip, getRoundTripRefund, recordRoundTrip, refundRoundTrip } from "./round-trip.ts";
export { readBankToUnlock, unlockLive } from "./unlock-live.ts";
