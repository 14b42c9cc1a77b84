import { expect } from "vitest";

/** What the audit says of an act that two operators decided. */
export const BY_TWO = { proposal: expect.stringMatching(/^prp_/), proposed_by: expect.stringMatching(/^usr_/) };
