export { SearchQuery } from "./contract.ts";
export type { SearchResult } from "./findings.ts";
export { search } from "./search.ts";
