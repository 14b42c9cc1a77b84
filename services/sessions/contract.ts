import { z } from "zod";

export const SessionParams = z.object({ id: z.string() });
export const EndedSession = z.object({ id: z.string(), ended: z.literal(true) });
export const EndedSessions = z.object({ ended: z.int() });
