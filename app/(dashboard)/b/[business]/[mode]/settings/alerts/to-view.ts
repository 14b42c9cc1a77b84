import type { Frequency, MailChoices, Topic } from "#services/member-mails/index.ts";

interface TopicWords {
  topic: string;
  about: string;
}

const TOPICS: Record<Topic, TopicWords> = {
  payments: { topic: "Payments", about: "A payment link is paid." },
  returns: {
    topic: "Money that goes back",
    about:
      "A transfer goes back to the payer, a bank takes a payment back, a top-up is taken back or not decided, a file of top-ups has stopped.",
  },
  wallet: { topic: "Wallet", about: "The balance is low, or the wallet could not cover something." },
  cards: { topic: "Cards", about: "A card is blocked, money of a terminated card waits, your exchange rate ends." },
  developers: { topic: "Keys and webhooks", about: "A webhook endpoint fails or was switched off, a key ends." },
};

export const FREQUENCY_WORDS: Record<Frequency, string> = { each: "At once", daily: "Once a day, at 07:00 in Lagos", never: "Never" };

export interface ChosenTopic extends TopicWords {
  key: Topic;
  frequency: Frequency;
}

/** Returns the topics of a member, in the order of the page. */
export const toTopics = (choices: MailChoices): ChosenTopic[] =>
  (Object.entries(choices) as [Topic, Frequency][]).map(([key, frequency]) => ({ key, frequency, ...TOPICS[key] }));

/** Returns what a member gets emails about, in one line. */
export function toMails(choices: MailChoices): string {
  const topics = toTopics(choices);
  const named = (frequency: Frequency) =>
    topics
      .filter((topic) => topic.frequency === frequency)
      .map(({ topic }) => topic.toLowerCase())
      .join(", ");
  const [each, daily] = [named("each"), named("daily")];
  if (each === "" && daily === "") return "Only emails about their own security.";
  return [...(each ? [`At once: ${each}.`] : []), ...(daily ? [`Once a day: ${daily}.`] : [])].join(" ");
}
