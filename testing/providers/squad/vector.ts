/** Published by Squad's documentation and, with spaces, by a client of it. The signature is of the text without spaces. */
export const VECTOR = {
  key: "sandbox_sk_oja1",
  fields: { transaction_reference: "REF20261009S1_M1_0900000001", amount_received: "2500.00", merchant_reference: "ojaacc01" },
  signature:
    "fd2dc0e7139a909bbf65de343b06f116bd927c43b1b54764cd835ede57438bebf8a01901c3ceed1962a2de317d684cbdb18ee508b4c4f348f7fc9e6d310a30b1",
};
