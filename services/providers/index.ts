export { AGGREGATOR_NAMES, aggregatorFor, aggregatorNamed } from "./aggregator-for.ts";
export { bankFor, bankNamed, modeOf, sandboxBankFor } from "./bank-for.ts";
export { ISSUER_NAMES, issuerFor, issuerNamed, shopsOf } from "./issuer-for.ts";
