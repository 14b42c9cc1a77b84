import { afterEach, beforeEach, expect, test, vi } from "vitest";

let tellFrame: () => void;
// The module reads the page's address when it is loaded.
beforeEach(async () => {
  vi.stubGlobal("location", { pathname: "/pay/REF", search: "" });
  vi.resetModules();
  ({ tellFrame } = await import("./frame.ts"));
});

/** Sets up a page in a frame, in a browser that names the framing origin `framer`, or none. Returns the messages that the page sends. */
function framed({ embed, framer }: { embed: string | undefined; framer: string | undefined }) {
  const sent: { status: string; origin: string }[] = [];
  vi.stubGlobal("window", {});
  vi.stubGlobal("parent", { postMessage: ({ status }: { status: string }, origin: string) => sent.push({ status, origin }) });
  vi.stubGlobal("location", { pathname: "/pay/REF", search: "", ancestorOrigins: framer === undefined ? undefined : [framer] });
  vi.stubGlobal("document", { body: { offsetHeight: 700 }, getElementById: () => ({ dataset: { embed, status: "pending" } }) });
  return sent;
}

afterEach(() => vi.unstubAllGlobals());

const LISTED = "https://shop.example https://www.shop.example";

test("the page sends its status to the exact origin of the framing page, never to a wildcard", () => {
  const sent = framed({ embed: LISTED, framer: "https://www.shop.example" });
  tellFrame();
  expect(sent).toEqual([{ status: "pending", origin: "https://www.shop.example" }]);
});

test("the page sends the same status to the framing page only once", () => {
  const sent = framed({ embed: LISTED, framer: "https://shop.example" });
  tellFrame();
  tellFrame();
  expect(sent).toHaveLength(1);
});

test("if the browser does not name the framing page, the status is sent to each listed origin and to no other", () => {
  const sent = framed({ embed: LISTED, framer: undefined });
  tellFrame();
  expect(sent.map(({ origin }) => origin)).toEqual(LISTED.split(" "));
});

test.each([
  [LISTED, "https://evil.example"],
  ["", "https://shop.example"],
  [undefined, "https://shop.example"],
])("with %j listed, a framing page at %s receives no status", (embed, framer) => {
  const sent = framed({ embed, framer });
  tellFrame();
  expect(sent).toEqual([]);
});

test("a page that is not framed sends its status to nobody", () => {
  const sent = framed({ embed: LISTED, framer: undefined });
  vi.stubGlobal("parent", window);
  tellFrame();
  expect(sent).toEqual([]);
});
