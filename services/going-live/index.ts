export { checkLive, isPassed } from "./check-live.ts";
export { listConfiguredBanks } from "./live-bank.ts";
export { beginRoundTrip, finishRoundTrip, getRoundTrip, getRoundTripRefund } from "./round-trip.ts";
export { unlockLive } from "./unlock-live.ts";
