import { expect, test } from "vitest";
import { changesOf } from "./changes-of.ts";

const names = { member: (id: string) => (id === "usr_1" ? "Ada Obi" : id) };

test("the audit page shows times in Lagos, pictures by the beginning of their names, and a missing value as the words for it", () => {
  const before = { required_since: null, logo: null, origins: [], expires_at: null };
  const after = { required_since: "2026-11-24T15:23:13.993Z", logo: "fe59fffe5b61492c3fdad96b71e7c0da", origins: ["https://a.example"] };
  expect(changesOf({ before, after }, names)).toEqual([
    {
      field: "Two-step sign-in needed since",
      before: "Not needed",
      after: expect.stringMatching(/^24 Nov 2026, 16:23.* in Lagos$/),
    },
    { field: "logo", before: "–", after: "Picture fe59fff" },
    { field: "origins", before: "None", after: "https://a.example" },
    { field: "Ends", before: "Never by itself", after: "–" },
  ]);
});

test("roles, areas, permissions, events, people and amounts have the words that they have elsewhere", () => {
  const after = {
    ...{ role: "admin", area: "checkout", areas: ["cards", "vtu"], permissions: ["checkout:read"], event_types: ["checkout.success"] },
    ...{ handed_over_to: "usr_1", naira: "5000.5", url_changed: true, status: "disabled", allowed_ips: [] },
  };
  expect(changesOf({ before: null, after }, names).map(({ field, after: text }) => [field, text])).toEqual([
    ["role", "Admin"],
    ["area", "Payment links"],
    ["Switched on in test mode", "Cards, Top-ups"],
    ["What it may do", "See payment links"],
    ["Events", "Payment link paid"],
    ["Ownership given to", "Ada Obi"],
    ["Alert below", "₦5,000.50"],
    ["Another address", "Yes"],
    ["State", "Disabled"],
    ["Addresses that may use it", "Every address"],
  ]);
});

test("values of a later version stay as they are", () => {
  const after = { role: "auditor", area: "loans", permissions: ["loans:read"], event_types: ["loan.paid"], naira: "a share" };
  expect(changesOf({ before: null, after }, names).map(({ after: text }) => text)).toEqual([
    ...["auditor", "loans", "loans:read", "loan.paid", "a share"],
  ]);
});
