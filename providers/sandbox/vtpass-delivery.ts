import { z } from "zod";
import type { Delivery, Pin, Service } from "../aggregator.ts";

export type PaidReply = Record<string, unknown>;

/** Fields with tokens, in the order in which the customer enters them: names of the first token, then names of later ones. */
const TOKEN_FIELDS = ["mainToken", "token", "Token", "tokenCode", "purchased_code", "tokens", "bonusToken"];
const UNIT_FIELDS = ["units", "Units", "mainTokenUnits"];
/** Matches 20 digits, together or in groups. */
const TOKEN = /(?<!\d)\d(?:[ -]?\d){19}(?!\d)/g;

const PinReply = z
  .union([
    z.object({ Serial: z.string().min(1), Pin: z.union([z.string(), z.number()]) }),
    z.object({ serialNumber: z.string().min(1), pin: z.union([z.string(), z.number()]) }),
  ])
  .transform((reply): Pin => ("Serial" in reply ? toPin(reply.Serial, reply.Pin) : toPin(reply.serialNumber, reply.pin)));
const toPin = (serial: string, pin: string | number): Pin => ({ serial, pin: String(pin) });
const PinsReply = z.object({ cards: z.array(PinReply).optional(), pins: z.array(PinReply).optional() });

/** Returns the delivery from all fields that may contain it. Returns undefined for pins that cannot be parsed, which is not an empty delivery. */
export function toDelivery(service: Service, reply: PaidReply): Delivery | undefined {
  if (service === "exam") {
    const parsed = PinsReply.safeParse(reply);
    const pins = parsed.data?.cards?.length ? parsed.data.cards : (parsed.data?.pins ?? parsed.data?.cards);
    return pins && { tokens: [], units: null, pins };
  }
  if (service !== "electricity") return { tokens: [], units: null, pins: [] };
  const written = TOKEN_FIELDS.flatMap((field) => [reply[field]].flat()).filter((value) => typeof value === "string");
  const tokens = written.flatMap((text) => text.match(TOKEN) ?? []).map((token) => token.replaceAll(/[ -]/g, ""));
  return { tokens: [...new Set(tokens)], units: unitsOf(reply), pins: [] };
}

function unitsOf(reply: PaidReply): string | null {
  const value = UNIT_FIELDS.map((field) => reply[field]).find((each) => typeof each === "string" || typeof each === "number");
  const number = /\d+(?:\.\d+)?/.exec(String(value ?? ""))?.[0];
  return number ? `${number} kWh` : null;
}
