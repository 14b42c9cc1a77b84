export { AGGREGATOR_NAMES, aggregatorFor, aggregatorNamed } from "./aggregator-for.ts";
export { allBanks, bankFor, bankNamed, modeOf, sandboxBankFor, sandboxBankNamed } from "./bank-for.ts";
export { ISSUER_NAMES, issuerFor, issuerNamed, shopsOf } from "./issuer-for.ts";
