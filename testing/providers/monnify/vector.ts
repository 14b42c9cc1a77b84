/** A notice with the signature of a known key, computed outside this project. */
export const VECTOR = {
  key: "OJA1",
  body: '{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{"paymentReference":"ojaacc01","amountPaid":2500}}',
  signature:
    "efc85850ef32019486c74f2c05df4c14031a8eb4fc73fb87d6312f964a485c309ec205350f18610aab9ef611152a13709daff5ac7bc14705eaebf5a36c4cdeaf",
};
