import { FileSpreadsheet, GraduationCap, Phone, Plug, Tv, Wifi } from "lucide-react";

type Service = "airtime" | "data" | "cable" | "electricity" | "exam";

/** The kinds of top-ups. A segment is the end of the address of its page. */
export const KINDS = [
  { service: "airtime", segment: "airtime", label: "Airtime", title: "Buy airtime", Icon: Phone },
  { service: "data", segment: "data", label: "Data", title: "Buy data", Icon: Wifi },
  { service: "electricity", segment: "electricity", label: "Electricity", title: "Buy electricity", Icon: Plug },
  { service: "cable", segment: "cable", label: "Cable TV", title: "Pay for cable TV", Icon: Tv },
  { service: "exam", segment: "exam-pins", label: "Exam pins", title: "Buy exam pins", Icon: GraduationCap },
] as const satisfies readonly { service: Service; segment: string; label: string; title: string; Icon: unknown }[];

/** A file with many top-ups of one kind. */
const MANY = { segment: "bulk", label: "Many at once", title: "Buy many at once from a file", Icon: FileSpreadsheet } as const;

export type Kind = (typeof KINDS)[number];

export const kindOf = (service: Service): Kind => KINDS.find((kind) => kind.service === service) ?? KINDS[0];

/** Tabs between the purchase pages. A phone shows all five in one row, with large text in several. `base` is the list's address. */
export const KindTabs = ({ base, current }: { base: string; current: Service }) => (
  <nav aria-label="What to buy" className="border-b border-line">
    <ul className="flex flex-wrap justify-between sm:justify-start sm:gap-1">
      {KINDS.map(({ service, segment, label }) => (
        <li key={service}>
          <a
            href={`${base}/${segment}`}
            aria-current={service === current ? "page" : undefined}
            className="inline-flex min-h-11 items-center border-b-2 border-transparent px-1.5 text-fact whitespace-nowrap text-muted -outline-offset-2 hover:text-ink aria-[current]:border-brand aria-[current]:font-medium aria-[current]:text-ink sm:min-h-9 sm:px-3 sm:text-body"
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** Links from the list to the purchase pages. */
export const KindLinks = ({ base }: { base: string }) => (
  <nav aria-label="Buy">
    <ul className="grid grid-cols-2 gap-2 min-[22rem]:grid-cols-3 sm:flex sm:flex-wrap">
      {[...KINDS, MANY].map(({ segment, label, title, Icon }) => (
        <li key={segment}>
          <a
            href={`${base}/${segment}`}
            aria-label={title}
            className="flex h-full min-h-11 items-center gap-2 rounded-control border border-line bg-surface px-3 py-2 font-medium transition-colors duration-150 hover:bg-hover max-sm:flex-col max-sm:justify-center max-sm:text-center sm:min-h-9 sm:py-1.5"
          >
            <Icon aria-hidden="true" className="size-4 shrink-0 text-brand" />
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
