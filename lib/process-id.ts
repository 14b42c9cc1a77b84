import { randomUUID } from "node:crypto";
import { settings } from "./env.ts";

const own = randomUUID();

/** Returns the name of this process, which no other has had. */
export const processId = (): string => settings().OJA_PROCESS_ID ?? own;
