import { Refusal } from "#components/pay/page.tsx";
import { fillText, LANGUAGES, type Language, type Words } from "#components/pay/words/index.ts";
import { documentResponse } from "./document.tsx";
import { languageOf } from "./language.ts";
import type { Refusals } from "./payer-route.ts";

const OUR_COLOUR = "#0f766e";
const TRY_AGAIN_AFTER_S = 10;

interface Content {
  title: string;
  text: string;
  againAfterS?: number;
}

function refusal(request: Request, status: number, contentOf: (words: Words) => Content): Promise<Response> {
  const language: Language = languageOf(request, new URL(request.url).searchParams.get("lang"));
  const { title, text, againAfterS } = contentOf(LANGUAGES[language].words);
  return documentResponse({
    status,
    language,
    title,
    brandColour: OUR_COLOUR,
    body: (
      <Refusal language={language} title={title}>
        {text}
      </Refusal>
    ),
    data: againAfterS ? { again: String(againAfterS) } : {},
    refresh: againAfterS ? { seconds: againAfterS } : undefined,
  });
}

/** Pages for a person whose link is unknown, who sends too many requests, or whose page fails. */
export const PAGE_REFUSALS: Refusals = {
  unknown: (request) => refusal(request, 404, (words) => ({ title: words.unknown, text: words.unknownMore })),
  tooMany: (request, waitSeconds) =>
    refusal(request, 429, (words) => ({
      title: words.tooMany,
      text: fillText(words, "tooManyMore", { n: String(waitSeconds) }),
      againAfterS: waitSeconds,
    })),
  failed: (request) => refusal(request, 503, (words) => ({ title: words.failed, text: words.failedMore, againAfterS: TRY_AGAIN_AFTER_S })),
};
