import type { Answer } from "../faulty-server.ts";

export const refuse = (status: number, responseMessage: string): Answer => ({
  status,
  body: { requestSuccessful: false, responseMessage, responseCode: "99" },
});
export const found = (responseBody: object): Answer => ({
  status: 200,
  body: { requestSuccessful: true, responseMessage: "success", responseCode: "0", responseBody },
});

/** Naira of kobo: a number, and a text in readings. */
export const nairaOf = (kobo: number): number => kobo / 100;
export const nairaText = (kobo: number): string => nairaOf(kobo).toFixed(2);

/** Returns the kobo of an amount of Naira in a request, or undefined for any other value. */
export function koboOf(amount: unknown): number | undefined {
  if (typeof amount !== "number" || !/^\d+(\.\d{1,2})?$/.test(String(amount))) return undefined;
  return Math.round(amount * 100);
}

const partsOf = (date: Date) => {
  const [day = "", time = ""] = new Date(date.getTime() + 3_600_000).toISOString().replace("Z", "").split("T");
  return { day, time };
};

/** Lagos's clock without a zone: `2021-11-17 11:28:42.615`. */
export function yearFirst(date: Date): string {
  const { day, time } = partsOf(date);
  return `${day} ${time}`;
}

/** Lagos's clock without a zone: `17/11/2021 3:48:10 PM`. */
export function dayFirst(date: Date): string {
  const { day, time } = partsOf(date);
  const [hour = "", minute = "", second = ""] = time.slice(0, 8).split(":");
  const half = Number(hour) < 12 ? "AM" : "PM";
  return `${day.split("-").toReversed().join("/")} ${Number(hour) % 12 || 12}:${minute}:${second} ${half}`;
}
