import { isDeepStrictEqual } from "node:util";
import type { Tx } from "#db/client.ts";
import type { AuditedFields } from "#db/schema/audit.ts";
import { Problem } from "#lib/problem.ts";
import { lagosDateTime } from "#lib/time.ts";
import type { Context } from "../context.ts";
import { type ActsOfThing, findLastAct } from "./find-last-act.ts";

type Versioned = ActsOfThing & {
  /** The version that is stored. */
  stored: number | string | null;
  /** The version that the caller has read. */
  read: number | string | null;
  /** Words for the change, used in place of the names of the fields. */
  did?: string | undefined;
};

/**
 * Throws VERSION_CONFLICT if a record was changed since the caller read it. The message says by whom, when and which fields, from its last
 * audit entry. Call it under the lock of the record's row.
 */
export async function requireVersion(tx: Tx, { stored, read, did, ...changed }: Versioned): Promise<void> {
  if (stored === read) return;
  const last = await findLastAct(tx, changed);
  const when = last ? ` on ${lagosDateTime(new Date(last.at))}` : "";
  const names = Object.keys(last?.after ?? {});
  const fields = !did && names.length > 0 ? ` (${names.join(", ")})` : "";
  const who = `${last?.by ?? "Somebody else"} ${did ?? "changed this"}${when}${fields}`;
  throw new Problem("VERSION_CONFLICT", `${who}. Read it again before you change it.`);
}

/**
 * Returns whether the last change of a record was made by the caller and set exactly these fields. The caller then repeats a change whose
 * answer was lost. Call it under the lock of the record's row.
 */
export async function isOwnLastChange(
  tx: Tx,
  { actor }: Context,
  { after, ...changed }: ActsOfThing & { after: AuditedFields },
): Promise<boolean> {
  const last = await findLastAct(tx, changed);
  return last?.actorType === actor.type && last.actorId === actor.id && isDeepStrictEqual(last.after, after);
}
