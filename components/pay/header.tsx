import type { PayView } from "./view.ts";
import { LANGUAGE_TAGS, LANGUAGES, type Language } from "./words/index.ts";

interface HeaderProps {
  /** Absent where no link was found: then the page names Oja, and leads to its start. */
  business?: PayView["business"];
  language: Language;
}

/** The merchant, named once, and the languages. */
export const Header = ({ business, language }: HeaderProps) => (
  <header className="flex items-center gap-3">
    {business ? (
      <Merchant business={business} />
    ) : (
      <a href="/" className="flex min-h-11 grow items-center text-xl font-semibold">
        Oja
      </a>
    )}
    <Languages current={language} />
  </header>
);

function Merchant({ business }: { business: PayView["business"] }) {
  return (
    <>
      {business.logo ? (
        // biome-ignore lint/performance/noImgElement: no script of Next reaches this page, and the logo is made small when it is stored
        <img src={business.logo} alt="" height="40" className="h-10 max-w-32 shrink-0 rounded-lg bg-white object-contain p-1" />
      ) : (
        <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-xl bg-brand text-lg font-bold text-brand-ink">
          {business.initial}
        </span>
      )}
      <p className="line-clamp-2 min-w-0 grow wrap-anywhere font-semibold">
        <bdi>{business.name}</bdi>
      </p>
    </>
  );
}

/** The languages behind one control. The URL keeps the choice, because this page sets no cookie. */
function Languages({ current }: { current: Language }) {
  const { name, words } = LANGUAGES[current];
  return (
    <details className="relative shrink-0 text-sm print:hidden">
      <summary className="flex min-h-11 cursor-pointer items-center gap-1 px-1 text-muted">
        <span className="sr-only">{words.language}: </span>
        <span className="underline">{name}</span>
        <span aria-hidden="true">▾</span>
      </summary>
      <nav aria-label={words.language} className="absolute right-0 z-20 w-40 rounded-xl border border-line bg-surface p-1">
        {LANGUAGE_TAGS.map((tag) => (
          <a
            key={tag}
            href={`?lang=${tag}`}
            lang={tag}
            hrefLang={tag}
            aria-current={tag === current ? "true" : undefined}
            className="flex min-h-11 items-center rounded-lg px-3 aria-current:bg-ground aria-current:font-semibold"
          >
            {LANGUAGES[tag].name}
          </a>
        ))}
      </nav>
    </details>
  );
}
