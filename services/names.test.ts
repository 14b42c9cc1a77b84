import { expect, test } from "vitest";
import type { z } from "zod";
import { ChangeApiKey, CreateApiKey } from "./api-keys/contract.ts";
import { CreateCardholder, IssueCard } from "./cards/contract.ts";
import { CreatePaymentLink, SimulateTransfer } from "./checkout/contract.ts";
import { NewBusinessForm, RenameBusiness } from "./merchants/contract.ts";
import { InvitedForm, NewPasskey, PasskeyName, SignUpForm } from "./users/contract.ts";
import { BuyElectricity } from "./vtu/contract.ts";

const NAMES: Record<string, z.ZodType> = {
  "an API key": CreateApiKey.shape.name,
  "an API key that is changed": ChangeApiKey.shape.name,
  "a new passkey": NewPasskey.shape.name,
  "a passkey": PasskeyName.shape.name,
  "the sender of a test transfer": SimulateTransfer.shape.sender_name,
  "a new business": NewBusinessForm.shape.business,
  "a business": RenameBusiness.shape.name,
  "a person who signs up": SignUpForm.shape.name,
  "the business of a person who signs up": SignUpForm.shape.business,
  "a person who was invited": InvitedForm.shape.name,
  "a cardholder": CreateCardholder.shape.last_name,
  "a card": IssueCard.shape.nickname,
  "a customer of a link": CreatePaymentLink.shape.customer_name,
  "a customer of a meter": BuyElectricity.shape.customer_name,
};

const cases = Object.entries(NAMES);

test.each(cases)("the name of %s is one line, without invisible characters and those that reverse the direction of text", (_, name) => {
  expect(name.parse("  Ọ̀ṣun & Adé 👩🏾‍🌾 ")).toBe("Ọ̀ṣun & Adé 👩🏾‍🌾");
  for (const text of ["Ada\nObi", "Ada\u2028Obi", "Ada\u202eibO", "Ada\u2066Obi", "Ada\u200bObi", "\u200b", "\u202e"]) {
    const messages = name.safeParse(text).error?.issues.map(({ message }) => message) ?? [];
    expect([text, messages[0]]).toEqual([text, expect.stringMatching(/one line of letters, digits and signs/)]);
  }
});

const optional = ["the sender of a test transfer", "a customer of a link", "a customer of a meter", "a card"];

test.each(cases.filter(([of]) => !optional.includes(of)))("the name of %s has at least one visible character", (_, name) => {
  for (const text of ["", "   ", "\u3164", "\ufe0f", "\u2800"]) expect([text, name.safeParse(text).success]).toEqual([text, false]);
});
