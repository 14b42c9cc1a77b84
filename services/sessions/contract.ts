import { z } from "zod";
import { ROLES } from "../members/contract.ts";

/** The person of a session, and what that person may do in the merchant that the page is about. */
export const OwnSessionObject = z.object({
  session_id: z.string(),
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  merchant: z.object({ id: z.string(), mode: z.enum(["test", "live"]), business_id: z.string(), business_name: z.string() }),
  role: z.enum(ROLES),
  permissions: z.array(z.string()),
});

export const SessionObject = z.object({
  id: z.string(),
  is_this: z.boolean(),
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
});

export const SessionParams = z.object({ id: z.string() });
export const EndedSession = z.object({ id: z.string(), ended: z.literal(true) });
export const EndedSessions = z.object({ ended: z.int() });
