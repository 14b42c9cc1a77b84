export { AGGREGATOR_NAMES, aggregatorFor, aggregatorNamed } from "./aggregator-for.ts";
export { allBanks, bankFor, bankNamed, sandboxBankFor, sandboxBankNamed } from "./bank-for.ts";
export { ISSUER_NAMES, issuerFor, issuerNamed, shopsOf } from "./issuer-for.ts";
export { isOffered, modeOf } from "./offered.ts";
