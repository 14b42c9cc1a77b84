import type { Sql } from "#db/client.ts";
import type { Point } from "./failpoints.ts";
import type { Random } from "./random.ts";
import type { RecordingClient } from "./recording-client.ts";

/** The parts of a campaign that a flow uses. */
export interface World {
  /** One for each merchant of the campaign. */
  merchants: MerchantInPlay[];
  /** Connects to the database past the proxies, to check it and to act as other parties. */
  sql: Sql;
  /** Calls the sandbox bank's API until it answers. */
  /** Sends a form of a page for people. Returns where its answer leads, or undefined without an answer. */
  sendForm: (path: string, fields: Record<string, string>) => Promise<URL | undefined>;
  tellSandbox: (operation: string, body: unknown) => Promise<void>;
}

export interface MerchantInPlay {
  merchantId: string;
  client: RecordingClient;
  /** Pages of members of the merchant's business. */
  pages: RecordingClient[];
  /** The same business in live mode, where a campaign has live banks. */
  live?: LiveMerchant;
}

export interface LiveMerchant {
  merchantId: string;
  client: RecordingClient;
}

/** Returns everything that sends requests for a merchant. */
export const clientsOf = ({ client, pages, live }: MerchantInPlay): RecordingClient[] => [client, ...pages, ...(live ? [live.client] : [])];

/** A promise that was not kept, as a sentence. */
export type Violation = string;

/** Counts of work in progress, by kind. */
export type Waiting = Record<string, bigint>;

/**
 * One part of the product under load. To add one, write a file in `flows/` and a line in `flows/index.ts`.
 */
export interface Flow {
  name: string;
  /** Points where processes may die. A campaign must reach each of them. */
  points: Point[];
  /** Runs one round of a merchant and its surroundings. Several actors call it repeatedly and in parallel. */
  act: (world: World, merchant: MerchantInPlay, random: Random) => Promise<void>;
  /** Makes work that waits for a clock due now. Called until nothing is `waiting`. */
  passTime: (world: World) => Promise<void>;
  /** Returns how much work is in progress, by kind. */
  waiting: (world: World) => Promise<Waiting>;
  /** Compares the recorded requests with the database. */
  check: (world: World) => Promise<Violation[]>;
}
