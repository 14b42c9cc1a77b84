import type { Sql } from "#db/client.ts";
import type { Point } from "./failpoints.ts";
import type { Random } from "./random.ts";
import type { RecordingClient } from "./recording-client.ts";

/** What a flow works with. */
export interface World {
  /** One for each merchant of the campaign. */
  merchants: MerchantInPlay[];
  /** Straight to the database, past the proxies: for looking, and for what other parties do. */
  sql: Sql;
  /** Calls the sandbox bank as a stranger would, until it has answered. */
  tellSandbox: (operation: string, body: unknown) => Promise<void>;
}

export interface MerchantInPlay {
  merchantId: string;
  client: RecordingClient;
}

/** Something that was promised and not kept. */
export type Violation = string;

export type Waiting = Record<string, bigint>;

/**
 * One part of the product under load. A new one joins the campaign by a file in `flows/` and a line in `flows/index.ts`.
 */
export interface Flow {
  name: string;
  /** Where processes may die in it. Each has to be reached in a long campaign. */
  points: Point[];
  /** One round of what a merchant and the world do. Called over and over, by several actors at once. */
  act: (world: World, merchant: MerchantInPlay, random: Random) => Promise<void>;
  /** Time passes: what waits for a clock is due now. Called until nothing is `waiting`. */
  passTime: (world: World) => Promise<void>;
  /** How much of it is still under way, by kind. */
  waiting: (world: World) => Promise<Waiting>;
  /** Holds the history against the database. */
  check: (world: World) => Promise<Violation[]>;
}
