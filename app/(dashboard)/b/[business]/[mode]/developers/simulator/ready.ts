/** A test number or address, and the outcome that it causes. */
export interface Ready {
  text: string;
  outcome: string;
}

const NUMBERS = [
  ["0000", "Fails. The money returns at once."],
  ["1111", "Is processed for a while, then succeeds."],
  ["2222", "Is processed for a while, then fails."],
  ["3333", "The provider never answers, but has delivered."],
  ["4444", "The provider never answers, and has not delivered."],
  ["5555", "Succeeds, and is returned later."],
] as const;

const ordinary = "Succeeds at once, as every other number does.";

/** Phone numbers. Their last four digits do the same in numbers of meters and smart cards. */
export const PHONES: readonly Ready[] = [
  { text: "08031234567", outcome: ordinary },
  ...NUMBERS.map(([end, outcome]) => ({ text: `0803123${end}`, outcome })),
];

/** Quantities of exam pins. */
export const EXAM_QUANTITIES: readonly Ready[] = [
  { text: "1", outcome: "Succeeds at once, as every other quantity does." },
  { text: "13", outcome: "Fails. The money returns at once." },
  { text: "11", outcome: "Is processed for a while, then succeeds." },
  { text: "12", outcome: "Is processed for a while, then fails." },
  { text: "17", outcome: "Delivers all pins but one." },
];

/** Emails of cardholders. */
export const EMAILS: readonly Ready[] = [
  { text: "ada@customers.example", outcome: "The identity is approved within seconds, as with every other email." },
  { text: "ada+rejected@customers.example", outcome: "The identity is refused." },
  { text: "ada+pending@customers.example", outcome: "The identity stays in checking." },
];
